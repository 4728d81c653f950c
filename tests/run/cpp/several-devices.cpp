// Four host threads, each on a virtual device of its own and then all on one
// another's, with shared inputs: memories are apart, results are right.
// RUN: %run-everywhere --output %t --ways=-O2 %s
#include "Inputs/check.h"
#include <thread>

void step(std::span<const int> X, std::span<int> Y, int A) {
  std::size_t I = ferry::global_id();
  Y[I] = static_cast<int>(static_cast<unsigned>(Y[I]) * 3u + static_cast<unsigned>(X[I] + A));
}

int main() {
  constexpr int N = 2000, Rounds = 50;
  std::vector<int> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = I;
  std::vector<std::vector<int>> Y(4, std::vector<int>(N, 1));
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      ferry::set_device(1 + T);
      for (int R = 0; R < Rounds; ++R) {
        ferry::launch<step>(ferry::over(N), X, Y[T], T);
        ferry::launch<step>(ferry::over(N).device((T + R) % 5), X, Y[T], R);
      }
    });
  for (auto &T : Threads)
    T.join();
  for (unsigned T = 0; T < 4; ++T)
    for (unsigned I = 0; I < N; ++I) {
      unsigned V = 1;
      for (unsigned R = 0; R < Rounds; ++R)
        V = (V * 3 + I + T) * 3 + I + R;
      CHECK(static_cast<unsigned>(Y[T][I]) == V);
    }
}
