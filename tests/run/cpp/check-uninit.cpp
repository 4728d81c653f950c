// FERRY_CHECK=uninit finds reads of shared memory that nobody in the block has
// written, and out() whose promise is broken. Padding is no mistake.
// RUN: %run-everywhere --output %t --devices=cpu --env FERRY_CHECK=uninit %s | FileCheck %s
#include "Inputs/show.h"

void hole(std::span<int> x) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  if (I != 7)
    Tile[I] = x[I];
  ferry::sync_threads();
  x[I] = Tile[I];
}
// CHECK: 8 kernel 'hole' launched at {{.*}}: thread 7 of block 0 reads at {{.*}}check-uninit.cpp:[[#@LINE-2]]:10 shared memory[7], which no thread of the block has written
void leftByAnother(std::span<int> x) {
  auto &Tile = ferry::shared<int[64]>();
  unsigned I = ferry::thread_idx().x;
  if (ferry::block_idx().x == 0)
    Tile[I] = x[I];
  ferry::sync_threads();
  x[ferry::global_id()] = Tile[63 - I];
}
// CHECK-NEXT: 8 kernel 'leftByAnother' {{.*}}: thread 0 of block 1 reads at {{.*}}:[[#@LINE-2]]:{{[0-9]+}} shared memory[63], which no thread of the block has written
void counts(std::span<int> x) {
  auto &Count = ferry::shared<int>();
  ferry::atomic_add(Count, x[ferry::thread_idx().x]);
}
// CHECK-NEXT: 8 kernel 'counts' {{.*}}: thread 0 of block 0 updates atomically {{.*}} shared memory[0], which no thread of the block has written
void reads(int *y) { y[ferry::global_id()] += 1; }
// CHECK-NEXT: 8 kernel 'reads' {{.*}}: thread 0 reads at {{.*}}:[[#@LINE-1]]:44 'y'[0], which is passed to be written alone, and no thread has written
void skips(int *y) {
  if (ferry::global_id() != 5)
    y[ferry::global_id()] = 1;
}
// CHECK-NEXT: 8 kernel 'skips' {{.*}}: 'y'[5] is never written, though it is passed to be written alone: its old value is lost
void everyOther(int *y) {
  if (ferry::global_id() % 2)
    y[ferry::global_id()] = 1;
}
// CHECK-NEXT: 8 kernel 'everyOther' {{.*}}: 'y'[0] is never written

// CHECK-NEXT: 0 fine
void all(int *y) { y[ferry::global_id()] = 1; }
struct Padded {
  double Value;
  int Index;
};
// CHECK-NEXT: 0 fine
void padded(Padded *y) {
  auto &Tile = ferry::shared<Padded[64]>();
  unsigned I = ferry::thread_idx().x;
  Tile[I].Value = I;
  Tile[I].Index = int(I);
  ferry::sync_threads();
  Padded P = Tile[63 - I];
  y[I].Value = P.Value;
  y[I].Index = P.Index;
}
// CHECK-NEXT: 0 fine
void zeroed(std::span<int> x) {
  auto &Count = ferry::shared<int>();
  if (ferry::thread_idx().x == 0)
    Count = 0;
  ferry::sync_threads();
  ferry::atomic_add(Count, x[ferry::thread_idx().x]);
}

int main() {
  std::vector<int> X(256), Y(64);
  std::vector<Padded> P(64);
  auto Block = ferry::blocks(1).threads(64);
  show(ferry::try_launch<hole>(Block, X));
  show(ferry::try_launch<leftByAnother>(ferry::blocks(2).threads(64), X));
  show(ferry::try_launch<counts>(Block, X));
  show(ferry::try_launch<reads>(ferry::over(64), ferry::out(Y)));
  show(ferry::try_launch<skips>(ferry::over(64), ferry::out(Y)));
  show(ferry::try_launch<everyOther>(ferry::over(64), ferry::out(Y)));
  show(ferry::try_launch<all>(ferry::over(64), ferry::out(Y)));
  show(ferry::try_launch<padded>(Block, ferry::out(P)));
  show(ferry::try_launch<zeroed>(Block, X));
}
