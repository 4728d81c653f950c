// FERRY_CHECK=race names both accesses of a data race: in global and in shared
// memory, across threads, warps and blocks, plain and atomic, whole words and
// bytes. What barriers, warp operations and atomics order is no race.
// RUN: %run-everywhere --output %t --devices=cpu --env FERRY_CHECK=race %s | FileCheck %s
#include "Inputs/show.h"
#include <atomic>

void neighbour(std::span<int> x) {
  std::size_t I = ferry::global_id();
  x[I] = 1;
  if (I > 0)
    x[I - 1] += 1;
}
// CHECK: 8 kernel 'neighbour' launched at {{.*}}: data race on 'x'[0]: thread 0 writes at {{.*}}check-race.cpp:[[#@LINE-4]]:8, thread 1 reads at {{.*}}check-race.cpp:[[#@LINE-2]]:14
void oneResult(std::span<const int> x, int &Sum) { Sum += x[ferry::global_id()]; }
// CHECK-NEXT: 8 kernel 'oneResult' {{.*}}: data race on 'Sum'[0]: thread 0 writes at {{.*}}:[[#@LINE-1]]:56, thread 1 reads at {{.*}}:[[#@LINE-1]]:56
void oneValue(int &Flag) { Flag = 7; }
// CHECK-NEXT: 8 kernel 'oneValue' {{.*}}: data race on 'Flag'[0]: thread 0 writes {{.*}}, thread 1 writes
void bytes(std::span<char> x) {
  std::size_t I = ferry::global_id();
  x[I] = 1;
  if (I == 9)
    x[3] = 2;
}
// CHECK-NEXT: 8 kernel 'bytes' {{.*}}: data race on 'x'[3]: thread 3 writes at {{.*}}:[[#@LINE-4]]:8, thread 9 writes at {{.*}}:[[#@LINE-2]]:10
void plainAndAtomic(int &Count) {
  if (ferry::global_id() == 5)
    Count = 0;
  else
    ferry::atomic_add(Count, 1);
}
// CHECK-NEXT: 8 kernel 'plainAndAtomic' {{.*}}: data race on 'Count'[0]: thread {{[0-9]+}} updates atomically at {{.*}}, thread 5 writes at {{.*}}:[[#@LINE-4]]:11
void noBarrier(std::span<int> x) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  Tile[I] = x[I];
  if (I > 0)
    x[I] = Tile[I - 1];
}
// CHECK-NEXT: 8 kernel 'noBarrier' {{.*}}: data race on shared memory[0]: thread 0 of block 0 writes at {{.*}}:[[#@LINE-4]]:11, thread 1 of block 0 reads at {{.*}}:[[#@LINE-2]]:12
void oneBarrierTooFew(std::span<int> x) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  for (int Round = 0; Round < 3; ++Round) {
    Tile[I] = x[I];
    ferry::sync_threads();
    x[I] = Tile[63 - I];
  }
}
// CHECK-NEXT: 8 kernel 'oneBarrierTooFew' {{.*}}: data race on shared memory[31]: thread 31 of block 0 writes at {{.*}}:[[#@LINE-5]]:13, thread 32 of block 0 reads at {{.*}}:[[#@LINE-3]]:12
void acrossWarps(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  x[I] = 1;
  (void)ferry::warp::ballot(true);
  if (I == 3)
    x[5] = 2; // the same warp
  if (I == 40)
    x[5] *= 3; // another
}
// CHECK-NEXT: 8 kernel 'acrossWarps' {{.*}}: data race on 'x'[5]: thread 3 of block 0 writes at {{.*}}:[[#@LINE-4]]:10, thread 40 of block 0 reads at {{.*}}:[[#@LINE-2]]:10
void acrossBlocks(std::span<int> x) {
  if (ferry::thread_idx().x == 0)
    x[0] += 1;
}
// CHECK-NEXT: 8 kernel 'acrossBlocks' {{.*}}: data race on 'x'[0]: thread 0 of block 0 writes at {{.*}}, thread 0 of block 1 reads
void inSpace(std::span<int> x) { x[ferry::thread_idx().z] = 1; }
// CHECK-NEXT: 8 kernel 'inSpace' {{.*}}: data race on 'x'[0]: thread (0, 0, 0) of block 0 writes {{.*}}, thread (1, 0, 0) of block 0 writes
int Global;
void global() { Global = 1; }
// CHECK-NEXT: 8 kernel 'global' {{.*}}: data race on 'Global'[0]: thread 0 writes {{.*}}, thread 1 writes
inline void setLater(int &V, int Depth) { Depth ? setLater(V, Depth - 1) : void(V = Depth); }
void called(std::span<int> x, int Depth) { setLater(x[0], Depth); }
// CHECK-NEXT: 8 kernel 'called' {{.*}}: data race on 'x'[0]: thread 0 writes at {{.*}}:[[#@LINE-2]]:{{[0-9]+}}, thread 1 writes at {{.*}}:[[#@LINE-2]]

