// Loops whose bounds reach over an array's ends though nothing there is touched,
// pointers one past the end, and loops that run backwards or stop early.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s
#include "Inputs/kept.h"

static void increase(std::span<int> A) { A[ferry::global_id()] += 1; }

__attribute__((noinline)) static long before(const int *P, int Count) {
  long Sum = 0;
  for (int I = 0; I < Count; ++I)
    if (I >= 100)
      Sum += P[I - 100];
  return Sum;
}
__attribute__((noinline)) static long backwards(const int *End, const int *Begin) {
  long Sum = 0;
  while (End != Begin)
    Sum = Sum * 3 % 1000003 + *--End;
  return Sum;
}
__attribute__((noinline)) static long byIndex(const int *End, const std::vector<int> &Which) {
  long Sum = 0;
  for (int I : Which)
    Sum += End[-1 - I];
  return Sum;
}
__attribute__((noinline)) static std::size_t firstOf(const int *P, int What) {
  std::size_t I = 0;
  while (P[I] != What)
    ++I;
  return I;
}

int main() {
  // Neighbours, so that a bound that reaches over reaches into the other one.
  std::vector<int> A(N), B(N), C(N), Which = {0, 5, 17, N - 1};
  std::span<int> All[] = {A, B, C};
  for (std::vector<int> *V : {&A, &B, &C})
    for (int I = 0; I < N; ++I)
      (*V)[I] = I;
  for (int Round = 1; Round < 5; ++Round) {
    ferry::launch<increase>(Whole, A);
    ferry::launch<increase>(Whole, B);
    ferry::launch<increase>(Whole, C);
    long Sum = long(N) * (N - 1) / 2 + long(N) * Round;
    CHECK(before(B.data(), N + 100) == Sum);
    CHECK(before(C.data(), N + 100) == Sum);
    ferry::launch<increase>(Whole, B);
    ferry::launch<increase>(Whole, C);
    B[0] -= 1;
    CHECK(B[1] == 1 + Round + 1);
    for (int I = 1; I < N; ++I)
      B[I] -= 1;
    long Want = 0;
    for (int I = N; I-- > 0;)
      Want = Want * 3 % 1000003 + I + Round + 1;
    CHECK(backwards(C.data() + N, C.data()) == Want);
    ferry::launch<increase>(Whole, C);
    CHECK(byIndex(C.data() + N, Which) == (N - 1) + (N - 6) + (N - 18) + 0 + 4 * (Round + 2));
    ferry::launch<increase>(Whole, A);
    CHECK(firstOf(A.data(), 500 + Round + 1) == 500);
    for (int I = 0; I < N; ++I) {
      A[I] -= 1;
      C[I] -= 2;
    }
  }
  CHECK(All[0][7] == 7 + 4 && All[1][7] == 7 + 4 && All[2][7] == 7 + 4);
}
