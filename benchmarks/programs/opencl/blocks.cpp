//===- blocks.cpp - Threads that work together, with OpenCL -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

static const char *Text = R"(
kernel void dotProduct(global const float *X, global const float *Y,
                global float *Sums) {
  local float Part[DOT_THREADS];
  unsigned T = get_local_id(0);
  size_t First = get_group_id(0) * DOT_BLOCK + T;
  float Sum = 0;
  for (size_t K = 0; K < DOT_EACH; ++K)
    Sum += X[First + K * DOT_THREADS] * Y[First + K * DOT_THREADS];
  Part[T] = Sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned Stride = DOT_THREADS / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (T == 0)
    Sums[get_group_id(0)] = Part[0];
}

kernel void transpose(global const float *In, global float *Out) {
  local float Tile[32][33];
  uint Tx = get_local_id(0), Ty = get_local_id(1);
  uint Bx = get_group_id(0), By = get_group_id(1);
  for (unsigned J = 0; J < 32; J += 8)
    Tile[Ty + J][Tx] = In[(By * 32 + Ty + J) * SIDE + Bx * 32 + Tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned J = 0; J < 32; J += 8)
    Out[(Bx * 32 + Ty + J) * SIDE + By * 32 + Tx] = Tile[Tx][Ty + J];
}

// A group of 32 a row: what a warp is elsewhere.
float most(local float *Part, float X) {
  uint T = get_local_id(0);
  Part[T] = X;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint Stride = 16; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] = fmax(Part[T], Part[T + Stride]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float All = Part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return All;
}

float total(local float *Part, float X) {
  uint T = get_local_id(0);
  Part[T] = X;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint Stride = 16; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float All = Part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return All;
}

kernel void softmax(global const float *In, global float *Out) {
  local float Part[32];
  uint Lane = get_local_id(0);
  size_t First = get_group_id(0) * COLUMNS;
  float Most = -INFINITY;
  for (uint C = Lane; C < COLUMNS; C += 32)
    Most = fmax(Most, In[First + C]);
  Most = most(Part, Most);
  float Sum = 0;
  for (uint C = Lane; C < COLUMNS; C += 32) {
    float E = exp(In[First + C] - Most);
    Out[First + C] = E;
    Sum += E;
  }
  float Scale = 1 / total(Part, Sum);
  for (uint C = Lane; C < COLUMNS; C += 32)
    Out[First + C] *= Scale;
}

