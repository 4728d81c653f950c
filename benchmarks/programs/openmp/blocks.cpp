//===- blocks.cpp - What blocks do together, as loops with OpenMP -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>

static float dot(const float *X, const float *Y) {
  float Sum = 0;
#pragma omp parallel for simd reduction(+ : Sum)
  for (std::size_t I = 0; I < Count; ++I)
    Sum += X[I] * Y[I];
  return Sum;
}

// Square blocks, so that the lines of both matrices stay in the cache.
static void transpose(const float *In, float *Out) {
  constexpr std::size_t Block = 32;
#pragma omp parallel for collapse(2)
  for (std::size_t By = 0; By < Side; By += Block)
    for (std::size_t Bx = 0; Bx < Side; Bx += Block)
      for (std::size_t X = Bx; X < Bx + Block; ++X)
#pragma omp simd
        for (std::size_t Y = By; Y < By + Block; ++Y)
          Out[X * Side + Y] = In[Y * Side + X];
}

static void softmax(const float *In, float *Out) {
#pragma omp parallel for
  for (std::size_t Row = 0; Row < Rows; ++Row) {
    const float *X = In + Row * Columns;
    float *Y = Out + Row * Columns;
    float Most = -INFINITY, Sum = 0;
#pragma omp simd reduction(max : Most)
    for (std::size_t C = 0; C < Columns; ++C)
      Most = X[C] > Most ? X[C] : Most;
#pragma omp simd reduction(+ : Sum)
    for (std::size_t C = 0; C < Columns; ++C)
      Sum += Y[C] = std::exp(X[C] - Most);
    float Scale = 1 / Sum;
#pragma omp simd
    for (std::size_t C = 0; C < Columns; ++C)
      Y[C] *= Scale;
  }
}

static void sums(const float *In, float *Sums) {
#pragma omp parallel for
  for (std::size_t B = 0; B < Count / SumBlock; ++B) {
    float Sum = 0;
#pragma omp simd reduction(+ : Sum)
    for (std::size_t I = 0; I < SumBlock; ++I)
      Sum += In[B * SumBlock + I];
    Sums[B] = Sum;
  }
}

// Four tables a thread: neighbouring equal bytes don't wait for each other.
static void histogram(const std::uint8_t *In, std::uint32_t *Bins) {
#pragma omp parallel
  {
    std::uint32_t Mine[4][256] = {};
#pragma omp for nowait
    for (std::size_t I = 0; I < Count; I += 4) {
      ++Mine[0][In[I]];
      ++Mine[1][In[I + 1]];
      ++Mine[2][In[I + 2]];
      ++Mine[3][In[I + 3]];
    }
#pragma omp critical
    for (int B = 0; B < 256; ++B)
      Bins[B] += Mine[0][B] + Mine[1][B] + Mine[2][B] + Mine[3][B];
  }
}

// The same network, one part after the other in the cache.
static void bitonic(const std::uint32_t *In, std::uint32_t *Out) {
#pragma omp parallel for
  for (std::size_t First = 0; First < SortCount; First += SortBlock) {
    std::uint32_t *Part = Out + First;
    std::copy_n(In + First, SortBlock, Part);
    for (std::size_t Size = 2; Size <= SortBlock; Size *= 2)
      for (std::size_t Stride = Size / 2; Stride > 0; Stride /= 2)
        for (std::size_t Pair = 0; Pair < SortBlock; Pair += 2 * Stride) {
          bool Up = (Pair & Size) == 0;
#pragma omp simd
          for (std::size_t I = Pair; I < Pair + Stride; ++I) {
            std::uint32_t A = Part[I], B = Part[I + Stride];
            std::uint32_t Least = A < B ? A : B, Most = A < B ? B : A;
            Part[I] = Up ? Least : Most;
            Part[I + Stride] = Up ? Most : Least;
          }
        }
  }
}

