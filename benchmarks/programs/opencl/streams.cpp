//===- streams.cpp - Kernels as fast as memory, with OpenCL ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

static const char *Text = R"(
kernel void saxpy(float A, global const float *X, global float *Y) {
  size_t I = get_global_id(0);
  Y[I] += A * X[I];
}

kernel void triad(float S, global const float *B, global const float *C,
                  global float *A) {
  size_t I = get_global_id(0);
  A[I] = B[I] + S * C[I];
}

kernel void stencil(global const float *In, global float *Out, ulong Width) {
  size_t I = (get_global_id(1) + 1) * Width + get_global_id(0) + 1;
  Out[I] =
      0.2f * (In[I] + In[I - 1] + In[I + 1] + In[I - Width] + In[I + Width]);
}

kernel void stencil7(global const float *In, global float *Out) {
  size_t Row = SIDE, Plane = SIDE * SIDE;
  size_t I = (get_global_id(2) + 1) * Plane + (get_global_id(1) + 1) * Row +
             get_global_id(0) + 1;
  Out[I] = 0.4f * In[I] + 0.1f * (In[I - 1] + In[I + 1] + In[I - Row] +
                                  In[I + Row] + In[I - Plane] + In[I + Plane]);
}

kernel void csr(global const uint *Start, global const uint *Column,
                global const float *Value, global const float *X,
                global float *Y) {
  size_t Row = get_global_id(0);
  float Sum = 0;
  for (uint K = Start[Row], E = Start[Row + 1]; K < E; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[Row] = Sum;
}
)";

static Answer runSaxpy() {
  std::vector<float> X(Count, 2.f), Y(Count, 1.f);
  Buffer Bx(X), By(Y);
  Kernel K(Text, "saxpy", define("SIDE", CubeSide));
  K.with(Scale, Bx, By);
  double Seconds = timeOf([&] { K.run({Count}); });
  return {Seconds, sample(Y)};
}

static Answer runTriad() {
  std::vector<float> A(Count), B(Count, 1.f), C(Count, 3.f);
  Buffer Ba(A), Bb(B), Bc(C);
  Kernel K(Text, "triad", define("SIDE", CubeSide));
  K.with(Scale, Bb, Bc, Ba);
  double Seconds = timeOf([&] { K.run({Count}); });
  return {Seconds, sample(A)};
}

static Answer runStencil() {
  std::vector<float> In(Count), Out(Count);
  for (std::size_t I = 0; I < Count; ++I)
    In[I] = I % 17;
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, "stencil", define("SIDE", CubeSide));
  K.with(Bi, Bo, Side);
  double Seconds = timeOf([&] { K.run({Side - 2, Side - 2}); });
  return {Seconds, sample(Out)};
}

static Answer runStencil7() {
  std::vector<float> In = wholeNumbers(CubeCount, 17, 1), Out(CubeCount);
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, "stencil7", define("SIDE", CubeSide));
  K.with(Bi, Bo);
  constexpr std::size_t Inner = CubeSide - 2;
  double Seconds = timeOf([&] { K.run({Inner, Inner, Inner}); });
  return {Seconds, sumOf(Out)};
}

static Answer runCsr() {
  SparseMatrix M;
  Buffer Start(M.Start), Column(M.Column), Value(M.Value), X(M.X), Y(M.Y);
  Kernel K(Text, "csr", define("SIDE", CubeSide));
  K.with(Start, Column, Value, X, Y);
  double Seconds = timeOf([&] { K.run({M.Rows}); });
  return {Seconds, sumOf(M.Y)};
}

Benchmarks streams() {
  return {{"saxpy", runSaxpy},
          {"triad", runTriad},
          {"stencil", runStencil},
          {"stencil7", runStencil7},
          {"csr", runCsr}};
}
