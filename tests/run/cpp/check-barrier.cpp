// FERRY_CHECK=barrier finds threads of one block that wait at different barriers,
// or for some that have left; barriers in loops, and in a branch that all threads
// of a block take, are fine.
// RUN: %run-everywhere --output %t --devices=cpu --env FERRY_CHECK=barrier %s | FileCheck %s
#include "Inputs/show.h"

void underCondition(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  if (I < 16)
    ferry::sync_threads();
  x[I] = 1;
}
// CHECK: 8 kernel 'underCondition' launched at {{.*}}: threads wait for each other at different barriers: thread 0 of block 0 at {{.*}}check-barrier.cpp:[[#@LINE-3]]:5, thread 16 of block 0 has ended and will never come
void either(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  if (I % 2)
    ferry::sync_threads();
  else
    ferry::sync_threads();
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'either' {{.*}}: threads wait for each other at different barriers: thread 0 of block 0 at {{.*}}:[[#@LINE-3]]:5, thread 1 of block 0 at {{.*}}:[[#@LINE-5]]:5
void leavesEarly(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  if (I == 5)
    return;
  ferry::sync_threads();
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'leavesEarly' {{.*}}: thread 0 of block 0 at {{.*}}:[[#@LINE-3]]:3, thread 5 of block 0 has ended and will never come
void unevenLoops(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  for (unsigned J = 0; J < 2 + I / 32; ++J)
    ferry::sync_threads();
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'unevenLoops' {{.*}}: thread 32 of block 0 at {{.*}}:[[#@LINE-3]]:5, thread 0 of block 0 has ended and will never come
void inside() { ferry::sync_threads(); }
void called(std::span<int> x) {
  unsigned I = ferry::thread_idx().x;
  if (ferry::block_idx().x == 1 && I > 3)
    return;
  inside();
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'called' {{.*}}: thread 0 of block 1 at {{.*}}:[[#@LINE-8]]:17, thread 4 of block 1 has ended and will never come

// CHECK-NEXT: 0 fine
void together(std::span<int> x, int N) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  if (ferry::block_idx().x == 2)
    return;
  for (int J = 0; J < N; ++J) {
    Tile[I] = int(I) + J;
    ferry::sync_threads();
    if (ferry::block_idx().x % 2)
      ferry::sync_threads();
    int V = Tile[63 - I];
    ferry::sync_threads();
    if (I % 3 == 0)
      x[ferry::global_id()] += V;
  }
}

int main() {
  std::vector<int> X(256);
  auto Block = ferry::blocks(1).threads(64);
  show(ferry::try_launch<underCondition>(Block, X));
  show(ferry::try_launch<either>(Block, X));
  show(ferry::try_launch<leavesEarly>(Block, X));
  show(ferry::try_launch<unevenLoops>(Block, X));
  show(ferry::try_launch<called>(ferry::blocks(4).threads(64), X));
  show(ferry::try_launch<together>(ferry::blocks(4).threads(64), X, 5));
}
