// What a launch moves depends on numbers that change from launch to launch: a
// bound, a stride, the shape, the size of the buffer. Each launch moves what its
// own numbers say, from several host threads at once, too.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <numeric>
#include <thread>

void fillFrom(std::span<int> A, int First, int Number, int Stride, int With) {
  for (int I = 0; I < Number; ++I)
    A[First + I * Stride] = With;
}
void addAtEach(std::span<int> A, std::span<const int> B) {
  std::size_t I = ferry::global_id();
  A[I] += B[I];
}

void testBounds() {
  std::vector<int> A(300), Want(300);
  for (int N = 0; N < 100; ++N) {
    // Another one of the numbers changes each time.
    int First = N / 3 % 7, Number = N / 2, Stride = 1 + N % 3;
    ferry::launch<fillFrom>(ferry::over(1), A, First, Number, Stride, N);
    for (int I = 0; I < Number; ++I)
      Want[First + I * Stride] = N;
    CHECK(A == Want);
  }
}

void testShapes() {
  for (std::size_t N = 1; N < 60; ++N) {
    std::vector<int> A(64, 1), B(64);
    std::iota(B.begin(), B.end(), 0);
    std::vector<int> Want = A;
    ferry::launch<addAtEach>(ferry::over(N), A, B);
    for (std::size_t I = 0; I < N; ++I)
      Want[I] += B[I];
    CHECK(A == Want);
    // The same shape, and less of the array.
    std::span<int> Part(A.data() + 2, N);
    ferry::launch<addAtEach>(ferry::over(N), Part, B);
    for (std::size_t I = 0; I < N; ++I)
      Want[I + 2] += B[I];
    CHECK(A == Want);
  }
}

int main() {
  testBounds();
  testShapes();
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([] {
      testBounds();
      testShapes();
    });
  for (std::thread &T : Threads)
    T.join();
}
