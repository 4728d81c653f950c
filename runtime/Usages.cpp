//===- Usages.cpp - What a launch does to its buffers ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Usages.h"
#include "Launch.h"
#include "Modules.h"
#include <algorithm>
#include <atomic>
#include <cstring>

namespace ferry::rt {

static bool evaluate(const LaunchRequest &L, Usage *Out) {
  const ferry_kernel &K = L.Kernel;
  RangeInputs Inputs = {K, L.Values, L.Geometry};
  Inputs.MayPanic =
      K.flags & FERRY_KERNEL_CAN_PANIC && (!K.usages || mayPanic(Inputs));
  const ferry_usage *Used = K.usages;
  auto Each = [&](uint32_t Flags, uint64_t Bytes) {
    return Used ? usageOf(Inputs, *Used++, Flags, Bytes) : allOf(Flags, Bytes);
  };
  for (uint32_t I = 0; I < K.num_slots; ++I)
    *Out++ =
        Each(L.Site.slots[I].flags, L.Site.slots[I].flags ? L.Bytes[I] : 0);
  for (uint64_t I = 0; I < K.num_globals; ++I)
    *Out++ = Each(FERRY_FIELD_READ | FERRY_FIELD_WRITE, K.globals[I]->bytes);
  return Inputs.MayPanic;
}

namespace {

constexpr uint32_t MostBuffers = 16;

/// What the answers depend on.
class Key {
public:
  Key() = default;
  explicit Key(const LaunchRequest &L) {
    const ferry_kernel &K = L.Kernel;
    add(reinterpret_cast<uint64_t>(&K));
    // Another module's kernel may come to lie in the same place.
    add(ModulesEver.load(std::memory_order_relaxed));
    for (uint64_t Extent : L.Geometry.extent)
      add(Extent);
    for (uint64_t Block : L.Geometry.block)
      add(Block);
    for (uint32_t I = 0; I < K.num_slots; ++I) {
      uint32_t Flags = L.Site.slots[I].flags;
      add(Flags);
      if (Flags)
        add(L.Bytes[I]);
      else if (K.formula_slots >> I & 1)
        add(L.Values[I]);
    }
  }

  bool operator==(const Key &Other) const {
    return Hash == Other.Hash && Count == Other.Count &&
           memcmp(Words, Other.Words, Count * sizeof(uint64_t)) == 0;
  }
  uint64_t hash() const { return Hash; }

private:
  uint64_t Hash = 0;
  uint32_t Count = 0;
  uint64_t Words[8 + MostBuffers * 2] = {};

  void add(uint64_t Word) {
    Words[Count++] = Word;
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 32;
  }
};

/// The answers for one key. Who finds another thread at it does without.
struct Memo {
  std::atomic<bool> Taken;
  Key Of;
  bool MayPanic;
  Usage Known[MostBuffers];
};

} // namespace

static constinit Memo Memos[64] = {};

bool usagesOf(const LaunchRequest &L, Usage *Out) {
  uint64_t Buffers = L.Kernel.num_slots + L.Kernel.num_globals;
  if (Buffers > MostBuffers)
    return evaluate(L, Out);
  Key Wanted(L);
  Memo &M = Memos[Wanted.hash() % 64];
  if (M.Taken.exchange(true, std::memory_order_acquire))
    return evaluate(L, Out);
  if (!(M.Of == Wanted)) {
    M.MayPanic = evaluate(L, M.Known);
    M.Of = Wanted;
  }
  std::copy_n(M.Known, Buffers, Out);
  bool MayPanic = M.MayPanic;
  M.Taken.store(false, std::memory_order_release);
  return MayPanic;
}

} // namespace ferry::rt
