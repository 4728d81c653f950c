// Kernels with barriers are compiled for the block that a launch seems to have, and for
// any. One kernel, launched with blocks that the compiler sees and does not see, from
// several places, gives the same results for all of them.
//
// RUN: %ferrycxx -std=c++20 -O0 %s -o %t.O0 && %t.O0 | FileCheck %s
// RUN: %ferrycxx -std=c++20 -O3 -march=native %s -o %t.O3 && %t.O3 | FileCheck %s
// RUN: env FERRY_DEVICE=virtual %t.O3 | FileCheck %s

#include <cstdio>
#include <ferry/ferry.h>
#include <span>
#include <vector>

// Each block turns its part around, row by row, and counts its threads.
static void turn(std::span<const int> In, std::span<int> Out,
                 std::span<unsigned> Threads) {
  auto &Part = ferry::shared<int[256]>();
  auto &Count = ferry::shared<unsigned>();
  auto [Tx, Ty, Tz] = ferry::thread_idx();
  auto [Width, Height, Depth] = ferry::block_dim();
  unsigned T = (Tz * Height + Ty) * Width + Tx, All = Width * Height * Depth;
  std::size_t First = std::size_t(ferry::block_idx().x) * All;
  if (T == 0)
    Count = 0;
  Part[T] = In[First + T];
  ferry::sync_threads();
  ferry::atomic_add(Count, 1);
  int Sum = 0;
  for (unsigned X = 0; X <= Tx; ++X)
    Sum += Part[T - X];
  ferry::sync_threads();
  Part[All - 1 - T] = Sum;
  ferry::sync_threads();
  Out[First + T] = Part[T];
  Threads[ferry::block_idx().x] = Count;
}

static bool check(unsigned X, unsigned Y, unsigned Z,
                  ferry::blocks_shape Blocks, unsigned NumBlocks,
                  bool AsConstant) {
  unsigned All = X * Y * Z, N = NumBlocks * All;
  std::vector<int> In(N), Out(N);
  std::vector<unsigned> Threads(NumBlocks);
  for (unsigned I = 0; I < N; ++I)
    In[I] = int(I * 7 % 101);
  if (AsConstant)
    ferry::launch<turn>(Blocks.threads(16, 4), In, Out, Threads);
  else
    ferry::launch<turn>(Blocks.threads(X, Y, Z), In, Out, Threads);
  for (unsigned B = 0; B < NumBlocks; ++B) {
    if (Threads[B] != All)
      return false;
    for (unsigned T = 0; T < All; ++T) {
      int Sum = 0;
      for (unsigned I = 0; I <= T % X; ++I)
        Sum += In[B * All + T - I];
      if (Out[B * All + All - 1 - T] != Sum)
        return false;
    }
  }
  return true;
}

// Nobody else has these.
__attribute__((noinline)) static bool otherConstant() {
  std::vector<int> In(24), Out(24);
  std::vector<unsigned> Threads(2);
  ferry::launch<turn>(ferry::blocks(2).threads(3, 2, 2), In, Out, Threads);
  return Threads[0] == 12 && Threads[1] == 12;
}

int main(int argc, char **) {
  unsigned One = unsigned(argc);
  unsigned Sides[][3] = {{16, 4, 1}, {4, 16, 1},  {16, 4, 2}, {1, 1, 1},
                         {17, 3, 1}, {15, 4, 1},  {64, 1, 1}, {16, 1, 4},
                         {2, 3, 5},  {256, 1, 1}, {1, 256, 1}};
  bool Good = check(16, 4, 1, ferry::blocks(5), 5, true) && otherConstant();
  for (auto [X, Y, Z] : Sides)
    Good &= check(X * One, Y * One, Z * One, ferry::blocks(3), 3, false);
  std::puts(Good ? "all blocks turned" : "wrong");
}
// CHECK: all blocks turned
