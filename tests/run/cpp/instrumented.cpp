// Builds that instrument host code, with sanitizers, for profiles and coverage:
// kernels stay what they are.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %run-everywhere --output %t/a --env LLVM_PROFILE_FILE=%t/profraw --ways='-O1 -fsanitize=address,-O1 -fsanitize=undefined,-O1 -fsanitize=thread,-O1 -fprofile-instr-generate -fcoverage-mapping' %s
// RUN: cd %t && %run-everywhere --output %t/b --env LLVM_PROFILE_FILE=%t/profraw2 --ways='-O0 -D_GLIBCXX_DEBUG,-O2 -D_GLIBCXX_ASSERTIONS,-O2 -fprofile-generate,-O1 -finstrument-functions,-O1 -pg,-O1 --coverage,-O2 -fstack-clash-protection -fcf-protection -ftrivial-auto-var-init=pattern,-O2 -fno-plt -mcmodel=large' %s
#include "Inputs/check.h"
#include <array>

static int Total = 1;
int helper(int X, const std::array<int, 4> &A) {
  int Local[4] = {1, 2, 3, 4};
  return X < 5 ? Local[X & 3] + A[X & 3] : X * 2;
}
void kernel(std::array<int, 4> A, std::span<const int> X, std::span<int> Y) {
  std::size_t I = ferry::global_id();
  if (I >= Y.size())
    return;
  for (int K = 0; K < X[I] % 3; ++K)
    Y[I] += helper(X[I], A);
  if (I == 0)
    Total += 1;
}

int main() {
  std::vector<int> X(1000), Y(1000, 1), Z(1000, 1);
  for (int I = 0; I < 1000; ++I)
    X[I] = I % 10;
  std::array<int, 4> A{10, 20, 30, 40};
  ferry::launch<kernel>(ferry::over(1000), A, X, Y);
  ferry::launch<kernel>(ferry::blocks(8).threads(128), A, X, Z);
  CHECK(Total == 3);
  for (int I = 0; I < 1000; ++I) {
    int Expected = 1;
    for (int K = 0; K < X[I] % 3; ++K)
      Expected += helper(X[I], A);
    CHECK(Y[I] == Expected && Z[I] == Expected);
  }
}
