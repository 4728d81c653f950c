//===- streams.cpp - Loops as fast as memory, with OpenMP -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"

static void saxpy(float A, const float *X, float *Y, std::size_t N) {
#pragma omp parallel for simd
  for (std::size_t I = 0; I < N; ++I)
    Y[I] += A * X[I];
}

static void triad(float S, const float *B, const float *C, float *A,
                  std::size_t N) {
#pragma omp parallel for simd
  for (std::size_t I = 0; I < N; ++I)
    A[I] = B[I] + S * C[I];
}

static void stencil(const float *In, float *Out, std::size_t Width,
                    std::size_t Height) {
#pragma omp parallel for
  for (std::size_t Y = 1; Y < Height - 1; ++Y)
#pragma omp simd
    for (std::size_t X = 1; X < Width - 1; ++X) {
      std::size_t I = Y * Width + X;
      Out[I] = 0.2f *
               (In[I] + In[I - 1] + In[I + 1] + In[I - Width] + In[I + Width]);
    }
}

static void stencil7(const float *In, float *Out) {
  constexpr std::size_t Row = CubeSide, Plane = CubeSide * CubeSide;
#pragma omp parallel for collapse(2)
  for (std::size_t Z = 1; Z < CubeSide - 1; ++Z)
    for (std::size_t Y = 1; Y < CubeSide - 1; ++Y)
#pragma omp simd
      for (std::size_t X = 1; X < CubeSide - 1; ++X) {
        std::size_t I = Z * Plane + Y * Row + X;
        Out[I] =
            0.4f * In[I] + 0.1f * (In[I - 1] + In[I + 1] + In[I - Row] +
                                   In[I + Row] + In[I - Plane] + In[I + Plane]);
      }
}

// A row is too short for vectors to gain: with `omp simd` it takes longer.
static void csr(const SparseMatrix &M, float *Y) {
  const std::uint32_t *Start = M.Start.data(), *Column = M.Column.data();
  const float *Value = M.Value.data(), *X = M.X.data();
#pragma omp parallel for
  for (std::size_t Row = 0; Row < M.Rows; ++Row) {
    float Sum = 0;
    for (std::uint32_t K = Start[Row], E = Start[Row + 1]; K < E; ++K)
      Sum += Value[K] * X[Column[K]];
    Y[Row] = Sum;
  }
}

static void nothing() {
#pragma omp parallel for
  for (std::size_t I = 0; I < std::size_t(1) << 16; ++I)
    ;
}

static Answer runSaxpy() {
  std::vector<float> X(Count, 2.f), Y(Count, 1.f);
  double Seconds = timeOf([&] { saxpy(Scale, X.data(), Y.data(), Count); });
  return {Seconds, sample(Y)};
}

static Answer runTriad() {
  std::vector<float> A(Count), B(Count, 1.f), C(Count, 3.f);
  double Seconds =
      timeOf([&] { triad(Scale, B.data(), C.data(), A.data(), Count); });
  return {Seconds, sample(A)};
}

static Answer runStencil() {
  std::vector<float> In(Count), Out(Count);
  for (std::size_t I = 0; I < Count; ++I)
    In[I] = I % 17;
  double Seconds = timeOf([&] { stencil(In.data(), Out.data(), Side, Side); });
  return {Seconds, sample(Out)};
}

static Answer runStencil7() {
  std::vector<float> In = wholeNumbers(CubeCount, 17, 1), Out(CubeCount);
  double Seconds = timeOf([&] { stencil7(In.data(), Out.data()); });
  return {Seconds, sumOf(Out)};
}

static Answer runCsr() {
  SparseMatrix M;
  double Seconds = timeOf([&] { csr(M, M.Y.data()); });
  return {Seconds, sumOf(M.Y)};
}

Benchmarks streams() {
  return {
      {"saxpy", runSaxpy},
      {"triad", runTriad},
      {"stencil", runStencil},
      {"stencil7", runStencil7},
      {"csr", runCsr},
      {"empty awake", [] { return Answer{timeAwake(nothing), 0}; }},
      {"empty asleep", [] { return Answer{timeAsleep(nothing), 0}; }},
  };
}
