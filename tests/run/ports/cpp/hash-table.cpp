// A hash table with open addressing: keys go in by compare-and-swap, values are
// added up, and a second kernel looks them up.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <map>

constexpr std::uint32_t Empty = 0xffffffff;

static std::uint32_t hash(std::uint32_t K) {
  K ^= K >> 16;
  K *= 0x85ebca6b;
  K ^= K >> 13;
  K *= 0xc2b2ae35;
  return K ^ K >> 16;
}

static void insert(std::span<std::uint32_t> Keys, std::span<std::uint32_t> Sums,
                   std::span<const std::uint32_t> Key, std::span<const std::uint32_t> Value) {
  std::size_t I = ferry::global_id();
  if (I >= Key.size())
    return;
  std::uint32_t Slot = hash(Key[I]) % Keys.size();
  for (;;) {
    std::uint32_t Before = ferry::atomic_compare_exchange(Keys[Slot], Empty, Key[I]);
    if (Before == Empty || Before == Key[I]) {
      ferry::atomic_add(Sums[Slot], Value[I]);
      return;
    }
    Slot = (Slot + 1) % Keys.size();
  }
}

static void lookUp(std::span<const std::uint32_t> Keys, std::span<const std::uint32_t> Sums,
                   std::span<const std::uint32_t> Key, std::span<std::int64_t> Found) {
  std::size_t I = ferry::global_id();
  std::uint32_t Slot = hash(Key[I]) % Keys.size();
  while (Keys[Slot] != Empty && Keys[Slot] != Key[I])
    Slot = (Slot + 1) % Keys.size();
  Found[I] = Keys[Slot] == Empty ? -1 : std::int64_t(Sums[Slot]);
}

int main() {
  const std::size_t N = 20000, Room = 4096;
  std::vector<std::uint32_t> Key(N), Value(N), Keys(Room, Empty), Sums(Room);
  std::map<std::uint32_t, std::uint32_t> Wanted;
  std::uint32_t State = 31;
  for (std::size_t I = 0; I < N; ++I) {
    Key[I] = nextRandom(State) % 3000 * 7919;
    Value[I] = nextRandom(State) % 100;
    Wanted[Key[I]] += Value[I];
  }
  ferry::launch<insert>(ferry::blocks((N + 255) / 256).threads(256), Keys, Sums, Key, Value);
  std::size_t Used = 0;
  for (std::size_t I = 0; I < Room; ++I)
    if (Keys[I] != Empty) {
      ++Used;
      CHECK(Wanted.at(Keys[I]) == Sums[I]);
    }
  CHECK(Used == Wanted.size());

  std::vector<std::uint32_t> Ask;
  for (std::uint32_t K = 0; K < 4000; ++K)
    Ask.push_back(K * 7919);
  std::vector<std::int64_t> Found(Ask.size());
  ferry::launch<lookUp>(ferry::over(Ask.size()), Keys, Sums, Ask, Found);
  for (std::size_t I = 0; I < Ask.size(); ++I)
    CHECK(Found[I] == (Wanted.count(Ask[I]) ? std::int64_t(Wanted[Ask[I]]) : -1));
  std::puts("found"); // CHECK: found
}
