// Barriers wherever control flow can take a block: switches that fall through,
// loops left in the middle, bounds read from shared memory, threads that leave
// early or wait at different places, arrays and by-value structs live across
// barriers, calls that stay out of line next to barriers.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"
#include <cassert>
#include <numeric>

void countInSharedMemory(std::span<const int> N, std::span<int> Out) {
  auto &Count = ferry::shared<int[1]>();
  auto &S = ferry::shared<int[96]>();
  unsigned T = ferry::thread_idx().x;
  if (T == 0)
    Count[0] = N[ferry::block_idx().x];
  S[T] = T;
  ferry::sync_threads();
  int Sum = 0;
  for (int I = 0; I < Count[0]; ++I) {
    int V = S[(T + I) % 96];
    ferry::sync_threads();
    S[T] = V + 1;
    ferry::sync_threads();
    if (I % 2) {
      Sum += S[(T * 5) % 96];
      ferry::sync_threads();
    } else {
      Sum ^= V;
    }
  }
  Out[ferry::global_id()] = Sum;
}

static void checkCountInSharedMemory() {
  std::vector<int> N = {0, 1, 5, 8}, Out(4 * 96);
  ferry::launch<countInSharedMemory>(ferry::blocks(4).threads(96), N, Out);
  for (int B = 0; B < 4; ++B) {
    int S[96], V[96], Sum[96] = {};
    std::iota(S, S + 96, 0);
    for (int I = 0; I < N[B]; ++I) {
      for (int T = 0; T < 96; ++T)
        V[T] = S[(T + I) % 96];
      for (int T = 0; T < 96; ++T)
        S[T] = V[T] + 1;
      for (int T = 0; T < 96; ++T)
        Sum[T] = I % 2 ? Sum[T] + S[(T * 5) % 96] : Sum[T] ^ V[T];
    }
    for (int T = 0; T < 96; ++T)
      CHECK(Out[B * 96 + T] == Sum[T]);
  }
}

/// Threads go through different numbers of barriers. A barrier waits for those
/// that are still there, wherever each of them stands.
void apart(std::span<int> Out) {
  auto &S = ferry::shared<int[64]>();
  unsigned T = ferry::thread_idx().x;
  S[T] = 0;
  for (unsigned I = 0; I < T % 4; ++I) {
    S[T] += I + 1;
    ferry::sync_threads();
  }
  Out[ferry::global_id()] = S[T];
}

static void checkApart() {
  std::vector<int> Out(128);
  ferry::launch<apart>(ferry::blocks(2).threads(64), Out);
  for (int I = 0; I < 128; ++I)
    CHECK(Out[I] == (I % 4) * (I % 4 + 1) / 2);
}

void leavesEarly(std::span<const int> X, std::span<int> Out, unsigned N) {
  auto &S = ferry::shared<int[64]>();
  unsigned T = ferry::thread_idx().x, I = ferry::global_id();
  if (I >= N)
    return;
  S[T] = X[I];
  ferry::sync_threads();
  Out[I] = S[I + 1 < N ? (T + 1) % 64 : 0];
}

static void checkLeavesEarly() {
  std::vector<int> X(200), Out(200);
  std::iota(X.begin(), X.end(), 5);
  ferry::launch<leavesEarly>(ferry::blocks(5).threads(64), X, Out, 200u);
  for (unsigned I = 0; I < 200; ++I) {
    unsigned Neighbour = I + 1 < 200 ? (I + 1) % 64 : 0;
    CHECK(Out[I] == X[I / 64 * 64 + Neighbour]);
  }
}

void ways(std::span<const int> Modes, std::span<int> Out) {
  auto &S = ferry::shared<int[3][2][8]>();
  auto [X, Y, Z] = ferry::thread_idx();
  int Mode = Modes[ferry::block_idx().x];
  int V = X + 10 * Y + 100 * Z;
  S[Z][Y][X] = V;
  switch (Mode) {
  case 0:
    ferry::sync_threads();
    V += S[Z][Y][7 - X];
    break;
  case 1:
    ferry::sync_threads();
    V += S[Z][1 - Y][X];
    ferry::sync_threads();
    S[Z][Y][X] = V;
    [[fallthrough]];
  case 2:
    ferry::sync_threads();
    V += S[2 - Z][Y][X];
    break;
  default:
    for (int I = 0;; ++I) {
      if (I == Mode - 4)
        return;
      ferry::sync_threads();
      if (I == 2) {
        V *= 2;
        break;
      }
    }
  }
  ferry::sync_threads();
  Out[ferry::global_id()] = V;
}

