//===- ferry.cpp - The benchmarks' kernels with Ferry ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Serve.h"
#include <ferry/ferry.h>

static void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  if (I < Y.size())
    Y[I] += A * X[I];
}

static void triad(float S, std::span<const float> B, std::span<const float> C,
                  std::span<float> A) {
  std::size_t I = ferry::global_id();
  if (I < A.size())
    A[I] = B[I] + S * C[I];
}

static void stencil(std::span<const float> In, std::span<float> Out,
                    std::size_t Width) {
  auto [X, Y, Z] = ferry::global_idx();
  std::size_t I = (Y + 1) * Width + X + 1;
  Out[I] =
      0.2f * (In[I] + In[I - 1] + In[I + 1] + In[I - Width] + In[I + Width]);
}

static void nothing() {}

static Answer runSaxpy(std::size_t N,
                       double (*Time)(std::function<void()> &&)) {
  std::vector<float> X(N, 2.f), Y(N, 1.f);
  double Seconds =
      Time([&] { ferry::launch<saxpy>(ferry::over(N), Scale, X, Y); });
  return {Seconds, sample(Y)};
}

static Answer runTriad() {
  std::vector<float> A(Count), B(Count, 1.f), C(Count, 3.f);
  double Seconds = timeOf([&] {
    ferry::launch<triad>(ferry::over(Count), Scale, B, C, ferry::out(A));
  });
  return {Seconds, sample(A)};
}

static Answer runStencil() {
  std::vector<float> In(Count), Out(Count);
  for (std::size_t I = 0; I < Count; ++I)
    In[I] = I % 17;
  double Seconds = timeOf([&] {
    ferry::launch<stencil>(ferry::over(Side - 2, Side - 2), In, Out, Side);
  });
  return {Seconds, sample(Out)};
}

static void launchNothing() { ferry::launch<nothing>(ferry::over(1 << 16)); }

int main() {
  return serve({
      {"saxpy", [] { return runSaxpy(Count, timeOf); }},
      {"triad", runTriad},
      {"stencil", runStencil},
      {"empty awake", [] { return Answer{timeAwake(launchNothing), 0}; }},
      {"empty asleep", [] { return Answer{timeAsleep(launchNothing), 0}; }},
      {"small", [] { return runSaxpy(Small, timeAwake); }},
  });
}
