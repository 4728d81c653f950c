// Host threads launch at once: the same kernel and different ones, on memory that
// they share to read, on neighbouring parts of one allocation, and on ranges
// that overlap.
// RUN: %run-everywhere --output %t --ways=-O0,-O2 %s
#include "Inputs/check.h"
#include <atomic>
#include <thread>

void scale(std::span<const int> X, std::span<int> Y, int A) {
  std::size_t I = ferry::global_id();
  Y[I] = X[I] * A;
}
void increment(std::span<int> Y) { Y[ferry::global_id()] += 1; }
void sum(std::span<const int> X, long &Out) {
  for (int V : X)
    Out += V;
}
void check(std::span<const int> X, int Limit, std::span<int> Seen) {
  std::size_t I = ferry::global_id();
  if (X[I] >= Limit)
    __builtin_trap();
  Seen[I] = 1;
}

template <class F> void onThreads(int N, F &&Body) {
  std::atomic<bool> Go = false;
  std::vector<std::thread> Threads;
  for (int T = 0; T < N; ++T)
    Threads.emplace_back([&, T] {
      while (!Go)
        ;
      Body(T);
    });
  Go = true;
  for (std::thread &T : Threads)
    T.join();
}

int main() {
  constexpr int N = 5000, Rounds = 100;
  std::vector<int> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = I;

  // The same kernel, one input, an output each.
  std::vector<std::vector<int>> Y(4, std::vector<int>(N));
  onThreads(4, [&](int T) {
    for (int R = 0; R < Rounds; ++R)
      ferry::launch<scale>(ferry::over(N), X, Y[T], T + R);
  });
  for (int T = 0; T < 4; ++T)
    for (int I = 0; I < N; ++I)
      CHECK(Y[T][I] == I * (T + Rounds - 1));

  // Different kernels, inputs that overlap in part: [0, 3000) and [2000, 5000).
  std::vector<int> Z(N, 0);
  long Sums[2] = {};
  onThreads(4, [&](int T) {
    for (int R = 0; R < Rounds; ++R)
      switch (T) {
      case 0: ferry::launch<scale>(ferry::over(3000), std::span(X).first(3000), Y[0], 2); break;
      case 1: ferry::launch<scale>(ferry::over(3000), std::span(X).subspan(2000), Y[1], 3); break;
      case 2: ferry::launch<increment>(ferry::over(N), Z); break;
      case 3: ferry::launch<sum>(ferry::over(1), std::span(X).subspan(1000, 10), Sums[0]); break;
      }
  });
  for (int I = 0; I < 3000; ++I)
    CHECK(Y[0][I] == 2 * I && Y[1][I] == 3 * (I + 2000));
  for (int I = 0; I < N; ++I)
    CHECK(Z[I] == Rounds);
  CHECK(Sums[0] == Rounds * 10045L);

  // Neighbouring parts of one vector, while another host thread writes the rest
  // of it: a copy back never exceeds the range passed.
  std::vector<int> W(3001, 0);
  onThreads(3, [&](int T) {
    for (int R = 0; R < Rounds; ++R)
      if (T == 2)
        for (int I = 2001; I < 3001; ++I)
          ++W[I];
      else
        ferry::launch<increment>(ferry::over(T ? 1000 : 1001), std::span(W).subspan(T ? 1001 : 0, T ? 1000 : 1001));
  });
  for (int V : W)
    CHECK(V == Rounds);

  // Errors belong to the thread whose launch failed.
  onThreads(2, [&](int T) {
    std::vector<int> Seen(N);
    for (int R = 0; R < Rounds; ++R) {
      ferry::status S = ferry::try_launch<check>(ferry::over(N), X, T ? N : 17, Seen);
      CHECK(static_cast<bool>(S) == (T == 1));
      if (!T)
        CHECK(S.code() == ferry::errc::panic);
    }
  });
}
