//===- openmp.cpp - The same program with OpenMP's target -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bare kernel: clang's packages for Debian lack the device libraries that
// other kernels are linked with, and it is the cheapest to compile.
//
//===----------------------------------------------------------------------===//

#include <vector>

static void saxpy(float A, const float *X, float *Y, std::size_t N) {
#pragma omp target teams ompx_bare num_teams(1) thread_limit(1)                \
    map(to : X[0 : N]) map(tofrom : Y[0 : N])
  for (std::size_t I = 0; I < N; ++I)
    Y[I] += A * X[I];
}

int main() {
  std::vector<float> X(1000, 1.f), Y(1000, 2.f);
  saxpy(2.f, X.data(), Y.data(), 1000);
  return Y[999] == 4 ? 0 : 1;
}
