//===- streams.cpp - Kernels as fast as memory, with Ferry ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
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

static void stencil7(std::span<const float> In, std::span<float> Out) {
  constexpr std::size_t Row = CubeSide, Plane = CubeSide * CubeSide;
  auto [X, Y, Z] = ferry::global_idx();
  std::size_t I = (Z + 1) * Plane + (Y + 1) * Row + X + 1;
  Out[I] = 0.4f * In[I] + 0.1f * (In[I - 1] + In[I + 1] + In[I - Row] +
                                  In[I + Row] + In[I - Plane] + In[I + Plane]);
}

static void csr(std::span<const std::uint32_t> Start,
                std::span<const std::uint32_t> Column,
                std::span<const float> Value, std::span<const float> X,
                std::span<float> Y) {
  std::size_t Row = ferry::global_id();
  float Sum = 0;
  for (std::uint32_t K = Start[Row], E = Start[Row + 1]; K < E; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[Row] = Sum;
}

static void nothing() {}

static Answer runSaxpy(std::size_t N,
                       double (*Time)(std::function<void()> &&)) {
  std::vector<float> X(N, 2.f), Y(N, 1.f);
  double Seconds =
      Time([&] { ferry::launch<saxpy>(ferry::over(N), Scale, X, Y); });
  return {Seconds, sample(Y)};
}

/// The arrays are seen by nobody else, so that they stay on the device.
static Answer runResident() {
  std::vector<float> X(Small, 2.f), Y(Small, 1.f);
  double Seconds =
      timeAwake([&] { ferry::launch<saxpy>(ferry::over(Small), Scale, X, Y); });
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

static Answer runStencil7() {
  std::vector<float> In = wholeNumbers(CubeCount, 17, 1), Out(CubeCount);
  constexpr std::size_t Inner = CubeSide - 2;
  double Seconds = timeOf([&] {
    ferry::launch<stencil7>(ferry::over(Inner, Inner, Inner), In, Out);
  });
  return {Seconds, sumOf(Out)};
}

static Answer runCsr() {
  SparseMatrix M;
  double Seconds = timeOf([&] {
    ferry::launch<csr>(ferry::over(M.Rows), M.Start, M.Column, M.Value, M.X,
                       M.Y);
  });
  return {Seconds, sumOf(M.Y)};
}

static Answer runParallelFor() {
  std::vector<float> X(Count, 2.f), Y(Count, 1.f);
  double Seconds = timeOf([&] {
    ferry::parallel_for(
        ferry::over(Count),
        [](std::size_t I, std::span<const float> X, std::span<float> Y) {
          Y[I] += Scale * X[I];
        },
        X, Y);
  });
  return {Seconds, sample(Y)};
}

static void launchNothing() { ferry::launch<nothing>(ferry::over(1 << 16)); }

Benchmarks streams() {
  return {
      {"saxpy", [] { return runSaxpy(Count, timeOf); }},
      {"triad", runTriad},
      {"stencil", runStencil},
      {"stencil7", runStencil7},
      {"csr", runCsr},
      {"parallel_for", runParallelFor},
      {"empty awake", [] { return Answer{timeAwake(launchNothing), 0}; }},
      {"empty asleep", [] { return Answer{timeAsleep(launchNothing), 0}; }},
      {"small", [] { return runSaxpy(Small, timeAwake); }},
      {"small resident", runResident},
  };
}
