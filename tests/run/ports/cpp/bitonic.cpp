// Bitonic sort: blocks sort 512 elements in shared memory; longer steps go over
// global memory, a launch each, and end in shared memory again.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <algorithm>

constexpr unsigned Block = 512, Threads = Block / 2;

static void exchange(std::uint32_t &A, std::uint32_t &B, bool Up) {
  if ((A > B) == Up) {
    std::uint32_t T = A;
    A = B;
    B = T;
  }
}

static void sortBlocks(std::span<std::uint32_t> V) {
  auto &Part = ferry::shared<std::uint32_t[Block]>();
  unsigned T = ferry::thread_idx().x, First = ferry::block_idx().x * Block;
  Part[T] = V[First + T];
  Part[T + Threads] = V[First + T + Threads];
  for (unsigned Size = 2; Size <= Block; Size *= 2)
    for (unsigned Stride = Size / 2; Stride > 0; Stride /= 2) {
      ferry::sync_threads();
      unsigned I = 2 * T - (T & (Stride - 1));
      exchange(Part[I], Part[I + Stride], ((First + I) & Size) == 0);
    }
  ferry::sync_threads();
  V[First + T] = Part[T];
  V[First + T + Threads] = Part[T + Threads];
}

static void mergeGlobal(std::span<std::uint32_t> V, unsigned Size, unsigned Stride) {
  unsigned T = ferry::global_id();
  unsigned I = 2 * T - (T & (Stride - 1));
  exchange(V[I], V[I + Stride], (I & Size) == 0);
}

static void mergeShared(std::span<std::uint32_t> V, unsigned Size) {
  auto &Part = ferry::shared<std::uint32_t[Block]>();
  unsigned T = ferry::thread_idx().x, First = ferry::block_idx().x * Block;
  Part[T] = V[First + T];
  Part[T + Threads] = V[First + T + Threads];
  for (unsigned Stride = Block / 2; Stride > 0; Stride /= 2) {
    ferry::sync_threads();
    unsigned I = 2 * T - (T & (Stride - 1));
    exchange(Part[I], Part[I + Stride], ((First + I) & Size) == 0);
  }
  ferry::sync_threads();
  V[First + T] = Part[T];
  V[First + T + Threads] = Part[T + Threads];
}

int main() {
  const unsigned N = 8192;
  std::vector<std::uint32_t> V(N);
  std::uint32_t State = 11;
  for (auto &X : V)
    X = nextRandom(State) % 5000;
  std::vector<std::uint32_t> Wanted = V;
  std::sort(Wanted.begin(), Wanted.end());
  ferry::launch<sortBlocks>(ferry::blocks(N / Block).threads(Threads), V);
  for (unsigned Size = 2 * Block; Size <= N; Size *= 2) {
    for (unsigned Stride = Size / 2; Stride >= Block; Stride /= 2)
      ferry::launch<mergeGlobal>(ferry::over(N / 2), V, Size, Stride);
    ferry::launch<mergeShared>(ferry::blocks(N / Block).threads(Threads), V, Size);
  }
  CHECK(V == Wanted);
  std::puts("sorted"); // CHECK: sorted
}