static void scan(const std::uint32_t *In, std::uint32_t *Out) {
#pragma omp parallel for
  for (std::size_t First = 0; First < ScanCount; First += ScanBlock) {
    std::uint32_t Sum = 0;
    for (std::size_t I = First; I < First + ScanBlock; ++I) {
      Out[I] = Sum;
      Sum += In[I];
    }
  }
}

// The same 16 x 16 tiles.
static void tiled(const float *A, const float *B, float *C) {
#pragma omp parallel for collapse(2)
  for (std::size_t By = 0; By < MatrixSide; By += 16)
    for (std::size_t Bx = 0; Bx < MatrixSide; Bx += 16) {
      float As[16][16], Bs[16][16], Sum[16][16] = {};
      for (std::size_t K = 0; K < MatrixSide; K += 16) {
        for (int Y = 0; Y < 16; ++Y)
#pragma omp simd
          for (int X = 0; X < 16; ++X) {
            As[Y][X] = A[(By + Y) * MatrixSide + K + X];
            Bs[Y][X] = B[(K + Y) * MatrixSide + Bx + X];
          }
        for (int Y = 0; Y < 16; ++Y)
          for (int I = 0; I < 16; ++I)
#pragma omp simd
            for (int X = 0; X < 16; ++X)
              Sum[Y][X] += As[Y][I] * Bs[I][X];
      }
      for (int Y = 0; Y < 16; ++Y)
        std::copy_n(Sum[Y], 16, C + (By + Y) * MatrixSide + Bx);
    }
}

static Answer runDot() {
  std::vector<float> X = wholeNumbers(Count, 2, 16),
                     Y = wholeNumbers(Count, 2, 17);
  float Total = 0;
  double Seconds = timeOf([&] { Total = dot(X.data(), Y.data()); });
  return {Seconds, Total};
}

static Answer runTranspose() {
  std::vector<float> In = wholeNumbers(Count, 100, 18), Out(Count);
  double Seconds = timeOf([&] { transpose(In.data(), Out.data()); });
  return {Seconds, sample(Out)};
}

static Answer runSoftmax() {
  std::vector<float> In = fractions(Rows * Columns, -10, 10, 19),
                     Out(Rows * Columns);
  double Seconds = timeOf([&] { softmax(In.data(), Out.data()); });
  return {Seconds, sample(Out)};
}

static Answer runSums() {
  std::vector<float> In = wholeNumbers(Count, 16, 20), Sums(Count / SumBlock);
  double Seconds = timeOf([&] { sums(In.data(), Sums.data()); });
  return {Seconds, sumOf(Sums)};
}

static Answer runHistogram() {
  std::vector<std::uint8_t> In = bytes();
  std::vector<std::uint32_t> Bins(256);
  double Seconds = timeOf([&] {
    std::ranges::fill(Bins, 0);
    histogram(In.data(), Bins.data());
  });
  double Sum = 0;
  for (std::size_t I = 0; I < Bins.size(); ++I)
    Sum += double(I) * Bins[I];
  return {Seconds, Sum};
}

static Answer runBlocks(void (*Run)(const std::uint32_t *, std::uint32_t *),
                        std::size_t N) {
  Numbers Random(21);
  std::vector<std::uint32_t> In(N), Out(N);
  for (auto &X : In)
    X = Random.below(1000);
  double Seconds = timeOf([&] { Run(In.data(), Out.data()); });
  double Sum = 0;
  for (std::size_t I = 0; I < N; ++I)
    Sum += double(Out[I]) * double(I % 1000);
  return {Seconds, Sum};
}

static Answer runTiled() {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  double Seconds = timeOf([&] { tiled(A.data(), B.data(), C.data()); });
  return {Seconds, sumOf(C)};
}

Benchmarks blocks() {
  return {
      {"dot", runDot},
      {"transpose", runTranspose},
      {"softmax", runSoftmax},
      {"reduction", runSums},
      {"histogram", runHistogram},
      {"bitonic", [] { return runBlocks(bitonic, SortCount); }},
      {"scan", [] { return runBlocks(scan, ScanCount); }},
      {"tiled matmul", runTiled},
  };
}
