//===- saxpy.cpp - The smallest Ferry program -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = a x + y on whatever device there is: three ways to write the launch, and
// what to do when it fails.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <ferry/ferry.h>
#include <vector>

static void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  if (I < Y.size())
    Y[I] += A * X[I];
}

template <class T> static void axpy(T A, const T *X, T *Y) {
  std::size_t I = ferry::global_id();
  Y[I] += A * X[I];
}

int main() {
  constexpr std::size_t N = 1 << 20;
  std::vector<float> X(N), Y(N, 1.f);
  for (std::size_t I = 0; I < N; ++I)
    X[I] = I % 1000;

  try {
    // A function, with containers for its spans.
    ferry::launch<saxpy>(ferry::over(N), 2.f, X, Y);
    // An instance of a template, with pointers; blocks of a size of our own.
    ferry::launch<axpy<float>>(ferry::blocks(N / 64).threads(64), 2.f,
                               ferry::in(X.data(), N),
                               ferry::inout(Y.data(), N));
    // A lambda that captures a number.
    float A = 2;
    ferry::parallel_for(
        ferry::over(N),
        [A](std::size_t I, std::span<const float> X, std::span<float> Y) {
          Y[I] += A * X[I];
        },
        X, Y);
  } catch (const ferry::error &E) {
    std::fprintf(stderr, "%s\n", E.what());
    return 1;
  }

  for (std::size_t I = 0; I < N; ++I)
    if (Y[I] != 1 + 6 * X[I]) {
      std::printf("WRONG: element %zu is %g\n", I, Y[I]);
      return 1;
    }
  std::printf("saxpy of %zu elements on %s: verified\n", N,
              ferry::device_name(ferry::current_device()).c_str());
}