kernel void sums(global const float *In, global float *Sums) {
  local float Part[SUM_BLOCK];
  unsigned T = get_local_id(0);
  Part[T] = In[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned Stride = SUM_BLOCK / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (T == 0)
    Sums[get_group_id(0)] = Part[0];
}

kernel void histogram(global const uchar *In,
                      global uint *Bins) {
  local uint Mine[256];
  unsigned T = get_local_id(0);
  Mine[T] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t First = get_group_id(0) * HISTOGRAM_BLOCK;
  for (size_t I = T; I < HISTOGRAM_BLOCK; I += HISTOGRAM_THREADS)
    atomic_add(&Mine[In[First + I]], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&Bins[T], Mine[T]);
}

// Each block sorts its part.
kernel void bitonic(global const uint *In,
                    global uint *Out) {
  local uint Part[SORT_BLOCK];
  const unsigned Threads = SORT_BLOCK / 2;
  unsigned T = get_local_id(0);
  size_t First = get_group_id(0) * SORT_BLOCK;
  Part[T] = In[First + T];
  Part[T + Threads] = In[First + T + Threads];
  for (unsigned Size = 2; Size <= SORT_BLOCK; Size *= 2)
    for (unsigned Stride = Size / 2; Stride > 0; Stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      unsigned I = 2 * T - (T & (Stride - 1));
      uint A = Part[I], B = Part[I + Stride];
      if ((A > B) == ((I & Size) == 0)) {
        Part[I] = B;
        Part[I + Stride] = A;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  Out[First + T] = Part[T];
  Out[First + T + Threads] = Part[T + Threads];
}

// Blelloch's exclusive scan of each block's part.
kernel void scan(global const uint *In,
                 global uint *Out) {
  local uint Part[SCAN_BLOCK];
  const unsigned Threads = SCAN_BLOCK / 2;
  unsigned T = get_local_id(0);
  size_t First = get_group_id(0) * SCAN_BLOCK;
  Part[T] = In[First + T];
  Part[T + Threads] = In[First + T + Threads];
  unsigned Offset = 1;
  for (unsigned D = Threads; D > 0; D /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (T < D)
      Part[Offset * (2 * T + 2) - 1] += Part[Offset * (2 * T + 1) - 1];
    Offset *= 2;
  }
  if (T == 0)
    Part[SCAN_BLOCK - 1] = 0;
  for (unsigned D = 1; D < SCAN_BLOCK; D *= 2) {
    Offset /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (T < D) {
      unsigned A = Offset * (2 * T + 1) - 1, B = Offset * (2 * T + 2) - 1;
      uint Left = Part[A];
      Part[A] = Part[B];
      Part[B] += Left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  Out[First + T] = Part[T];
  Out[First + T + Threads] = Part[T + Threads];
}

kernel void tiled(global const float *A, global const float *B,
                  global float *C) {
  local float As[16][16], Bs[16][16];
  uint Tx = get_local_id(0), Ty = get_local_id(1);
  size_t X = get_group_id(0) * 16 + Tx;
  size_t Y = get_group_id(1) * 16 + Ty;
  float Sum = 0;
  for (size_t K = 0; K < MATRIX_SIDE; K += 16) {
    As[Ty][Tx] = A[Y * MATRIX_SIDE + K + Tx];
    Bs[Ty][Tx] = B[(K + Ty) * MATRIX_SIDE + X];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int I = 0; I < 16; ++I)
      Sum += As[Ty][I] * Bs[I][Tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[Y * MATRIX_SIDE + X] = Sum;
}
)";

static std::string constants() {
  return define("DOT_THREADS", DotThreads) + define("DOT_EACH", DotEach) +
         define("DOT_BLOCK", DotBlock) + define("SIDE", Side) +
         define("COLUMNS", Columns) + define("SUM_BLOCK", SumBlock) +
         define("HISTOGRAM_BLOCK", HistogramBlock) +
         define("HISTOGRAM_THREADS", HistogramThreads) +
         define("SORT_BLOCK", SortBlock) + define("SCAN_BLOCK", ScanBlock) +
         define("MATRIX_SIDE", MatrixSide);
}

static Answer runDot() {
  std::vector<float> X = wholeNumbers(Count, 2, 16),
                     Y = wholeNumbers(Count, 2, 17), Sums(Count / DotBlock);
  Buffer Bx(X), By(Y), Bs(Sums);
  Kernel K(Text, "dotProduct", constants());
  K.with(Bx, By, Bs);
  double Total = 0;
  double Seconds = timeOf([&] {
    K.run({Sums.size() * DotThreads}, {DotThreads});
    Total = sumOf(Sums);
  });
  return {Seconds, Total};
}

static Answer runTranspose() {
  std::vector<float> In = wholeNumbers(Count, 100, 18), Out(Count);
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, "transpose", constants());
  K.with(Bi, Bo);
  double Seconds = timeOf([&] { K.run({Side, Side / 4}, {32, 8}); });
  return {Seconds, sample(Out)};
}

static Answer runSoftmax() {
  std::vector<float> In = fractions(Rows * Columns, -10, 10, 19),
                     Out(Rows * Columns);
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, "softmax", constants());
  K.with(Bi, Bo);
  double Seconds = timeOf([&] { K.run({Rows * 32}, {32}); });
  return {Seconds, sample(Out)};
}

static Answer runSums() {
  std::vector<float> In = wholeNumbers(Count, 16, 20), Sums(Count / SumBlock);
  Buffer Bi(In), Bs(Sums);
  Kernel K(Text, "sums", constants());
  K.with(Bi, Bs);
  double Seconds = timeOf([&] { K.run({Count}, {SumBlock}); });
  return {Seconds, sumOf(Sums)};
}

static Answer runHistogram() {
  std::vector<std::uint8_t> In = bytes();
  std::vector<std::uint32_t> Bins(256);
  Buffer Bi(In), Bb(Bins);
  Kernel K(Text, "histogram", constants());
  K.with(Bi, Bb);
  double Seconds = timeOf([&] {
    std::ranges::fill(Bins, 0);
    K.run({Count / HistogramBlock * HistogramThreads}, {HistogramThreads});
  });
  double Sum = 0;
  for (std::size_t I = 0; I < Bins.size(); ++I)
    Sum += double(I) * Bins[I];
  return {Seconds, Sum};
}

static Answer runBlocks(const char *Name, std::size_t N, std::size_t Block) {
  Numbers Random(21);
  std::vector<std::uint32_t> In(N), Out(N);
  for (auto &X : In)
    X = Random.below(1000);
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, Name, constants());
  K.with(Bi, Bo);
  double Seconds = timeOf([&] { K.run({N / 2}, {Block / 2}); });
  double Sum = 0;
  for (std::size_t I = 0; I < N; ++I)
    Sum += double(Out[I]) * double(I % 1000);
  return {Seconds, Sum};
}

static Answer runTiled() {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  Buffer Ba(A), Bb(B), Bc(C);
  Kernel K(Text, "tiled", constants());
  K.with(Ba, Bb, Bc);
  double Seconds = timeOf([&] { K.run({MatrixSide, MatrixSide}, {16, 16}); });
  return {Seconds, sumOf(C)};
}

Benchmarks blocks() {
  return {
      {"dot", runDot},
      {"transpose", runTranspose},
      {"softmax", runSoftmax},
      {"reduction", runSums},
      {"histogram", runHistogram},
      {"bitonic", [] { return runBlocks("bitonic", SortCount, SortBlock); }},
      {"scan", [] { return runBlocks("scan", ScanCount, ScanBlock); }},
      {"tiled matmul", runTiled},
  };
}
