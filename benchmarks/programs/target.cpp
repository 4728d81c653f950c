//===- target.cpp - A small kernel by OpenMP's target ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the same device and runtime library as Ferry's `virtual`. One thread runs
// the loop: with a team of them, OpenMP would take longer.
//
//===----------------------------------------------------------------------===//

#include "Serve.h"

static void saxpy(float A, const float *X, float *Y, std::size_t N) {
#pragma omp target map(to : X[0 : N]) map(tofrom : Y[0 : N])
  for (std::size_t I = 0; I < N; ++I)
    Y[I] += A * X[I];
}

int main() {
  return serve({
      {"small",
       [] {
         std::vector<float> X(Small, 2.f), Y(Small, 1.f);
         double Seconds =
             timeAwake([&] { saxpy(Scale, X.data(), Y.data(), Small); });
         return Answer{Seconds, sample(Y)};
       }},
      {"small resident",
       [] {
         std::vector<float> X(Small, 2.f), Y(Small, 1.f);
         float *XData = X.data(), *YData = Y.data();
         double Seconds;
#pragma omp target data map(to : XData[0 : Small])                             \
    map(tofrom : YData[0 : Small])
         Seconds = timeAwake([&] { saxpy(Scale, XData, YData, Small); });
         return Answer{Seconds, sample(Y)};
       }},
  });
}
