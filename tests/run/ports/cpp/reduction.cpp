// The sum of 1,024 elements a block by a tree in shared memory, in two ways: the
// stride halves, and the last 32 values are summed by a warp.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

constexpr unsigned Threads = 1024;

static void tree(std::span<const int> In, std::span<int> Sums) {
  auto &Part = ferry::shared<int[Threads]>();
  unsigned T = ferry::thread_idx().x;
  std::size_t I = ferry::global_id();
  Part[T] = I < In.size() ? In[I] : 0;
  ferry::sync_threads();
  for (unsigned Stride = Threads / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    ferry::sync_threads();
  }
  if (T == 0)
    Sums[ferry::block_idx().x] = Part[0];
}

static void treeAndWarp(std::span<const int> In, std::span<int> Sums) {
  auto &Part = ferry::shared<int[Threads]>();
  unsigned T = ferry::thread_idx().x, Warp = ferry::warp::size();
  std::size_t I = ferry::global_id();
  Part[T] = I < In.size() ? In[I] : 0;
  ferry::sync_threads();
  for (unsigned Stride = Threads / 2; Stride >= Warp; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    ferry::sync_threads();
  }
  if (T < Warp) {
    int Sum = Part[T];
    for (unsigned Delta = Warp / 2; Delta > 0; Delta /= 2)
      Sum += ferry::warp::shuffle_down(Sum, Delta);
    if (T == 0)
      Sums[ferry::block_idx().x] = Sum;
  }
}

static void warps(std::span<const int> In, std::span<int> Sums) {
  auto &Part = ferry::shared<int[64]>();
  unsigned T = ferry::thread_idx().x, Warp = ferry::warp::size();
  std::size_t I = ferry::global_id();
  int Sum = ferry::warp::reduce_add(I < In.size() ? In[I] : 0);
  if (ferry::warp::lane() == 0)
    Part[T / Warp] = Sum;
  ferry::sync_threads();
  if (T < Warp) {
    Sum = ferry::warp::reduce_add(T < Threads / Warp ? Part[T] : 0);
    if (T == 0)
      Sums[ferry::block_idx().x] = Sum;
  }
}

template <auto Kernel> static void check(std::size_t N) {
  std::vector<int> In(N);
  std::uint32_t State = 7;
  for (int &X : In)
    X = int(nextRandom(State) % 2000) - 1000;
  unsigned Blocks = (N + Threads - 1) / Threads;
  std::vector<int> Sums(Blocks, -1), Wanted(Blocks, 0);
  for (std::size_t I = 0; I < N; ++I)
    Wanted[I / Threads] += In[I];
  ferry::launch<Kernel>(ferry::blocks(Blocks).threads(Threads), In, Sums);
  CHECK(Sums == Wanted);
}

int main() {
  for (std::size_t N : {1024, 10000, 1}) {
    check<tree>(N);
    check<treeAndWarp>(N);
    check<warps>(N);
  }
  std::puts("summed"); // CHECK: summed
}
