// Vectors are moved and swapped, in loops, into functions, containers and threads; the
// data stays where it is and belongs to another name.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <array>
#include <memory>
#include <thread>
#include <utility>

using Vector = std::vector<int>;

static void swapped() {
  Vector A(N, 1), B(N, 2);
  for (int I = 0; I < 7; ++I) {
    ferry::launch<copy>(Whole, A, B);
    ferry::launch<add>(Whole, B, 1);
    std::swap(A, B);
    if (I == 3)
      A[0] = 100;
  }
  CHECK(hostTotal(A) == 8 * N + 103 - 8 && hostTotal(B) == 7 * N + 102 - 7);
  int *P = A.data(), *Q = B.data();
  A.swap(B);
  ferry::launch<fill>(Whole, A, 0);
  CHECK(Q[5] == 5 && P[5] == 8);
  // An odd number of swaps that the compiler doesn't know.
  for (int I = 0; I < 3; ++I) {
    ferry::launch<add>(Whole, A, 1);
    if (yes())
      std::swap(A, B);
    A[0] = 0;
  }
  CHECK(hostTotal(A) == 9 * N - 9);
  CHECK(hostTotal(B) == filled(2) - 1);
}

static void moved() {
  Vector A(N);
  ferry::launch<fill>(Whole, A, 1);
  Vector B = std::move(A);
  CHECK(hostTotal(B) == filled(1));
  ferry::launch<add>(Whole, B, 1);
  A = Vector(N, 5);
  CHECK(deviceTotal(A) == 5 * N);
  ferry::launch<add>(Whole, A, 1);
  A = std::move(B); // Frees what A had.
  CHECK(hostTotal(A) == filled(2));
  B = std::exchange(A, Vector(N, 3));
  ferry::launch<add>(Whole, B, 1);
  ferry::launch<add>(Whole, A, 1);
  CHECK(hostTotal(A) == 4 * N && hostTotal(B) == filled(3));
}

static long consume(Vector V) {
  ferry::launch<add>(Whole, V, 1);
  return hostTotal(V);
}
static Vector through(Vector V) {
  ferry::launch<add>(Whole, V, 1);
  return V;
}
static void functions() {
  Vector A(N);
  ferry::launch<fill>(Whole, A, 1);
  CHECK(consume(A) == filled(2)); // A copy.
  CHECK(hostTotal(A) == filled(1));
  for (int I = 0; I < 5; ++I) {
    A = through(std::move(A));
    A[I] = 0;
  }
  CHECK(hostTotal(A) == filled(6) - 1 - 3 - 5 - 7 - 9 - 1 * 5 + 0);
  CHECK(deviceTotal(A) == hostTotal(A));
  CHECK(consume(std::move(A)) == filled(7) - 30);
}

static void owners() {
  std::array<Vector, 3> Three{Vector(N, 1), Vector(N, 2), Vector(N, 3)};
  for (int I = 0; I < 6; ++I) {
    ferry::launch<add>(Whole, Three[0], 1);
    Vector First = std::move(Three[0]);
    Three[0] = std::move(Three[1]);
    Three[1] = std::move(Three[2]);
    Three[2] = std::move(First);
  }
  CHECK(hostTotal(Three[0]) == 3 * N && hostTotal(Three[1]) == 4 * N && hostTotal(Three[2]) == 5 * N);
  auto P = std::make_unique<Vector>(N, 1);
  ferry::launch<add>(Whole, *P, 1);
  std::unique_ptr<Vector> Q = std::move(P);
  CHECK(hostTotal(*Q) == 2 * N);
  std::pair<Vector, Vector> Pair{std::move(*Q), Vector(N, 1)};
  ferry::launch<add>(Whole, Pair.first, 1);
  std::swap(Pair.first, Pair.second);
  CHECK(hostTotal(Pair.first) == N && hostTotal(Pair.second) == 3 * N);
  int *Raw = new int[N], *Other = new int[N];
  ferry::launch<fill>(Whole, std::span(Raw, N), 1);
  ferry::launch<fill>(Whole, std::span(Other, N), 2);
  std::swap_ranges(Raw, Raw + N / 2, Other);
  CHECK(deviceTotal({Raw, N}) == filled(1) + N / 2 && hostTotal({Other, N}) == filled(2) - N / 2);
  std::swap(Raw, Other);
  ferry::launch<add>(Whole, std::span(Raw, N), 1);
  delete[] Raw;
  CHECK(hostTotal({Other, N}) == filled(1) + N / 2);
  delete[] Other;
}

static void intoThread() {
  Vector A(N);
  ferry::launch<fill>(Whole, A, 1);
  long Seen = 0;
  std::thread([&Seen, V = std::move(A)]() mutable {
    Seen = hostTotal(V);
    ferry::launch<add>(Whole, V, 1);
    Seen += V[0];
  }).join();
  CHECK(Seen == filled(1) + 2);
}

int main() {
  swapped();
  moved();
  functions();
  owners();
  intoThread();
}
