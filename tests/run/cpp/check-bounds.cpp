// FERRY_CHECK=bounds finds accesses through raw pointers that are outside of every
// argument, and says which is nearest. Locals, constants, globals and what blocks
// share are inside.
// RUN: %run-everywhere --output %t --devices=cpu --env FERRY_CHECK=bounds %s | FileCheck %s
#include "Inputs/show.h"

void past(int *x, int N) { x[ferry::global_id() + 1] = N; }
// CHECK: 8 kernel 'past' launched at {{.*}}: thread 63 writes at {{.*}}check-bounds.cpp:[[#@LINE-1]]:54 4 bytes outside of every argument: at byte 256 of 'x', which has 256
void before(const int *x, int *y) {
  std::size_t I = ferry::global_id();
  y[I] = x[static_cast<std::ptrdiff_t>(I) - 2];
}
// CHECK-NEXT: 8 kernel 'before' {{.*}}: thread 0 reads at {{.*}}:[[#@LINE-2]]:10 4 bytes outside of every argument: 8 bytes before the start of 'x', which has 256
void astride(const long *x, long *y) {
  // NOLINTNEXTLINE: an address in the middle of the last element
  std::memcpy(y, reinterpret_cast<const char *>(x) + 252, 8);
}
// CHECK-NEXT: 8 kernel 'astride' {{.*}}: thread 0 reads at {{.*}}:[[#@LINE-2]]:3 8 bytes outside of every argument: at byte 252 of 'x', which has 256
void null(int *x, std::size_t Zero) {
  int *P = ferry::global_id() == 3 ? reinterpret_cast<int *>(Zero) : x;
  *P += 1;
}
// CHECK-NEXT: 8 kernel 'null' {{.*}}: thread 3 reads at {{.*}}:[[#@LINE-2]]:6 4 bytes outside of every argument: through a null pointer
void shared(int *x) {
  auto &Tile = ferry::shared<int[16]>();
  unsigned I = ferry::thread_idx().x;
  int *P = Tile;
  P[I + 3] = 0;
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'shared' {{.*}}: thread 13 of block 0 writes at {{.*}}:[[#@LINE-3]]:12 4 bytes outside of every argument: at byte 64 of shared memory, which has 64
void dynamic(int *x) {
  auto Tile = ferry::dynamic_shared<int>();
  unsigned I = ferry::thread_idx().x;
  int *P = Tile.data();
  P[I] = 0;
  x[I] = 1;
}
// CHECK-NEXT: 8 kernel 'dynamic' {{.*}}: thread 8 of block 0 writes at {{.*}}:[[#@LINE-3]]:8 4 bytes outside of every argument: at byte 32 of shared memory, which has 32

constexpr int Table[] = {3, 1, 4, 1, 5, 9, 2, 6};
int Total;
struct Node {
  int Value;
  const Node *Next;
};
constexpr Node Last{2, nullptr}, First{1, &Last};
int sum(const int *P, int N) { return N ? *P + sum(P + 1, N - 1) : 0; }
// CHECK-NEXT: 0 fine
void inside(int *x, const int *y, int N) {
  std::size_t I = ferry::global_id();
  int Local[8];
  for (int J = 0; J < 8; ++J)
    Local[J] = J * int(I);
  const int *P = N > 100 ? Table : Local;
  const Node *At = &First;
  for (int J = 0; J < N && At->Next; ++J)
    At = At->Next;
  x[I] = y[I] + P[N % 8] + Table[I % 8] + At->Value + sum(Local, N) + sum(Table, 4);
  if (I == 0)
    Total = x[0];
}

int main() {
  std::vector<int> X(64), Y(64);
  std::vector<long> L(32), M(1);
  auto Block = ferry::blocks(1).threads(16);
  show(ferry::try_launch<past>(ferry::over(64), ferry::inout(X), 1));
  show(ferry::try_launch<before>(ferry::over(64), ferry::in(X), ferry::inout(Y)));
  show(ferry::try_launch<astride>(ferry::over(1), ferry::in(L), ferry::inout(M)));
  show(ferry::try_launch<null>(ferry::over(64), ferry::inout(X), std::size_t(0)));
  show(ferry::try_launch<shared>(Block, ferry::inout(X)));
  show(ferry::try_launch<dynamic>(Block.shared(32), ferry::inout(X)));
  show(ferry::try_launch<inside>(ferry::over(64), ferry::inout(X), ferry::in(Y), 5));
}