// CHECK-NEXT: fine
void own(std::span<int> x, std::span<char> y) {
  std::size_t I = ferry::global_id();
  x[I] += 1;
  y[I] += 1;
}
// CHECK-NEXT: fine
void counts(int &Count) { ferry::atomic_add(Count, 1); }
// CHECK-NEXT: fine
void barrier(std::span<int> x) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  for (int Round = 0; Round < 3; ++Round) {
    Tile[I] = x[I];
    ferry::sync_threads();
    x[I] = Tile[63 - I];
    ferry::sync_threads();
  }
}
// CHECK-NEXT: fine
void warp(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  x[I] = int(I);
  (void)ferry::warp::ballot(true);
  int V = x[I ^ 1];
  (void)ferry::warp::ballot(true);
  x[I] = V;
}
// A thread that sees the last of all counts sees what the others wrote.
// CHECK-NEXT: fine
void lastOne(std::span<int> x, int &Count, int &Sum) {
  unsigned I = ferry::thread_idx().x, N = ferry::block_dim().x * ferry::grid_dim().x;
  x[ferry::global_id()] = int(I);
  int Before = std::atomic_ref(Count).fetch_add(1, std::memory_order_acq_rel);
  if (Before == int(N) - 1)
    for (unsigned J = 0; J < N; ++J)
      Sum += x[J];
}

int main() {
  std::vector<int> X(256);
  std::vector<char> Bytes(256);
  int One = 0, Two = 0;
  auto Block = ferry::blocks(1).threads(64);
  show(ferry::try_launch<neighbour>(ferry::over(64), X));
  show(ferry::try_launch<oneResult>(ferry::over(64), X, One));
  show(ferry::try_launch<oneValue>(ferry::over(64), One));
  show(ferry::try_launch<bytes>(ferry::over(64), Bytes));
  show(ferry::try_launch<plainAndAtomic>(ferry::over(64), One));
  show(ferry::try_launch<noBarrier>(Block, X));
  show(ferry::try_launch<oneBarrierTooFew>(Block, X));
  show(ferry::try_launch<acrossWarps>(Block, X));
  show(ferry::try_launch<acrossBlocks>(ferry::blocks(2).threads(64), X));
  show(ferry::try_launch<inSpace>(ferry::blocks(1).threads(2, 2, 2), X));
  show(ferry::try_launch<global>(ferry::over(64)));
  show(ferry::try_launch<called>(ferry::over(64), X, 3));
  show(ferry::try_launch<own>(ferry::over(256), X, Bytes));
  show(ferry::try_launch<counts>(ferry::over(256), One));
  show(ferry::try_launch<barrier>(Block, X));
  One = 0;
  show(ferry::try_launch<warp>(Block, X));
  show(ferry::try_launch<lastOne>(ferry::blocks(4).threads(64), X, One, Two));
  CHECK(Two == 4 * 63 * 32);
}
