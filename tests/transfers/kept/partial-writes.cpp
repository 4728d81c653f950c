// Kernels write a part only: under a condition, the first elements, every third one,
// where the data says, a member of each structure, or nothing this time. The rest of
// what the host sees afterwards is the host's, and the other kernels' before.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"

static void everyThird(std::span<int> Y, int A) {
  std::size_t I = ferry::global_id();
  if (I % 3 == 0)
    Y[I] = A;
}
static void where(std::span<const int> X, std::span<int> Y, int Limit) {
  std::size_t I = ferry::global_id();
  if (X[I] < Limit)
    Y[I] = -1;
}
static void scatter(std::span<const int> Index, std::span<int> Y) {
  std::size_t I = ferry::global_id();
  Y[Index[I]] = static_cast<int>(I);
}
static void maybe(std::span<int> Y, bool Really) {
  if (Really)
    Y[ferry::global_id()] = 9;
}
static void part(std::span<int> Y, int Low, int High) {
  int I = static_cast<int>(ferry::global_id());
  if (Low <= I && I < High)
    Y[I] = 0;
}
struct Pair {
  int A, B;
};
static void memberOnly(std::span<Pair> P) { P[ferry::global_id()].B = 5; }
static void untilFound(std::span<int> Y, int What) {
  for (int &V : Y) {
    if (V == What)
      return;
    V = 0;
  }
}

static void afterHostWrites() {
  std::vector<int> V(N, 1);
  ferry::launch<everyThird>(Whole, V, 7);
  CHECK(V[0] == 7 && V[1] == 1 && hostTotal(V) == N + 334 * 6);
  // The host writes others, and some of the same.
  for (int I = 0; I < N; I += 2)
    V[I] = 2;
  ferry::launch<everyThird>(Whole, V, 5);
  CHECK(V[0] == 5 && V[1] == 1 && V[2] == 2 && V[3] == 5 && V[4] == 2);
  CHECK(hostTotal(V) == 334 * 5 + 333 * 1 + 333 * 2);
}

static void afterKernels() {
  std::vector<int> V(N), X(N);
  ferry::launch<fill>(Whole, V, 0);
  ferry::launch<fill>(Whole, X, 0);
  ferry::launch<everyThird>(Whole, V, 7);
  ferry::launch<where>(Whole, X, V, 10);
  CHECK(V[0] == -1 && V[9] == -1 && V[10] == 10 && V[12] == 7 && V[13] == 13);
  std::vector<int> Index(100, 3);
  Index[99] = 5;
  ferry::launch<scatter>(ferry::over(1), std::span(Index).last(1), V);
  CHECK(V[5] == 0 && V[6] == -1 && V[999] == 7 && V[998] == 998);
  ferry::launch<untilFound>(ferry::over(1), V, 13);
  CHECK(V[12] == 0 && V[13] == 13 && V[14] == 14);
}

static void nothingWritten() {
  std::vector<int> V(N, 3);
  for (bool Really : {no(), no(), yes(), no()}) {
    ferry::launch<maybe>(Whole, V, Really);
    CHECK(hostTotal(V) == (Really || V[0] == 9 ? 9 : 3) * N);
  }
  V[0] = 1;
  ferry::launch<maybe>(Whole, V, no());
  CHECK(hostTotal(V) == 9 * N - 8);
}

static void ranges() {
  std::vector<int> V(N, 1);
  // Each takes a bit away; what is between stays.
  long Expected = N;
  for (int Low = 0; Low < N; Low += 100) {
    ferry::launch<part>(Whole, V, Low, Low + 50);
    Expected -= 50;
    if (Low == 300 || Low == 900)
      CHECK(hostTotal(V) == Expected);
  }
  V[0] = V[75] = 100;
  ferry::launch<part>(Whole, V, 0, 1);
  CHECK(hostTotal(V) == Expected + 99);
}

static void structs() {
  std::vector<Pair> P(N, {1, 2});
  ferry::launch<memberOnly>(Whole, P);
  CHECK(P[0].A == 1 && P[0].B == 5 && P[N - 1].A == 1);
  for (Pair &Q : P)
    Q.A = 7;
  ferry::launch<memberOnly>(Whole, P);
  CHECK(P[N - 1].A == 7 && P[N - 1].B == 5);
}

// The host writes a part of what the device owns, and only that part.
static void hostWritesPart() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 0);
  for (int I = 100; I < 200; ++I)
    V[I] = 0;
  ferry::launch<add>(Whole, V, 1);
  V[500] = 0;
  CHECK(hostTotal(V) == filled(1) - filled(100, 100) - 501);
  ferry::launch<fill>(Whole, V, 0);
  V[3] = 50;
  CHECK(V[2] == 2 && V[4] == 4 && deviceTotal(V) == filled(0) + 47);
  // Memory nobody has written: the kernel's part, then the host's.
  int *P = static_cast<int *>(std::malloc(N * sizeof(int)));
  ferry::launch<fill>(ferry::over(N / 2), std::span(P, N), 1);
  for (int I = N / 2; I < N; ++I)
    P[I] = I + 1;
  CHECK(deviceTotal(std::span(P, N)) == filled(1) && hostTotal(std::span(P, N)) == filled(1));
  std::free(P);
  P = static_cast<int *>(std::calloc(N, sizeof(int)));
  ferry::launch<everyThird>(Whole, std::span(P, N), 1);
  CHECK(hostTotal(std::span(P, N)) == 334);
  std::free(P);
}

// Two kernels, halves of one vector: a read of one doesn't need the other's.
static void halves() {
  std::vector<int> V(2 * N);
  std::span First = std::span(V).first(N), Second = std::span(V).last(N);
  ferry::launch<fill>(Whole, First, 0);
  for (int &X : Second)
    X = 1;
  ferry::launch<add>(Whole, Second, 1);
  CHECK(hostTotal(V) == filled(0) + 2 * N);
  First[0] = 10, Second[0] = 20;
  ferry::launch<add>(Whole, First, 1);
  CHECK(hostTotal(V) == filled(1) + 10 + 2 * N + 18);
}

int main() {
  afterHostWrites();
  afterKernels();
  nothingWritten();
  ranges();
  structs();
  hostWritesPart();
  halves();
}
