// Functions that are not inlined, recursive or reached through pointers, know the
// thread they run on, and end it when they fail, whatever is above them.
// RUN: %run-everywhere --output %t %s | FileCheck %s
// CHECK: kernel 'fails' panicked at {{.*}}out-of-line.cpp:[[#DEEP:]]:{{.*}}'Depth != 7' failed, block 2, thread 88
// CHECK: kernel 'throwsThroughPointer' panicked at {{.*}}, block (1, 1, 0), thread (3, 1, 0)
#include "Inputs/check.h"
#include <cassert>

[[gnu::noinline]] std::size_t mine() { return ferry::global_id(); }
[[gnu::noinline]] std::size_t sum(std::size_t N) {
  return N == 0 ? ferry::thread_idx().x : ferry::block_idx().x + sum(N - 1) + (mine() & 1);
}
void indices(std::span<std::size_t> Out) { Out[mine()] = sum(5); }

[[gnu::noinline]] int descend(int Depth, std::size_t Bad) {
  if (mine() == Bad)
    assert(Depth != 7);
  if (Depth == 20)
    return 1;
  int Below = descend(Depth + 1, Bad);
  return Below + 1;
}
void fails(std::size_t Bad, std::span<int> Out) {
  int R = descend(0, Bad);
  Out[ferry::global_id()] = R;
}

struct Wrong {};
using F = void (*)(std::span<int>);
[[gnu::noinline]] void writes(std::span<int> V) { V[mine()] = 1; }
[[gnu::noinline]] void throws(std::span<int> V) {
  auto [X, Y, Z] = ferry::global_idx();
  if (X == 7 && Y == 3)
    throw Wrong();
  V[mine()] = 2;
}
static constexpr F Table[] = {writes, throws};
void throwsThroughPointer(std::span<int> V) {
  Table[mine() % 2](V);
  V[mine()] += 10;
}

int main() {
  std::vector<std::size_t> I(1000);
  ferry::launch<indices>(ferry::blocks(10).threads(100), I);
  for (std::size_t K = 0; K < 1000; ++K)
    CHECK(I[K] == 5 * (K / 100) + K % 100 + 5 * (K & 1));

  std::vector<int> Out(1000, -1);
  ferry::status S = ferry::try_launch<fails>(ferry::over(1000), 600u, Out);
  std::printf("%s\n", S.message().c_str());
  CHECK(S.code() == ferry::errc::panic);
  ferry::launch<fails>(ferry::over(1000), 5000u, Out);
  for (int V : Out)
    CHECK(V == 21);

  std::vector<int> V(64, 0);
  S = ferry::try_launch<throwsThroughPointer>(ferry::blocks(2, 2).threads(4, 2), V);
  std::printf("%s\n", S.message().c_str());
  CHECK(S.code() == ferry::errc::panic);
  ferry::launch<throwsThroughPointer>(ferry::over(24), V);
  for (int K = 0; K < 24; ++K)
    CHECK(V[K] == (K % 2 ? 12 : 11));
}