static void checkWays() {
  std::vector<int> Modes = {0, 1, 2, 4, 6, 100}, Out(6 * 48, -1);
  ferry::launch<ways>(ferry::blocks(6).threads(8, 2, 3), Modes, Out);
  for (int B = 0; B < 6; ++B)
    for (int Z = 0; Z < 3; ++Z)
      for (int Y = 0; Y < 2; ++Y)
        for (int X = 0; X < 8; ++X) {
          auto First = [](int X, int Y, int Z) { return X + 10 * Y + 100 * Z; };
          auto Second = [&](int X, int Y, int Z) {
            return First(X, Y, Z) + (Modes[B] == 1 ? First(X, 1 - Y, Z) : 0);
          };
          int V = Second(X, Y, Z);
          if (Modes[B] == 0)
            V += First(7 - X, Y, Z);
          else if (Modes[B] < 4)
            V += Second(X, Y, 2 - Z);
          else if (Modes[B] < 7)
            V = -1;
          else
            V *= 2;
          CHECK(Out[(Z * 2 + Y) * 48 + B * 8 + X] == V);
        }
}

struct Table {
  int Size;
  float Weights[40];
};
void structByValue(Table Table, std::span<const int> Index, std::span<float> Out) {
  auto &S = ferry::shared<float[64]>();
  unsigned T = ferry::thread_idx().x;
  S[T] = Table.Weights[Index[T] % Table.Size];
  ferry::sync_threads();
  Out[ferry::global_id()] = S[(T + 1) % 64] + Table.Weights[(Index[T] + 1) % Table.Size];
}

void ownArray(std::span<int> Out) {
  int A[8];
  unsigned T = ferry::thread_idx().x;
  for (int I = 0; I < 8; ++I)
    A[I] = I * T;
  auto &S = ferry::shared<int[32]>();
  S[T] = T;
  ferry::sync_threads();
  int K = S[(T * 7 + 3) % 32] % 8;
  A[K] += 1000;
  ferry::sync_threads();
  int Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += A[(I + K) % 8] * (I + 1);
  Out[ferry::global_id()] = Sum;
}

static void checkArrays() {
  Table Weights{37, {}};
  std::iota(Weights.Weights, Weights.Weights + 40, 1.5f);
  std::vector<int> Index(64), Sums(64);
  for (int I = 0; I < 64; ++I)
    Index[I] = I * 17;
  std::vector<float> Out(128);
  ferry::launch<structByValue>(ferry::blocks(2).threads(64), Weights, Index, Out);
  for (int I = 0; I < 128; ++I)
    CHECK(Out[I] == Weights.Weights[Index[(I + 1) % 64] % 37] +
                        Weights.Weights[(Index[I % 64] + 1) % 37]);

  ferry::launch<ownArray>(ferry::blocks(2).threads(32), Sums);
  for (int I = 0; I < 64; ++I) {
    int T = I % 32, K = (T * 7 + 3) % 32 % 8, Sum = 0;
    for (int J = 0; J < 8; ++J) {
      int At = (J + K) % 8;
      Sum += (At * T + (At == K ? 1000 : 0)) * (J + 1);
    }
    CHECK(Sums[I] == Sum);
  }
}

static int twice(int X) { return 2 * X; }
static int thrice(int X) { return 3 * X; }
static int factorial(int N) {
  assert(N < 100);
  return N < 2 ? 1 : N * factorial(N - 1);
}
void outOfLine(std::span<const int> A, std::span<int> Out) {
  auto &S = ferry::shared<int[33]>();
  unsigned T = ferry::thread_idx().x;
  int (*F)(int) = A[T] % 2 ? twice : thrice;
  S[T] = F(A[T]) + factorial(T % 5);
  ferry::sync_threads();
  Out[ferry::global_id()] = S[32 - T] + F(1);
}

void fails(std::span<const int> A, std::span<int> Out) {
  auto &S = ferry::shared<int[33]>();
  unsigned T = ferry::thread_idx().x;
  S[T] = A[T];
  ferry::sync_threads();
  assert(S[T] < 50);
  ferry::sync_threads();
  Out[ferry::global_id()] = S[32 - T] + factorial(S[T] > 40 ? 100 : 3);
}

static void checkCalls() {
  std::vector<int> A(33), Out(66);
  std::iota(A.begin(), A.end(), 1);
  ferry::launch<outOfLine>(ferry::blocks(1).threads(33), A, Out);
  auto Factor = [&](int T) { return A[T] % 2 ? 2 : 3; };
  for (int T = 0; T < 33; ++T) {
    int Other = 32 - T;
    CHECK(Out[T] == Factor(Other) * A[Other] + factorial(Other % 5) + Factor(T));
  }

  auto Message = [&] {
    return ferry::try_launch<fails>(ferry::blocks(2).threads(33), A, Out).message();
  };
  CHECK(Message().empty());
  A[20] = 99;
  CHECK(Message().find("assertion 'S[T] < 50' failed, block ") != std::string::npos);
  CHECK(Message().find("thread 20") != std::string::npos);
  A[20] = 45;
  CHECK(Message().find("assertion 'N < 100' failed, block ") != std::string::npos);
  A[20] = 3;
  CHECK(Message().empty());
}

int main() {
  checkCountInSharedMemory();
  checkApart();
  checkLeavesEarly();
  checkWays();
  checkArrays();
  checkCalls();
}
