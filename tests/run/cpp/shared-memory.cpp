// Shared memory: one object for each call in the source and each instance of the
// template that it stands in, whatever is inlined; arrays in two dimensions,
// structs, arrays of structs, std::atomic; in lambdas and in loops.
// RUN: %run-everywhere --output %t "--ways=-O0,-O3,-O2 -flto" %s
#include "Inputs/check.h"
#include <atomic>

constexpr unsigned N = 64;

void twoOfOneType(std::span<int> Out) {
  unsigned T = ferry::thread_idx().x;
  auto &A = ferry::shared<int[N]>();
  auto &B = ferry::shared<int[N]>();
  A[T] = int(T);
  B[T] = 1000 + int(T);
  ferry::sync_threads();
  Out[ferry::global_id()] = A[N - 1 - T] + B[(T + 1) % N];
}

// A call that depends on no template parameter is one call in each instance.
template <class V> V rotated(V Value) {
  auto &Words = ferry::shared<std::uint32_t[N]>();
  unsigned T = ferry::thread_idx().x;
  Words[T] = std::bit_cast<std::uint32_t>(Value);
  ferry::sync_threads();
  return std::bit_cast<V>(Words[(T + 1) % N]);
}
template <class V> std::uint32_t *address() {
  auto &Words = ferry::shared<std::uint32_t[N]>();
  return Words;
}
/// A lambda in a template, and a template for a lambda, are new in each instance.
template <class V> int *inLambda() {
  auto Ask = [] { return &ferry::shared<int[N]>()[0]; };
  return Ask();
}
template <class F> int *forLambda(F Function) {
  Function();
  return ferry::shared<int[N]>();
}
template <class V> int *throughLambda() {
  return forLambda([] { return sizeof(V); });
}
void lambdas(std::span<int> Out) {
  Out[ferry::global_id()] = (inLambda<int>() != inLambda<float>()) + 2 * (inLambda<int>() == inLambda<int>()) +
                            4 * (throughLambda<int>() != throughLambda<float>()) +
                            8 * (throughLambda<int>() == throughLambda<int>());
}
void instances(std::span<int> Out) {
  unsigned T = ferry::thread_idx().x;
  float F = rotated(float(T) * 0.5f);
  int I = rotated(int(T) * 3);
  bool Apart = address<float>() != address<int>();
  bool Same = address<float>() == address<float>();
  Out[ferry::global_id()] = F == float((T + 1) % N) * 0.5f && I == int((T + 1) % N) * 3 && Apart && Same;
}

// The same call is the same object however often it runs.
int *counters() { return ferry::shared<int[N]>(); }
void loops(std::span<int> Out) {
  unsigned T = ferry::thread_idx().x;
  counters()[T] = 0;
  for (int Round = 0; Round < 5; ++Round) {
    int *C = counters();
    ferry::sync_threads();
    int Neighbour = C[(T + 1) % N];
    ferry::sync_threads();
    C[T] = Neighbour + int(T) + Round;
  }
  ferry::sync_threads();
  Out[ferry::global_id()] = counters()[T];
}

struct Particle {
  float X, Y;
  short Kind;
  double Mass[3];
};
void structs(std::span<double> Out) {
  unsigned T = ferry::thread_idx().x;
  auto &Tile = ferry::shared<Particle[N]>();
  auto &Sum = ferry::shared<Particle>();
  auto &Grid = ferry::shared<float[8][9]>();
  auto &Cube = ferry::shared<std::uint8_t[2][4][8]>();
  Tile[T] = {float(T), 2.f * float(T), short(T), {1. * T, 2. * T, 3. * T}};
  Grid[T / 8][T % 8] = float(T);
  Cube[T / 32][T / 8 % 4][T % 8] = std::uint8_t(T);
  if (T == 0)
    Sum = {1, 2, 3, {4, 5, 6}};
  ferry::sync_threads();
  const Particle &P = Tile[N - 1 - T];
  Out[ferry::global_id()] = P.X + P.Y + P.Kind + P.Mass[2] + Sum.Mass[1] + Grid[T % 8][T / 8] * 1000 +
                            Cube[1 - T / 32][T / 8 % 4][T % 8] * 100000.;
}

void atomicObject(std::span<int> Out) {
  auto &Count = ferry::shared<std::atomic<int>>();
  auto &Most = ferry::shared<int>();
  unsigned T = ferry::thread_idx().x;
  if (T == 0) {
    Count.store(5);
    Most = -1;
  }
  ferry::sync_threads();
  Count.fetch_add(2);
  ferry::atomic_max(Most, int(T));
  ferry::sync_threads();
  Out[ferry::global_id()] = Count.load() * 1000 + Most;
}

constexpr auto Lambda = [](std::span<int> Out) {
  unsigned T = ferry::thread_idx().x;
  auto Fill = [&](int By) {
    auto &Inner = ferry::shared<int[N]>();
    Inner[T] = int(T) * By;
    ferry::sync_threads();
    int Result = Inner[N - 1 - T];
    ferry::sync_threads();
    return Result;
  };
  auto &Outer = ferry::shared<int[N]>();
  Outer[T] = 7;
  int A = Fill(1), B = Fill(2);
  Out[ferry::global_id()] = A + B * 100 + Outer[(T + 5) % N] * 100000;
};

// Blocks do not see each other's.
void blocks(std::span<int> Out) {
  auto &Block = ferry::shared<int>();
  if (ferry::thread_idx().x == 0)
    Block = int(ferry::block_idx().x) * 11;
  ferry::sync_threads();
  Out[ferry::global_id()] = Block;
}

int main() {
  constexpr unsigned Blocks = 7;
  auto Grid = ferry::blocks(Blocks).threads(N);
  std::vector<int> Out(Blocks * N);
  ferry::launch<twoOfOneType>(Grid, Out);
  for (unsigned I = 0; I < Out.size(); ++I)
    CHECK(Out[I] == int(N - 1 - I % N) + 1000 + int((I % N + 1) % N));

  ferry::launch<instances>(Grid, Out);
  for (int V : Out)
    CHECK(V == 1);

  ferry::launch<lambdas>(Grid, Out);
  for (int V : Out)
    CHECK(V == 15);

  ferry::launch<loops>(Grid, Out);
  std::vector<int> Want(N, 0);
  for (int Round = 0; Round < 5; ++Round) {
    std::vector<int> Old = Want;
    for (unsigned T = 0; T < N; ++T)
      Want[T] = Old[(T + 1) % N] + int(T) + Round;
  }
  for (unsigned I = 0; I < Out.size(); ++I)
    CHECK(Out[I] == Want[I % N]);

  std::vector<double> Sums(Blocks * N);
  ferry::launch<structs>(Grid, Sums);
  for (unsigned I = 0; I < Sums.size(); ++I) {
    unsigned T = I % N, M = N - 1 - T;
    CHECK(Sums[I] == 1. * M + 2. * M + M + 3. * M + 5 + (T % 8 * 8 + T / 8) * 1000. +
                         ((1 - T / 32) * 32 + T % 32) * 100000.);
  }

  ferry::launch<atomicObject>(Grid, Out);
  for (int V : Out)
    CHECK(V == (5 + 2 * int(N)) * 1000 + int(N) - 1);

  ferry::launch<Lambda>(Grid, Out);
  for (unsigned I = 0; I < Out.size(); ++I) {
    int M = int(N - 1 - I % N);
    CHECK(Out[I] == M + 2 * M * 100 + 700000);
  }

  ferry::launch<blocks>(Grid, Out);
  for (unsigned I = 0; I < Out.size(); ++I)
    CHECK(Out[I] == int(I / N) * 11);
}
