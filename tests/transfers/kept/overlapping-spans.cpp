// Launches on parts of one array that overlap in every way: one after the other,
// together in one launch, as other types, and with host writes between.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <memory>

// The same on the host.
struct Model {
  std::vector<int> V = std::vector<int>(N);
  std::vector<int> Expected = std::vector<int>(N);
  void fillPart(int From, int Count, int A) {
    ferry::launch<fill>(ferry::over(Count), std::span(V).subspan(From, Count), A);
    std::iota(&Expected[From], &Expected[From] + Count, A);
  }
  void addPart(int From, int Count, int A) {
    ferry::launch<add>(ferry::over(Count), std::span(V).subspan(From, Count), A);
    for (int I = From; I < From + Count; ++I)
      Expected[I] += A;
  }
  void set(int I, int A) { V[I] = Expected[I] = A; }
  void check() const { CHECK(V == Expected); }
};

static void oneAfterTheOther() {
  Model M;
  M.fillPart(0, 600, 1);
  M.addPart(400, 600, 10);
  M.check();
  M.addPart(100, 300, 5);
  M.addPart(0, 1000, 1);
  M.fillPart(550, 100, 0);
  M.set(560, -1);
  M.addPart(500, 61, 2);
  M.set(500, 7);
  M.addPart(560, 1, 3);
  M.check();
  for (int I = 0; I < 20; ++I) {
    M.addPart(I * 37, 250, I);
    M.set(I * 40, I);
    M.fillPart(I * 13, 29, -I);
    if (I % 7 == 6)
      M.check();
  }
  M.check();
}

// A smaller part was read; then a larger one is needed, of which the host has written
// what is outside.
static void growing() {
  std::vector<int> V(N, 1);
  for (int Count = 10; Count <= N; Count += 110) {
    CHECK(deviceTotal(std::span(V).first(Count)) == hostTotal(std::span(V).first(Count)));
    ferry::launch<add>(ferry::over(Count), std::span(V).first(Count), 1);
    V[Count - 1] = 0;
    if (Count < N)
      V[Count] = 100;
  }
  long Expected = 0;
  for (int I = 0; I < N; ++I) {
    int X = 1;
    for (int Count = 10; Count <= N; Count += 110) {
      X += I < Count;
      if (I == Count - 1)
        X = 0;
      if (I == Count)
        X = 100;
    }
    Expected += X;
  }
  CHECK(hostTotal(V) == Expected);
}

static void shifted(std::span<const int> X, std::span<int> Y) {
  for (std::size_t I = X.size(); I-- > 0;)
    Y[I] = X[I] + 1;
}
static void swapEnds(std::span<int> A, std::span<int> B) {
  std::size_t I = ferry::global_id();
  int T = A[I];
  A[I] = B[I];
  B[I] = T;
}
static void together() {
  std::vector<int> V(N);
  ferry::launch<fill>(Whole, V, 0);
  ferry::launch<shifted>(ferry::over(1), std::span(V).first(N - 1), std::span(V).last(N - 1));
  CHECK(V[0] == 0 && V[1] == 1 && V[2] == 2 && hostTotal(V) == filled(0));
  V[0] = 10;
  ferry::launch<swapEnds>(ferry::over(100), std::span(V).first(100), std::span(V).last(100));
  CHECK(V[900] == 10 && V[0] == 900 && V[500] == 500);
  ferry::launch<swapEnds>(ferry::over(100), std::span(V).first(600), std::span(V).last(600));
  CHECK(V[0] == 400 && V[400] == 900 && V[99] == 499);
  // The whole and a part.
  ferry::launch<copy>(ferry::over(100), V, std::span(V).subspan(200, 100));
  CHECK(V[200] == 400 && V[299] == 499 && V[300] == 300);
}

static void negate(std::span<float> Y) { Y[ferry::global_id()] *= -1; }
static void bits(std::span<const unsigned> X, unsigned &All) {
  for (unsigned V : X)
    All ^= V;
}
static void bytes(std::span<unsigned char> B) { B[ferry::global_id()] ^= 0x80; }
static void otherTypes() {
  std::vector<float> V(N, 1.f);
  V[0] = 2;
  ferry::launch<negate>(Whole, V);
  unsigned All = 0;
  ferry::launch<bits>(ferry::over(1), std::span(reinterpret_cast<const unsigned *>(V.data()), N), All);
  CHECK(All == (0x3f800000u ^ 0x40000000u));
  // The sign bits of the first hundred.
  auto *B = reinterpret_cast<unsigned char *>(V.data());
  for (int I = 0; I < 100; ++I)
    ferry::launch<bytes>(ferry::over(1), std::span(B + 4 * I + 3, 1));
  CHECK(V[0] == 2 && V[100] == -1);
  for (int I = 1; I < 100; ++I)
    CHECK(V[I] == 1);
  ferry::launch<negate>(Whole, V);
  CHECK(B[3] == 0xc0 && B[399] == 0xbf && B[403] == 0x3f);
}

// Rows and a column of one matrix, an element, and members of a structure.
static void columns(std::span<int> M, int Width, int Column) { M[ferry::global_id() * Width + Column] += 1000; }
static void one(int &X) { X += 1; }
struct State {
  int Count = 0;
  int Values[N] = {};
  int Last = 0;
};
static void parts() {
  std::vector<int> M(40 * 25);
  ferry::launch<fill>(Whole, M, 0);
  ferry::launch<columns>(ferry::over(40), M, 25, 3);
  ferry::launch<add>(ferry::over(25), std::span(M).subspan(25 * 7, 25), 5);
  ferry::launch<one>(ferry::over(1), M[25 * 7 + 3]);
  CHECK(M[3] == 1003 && M[25 * 7 + 3] == 25 * 7 + 3 + 1006 && M[25 * 7 + 4] == 25 * 7 + 9);
  CHECK(hostTotal(M) == filled(0) + 40 * 1000 + 125 + 1);
  auto S = std::make_unique<State>();
  S->Last = 4;
  ferry::launch<fill>(Whole, S->Values, 1);
  ferry::launch<one>(ferry::over(1), S->Count);
  ferry::launch<one>(ferry::over(1), S->Last);
  CHECK(S->Count == 1 && S->Last == 5 && hostTotal(S->Values) == filled(1));
  S->Values[0] = 0, S->Values[N - 1] = 0;
  ferry::launch<one>(ferry::over(1), S->Values[N - 1]);
  CHECK(deviceTotal(S->Values) == filled(1) - 1 - N + 1);
}

int main() {
  oneAfterTheOther();
  growing();
  together();
  otherTypes();
  parts();
}
