// Member functions that run through a vtable, and inline functions whose address is
// taken, get memory from functions of this file, launch, and look at it.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s
#include "Inputs/kept.h"
#include <memory>

void increment(std::span<int> A) { ++A[ferry::global_id()]; }

__attribute__((noinline)) static std::vector<int> make(int N, int Start) {
  std::vector<int> V(N);
  for (int I = 0; I < N; ++I)
    V[I] = Start + I;
  ferry::launch<increment>(ferry::over(N), V);
  return V;
}
__attribute__((noinline)) static int *makeRaw(int N) {
  int *P = new int[N]();
  ferry::launch<increment>(ferry::over(N), ferry::inout(P, N));
  return P;
}

struct Base {
  virtual ~Base() = default;
  virtual int run(int N) = 0;
};
struct Vectors : Base {
  int run(int N) override {
    std::vector<int> V = make(N, 5);
    ferry::launch<increment>(ferry::over(N), V);
    int First = V[0];
    ferry::launch<increment>(ferry::over(N), V);
    return First + V[N - 1];
  }
};
struct Raw : Base {
  int run(int N) override {
    int *P = makeRaw(N);
    ferry::launch<increment>(ferry::over(N), ferry::inout(P, N));
    int Sum = P[0] + P[N - 1];
    delete[] P;
    return Sum;
  }
};
inline int free(int N) {
  std::vector<int> V = make(N, 0);
  return V[N / 2];
}

int main() {
  std::unique_ptr<Base> Which[] = {std::make_unique<Vectors>(), std::make_unique<Raw>()};
  int (*volatile Pointer)(int) = free;
  for (int Round = 0; Round < 3; ++Round) {
    CHECK(Which[0]->run(100) == 5 + 2 + 5 + 99 + 3);
    CHECK(Which[1]->run(100) == 4);
    CHECK(Pointer(100) == 51);
  }
}
