//===- blocks.cpp - Threads that work together, with Ferry --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>
#include <ferry/ferry.h>

static void dot(std::span<const float> X, std::span<const float> Y,
                std::span<float> Sums) {
  auto &Part = ferry::shared<float[DotThreads]>();
  unsigned T = ferry::thread_idx().x;
  std::size_t First = ferry::block_idx().x * DotBlock + T;
  float Sum = 0;
  for (std::size_t K = 0; K < DotEach; ++K)
    Sum += X[First + K * DotThreads] * Y[First + K * DotThreads];
  Part[T] = Sum;
  ferry::sync_threads();
  for (unsigned Stride = DotThreads / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    ferry::sync_threads();
  }
  if (T == 0)
    Sums[ferry::block_idx().x] = Part[0];
}

static void transpose(std::span<const float> In, std::span<float> Out) {
  auto &Tile = ferry::shared<float[32][33]>();
  auto [Tx, Ty, Tz] = ferry::thread_idx();
  auto [Bx, By, Bz] = ferry::block_idx();
  for (unsigned J = 0; J < 32; J += 8)
    Tile[Ty + J][Tx] = In[(By * 32 + Ty + J) * Side + Bx * 32 + Tx];
  ferry::sync_threads();
  for (unsigned J = 0; J < 32; J += 8)
    Out[(Bx * 32 + Ty + J) * Side + By * 32 + Tx] = Tile[Tx][Ty + J];
}

// A warp a row.
static void softmax(std::span<const float> In, std::span<float> Out) {
  unsigned Width = ferry::warp::size(), Lane = ferry::warp::lane();
  std::size_t First = ferry::global_id() / Width * Columns;
  float Most = -INFINITY;
  for (unsigned C = Lane; C < Columns; C += Width)
    Most = std::fmax(Most, In[First + C]);
  Most = ferry::warp::reduce_max(Most);
  float Sum = 0;
  for (unsigned C = Lane; C < Columns; C += Width) {
    float E = std::exp(In[First + C] - Most);
    Out[First + C] = E;
    Sum += E;
  }
  float Scale = 1 / ferry::warp::reduce_add(Sum);
  for (unsigned C = Lane; C < Columns; C += Width)
    Out[First + C] *= Scale;
}

static void sums(std::span<const float> In, std::span<float> Sums) {
  auto &Part = ferry::shared<float[SumBlock]>();
  unsigned T = ferry::thread_idx().x;
  Part[T] = In[ferry::global_id()];
  ferry::sync_threads();
  for (unsigned Stride = SumBlock / 2; Stride > 0; Stride /= 2) {
    if (T < Stride)
      Part[T] += Part[T + Stride];
    ferry::sync_threads();
  }
  if (T == 0)
    Sums[ferry::block_idx().x] = Part[0];
}

static void histogram(std::span<const std::uint8_t> In,
                      std::span<std::uint32_t> Bins) {
  auto &Mine = ferry::shared<std::uint32_t[256]>();
  unsigned T = ferry::thread_idx().x;
  Mine[T] = 0;
  ferry::sync_threads();
  std::size_t First = ferry::block_idx().x * HistogramBlock;
  for (std::size_t I = T; I < HistogramBlock; I += HistogramThreads)
    ferry::atomic_add(Mine[In[First + I]], 1);
  ferry::sync_threads();
  ferry::atomic_add(Bins[T], Mine[T]);
}

// Each block sorts its part.
static void bitonic(std::span<const std::uint32_t> In,
                    std::span<std::uint32_t> Out) {
  auto &Part = ferry::shared<std::uint32_t[SortBlock]>();
  constexpr unsigned Threads = SortBlock / 2;
  unsigned T = ferry::thread_idx().x;
  std::size_t First = ferry::block_idx().x * SortBlock;
  Part[T] = In[First + T];
  Part[T + Threads] = In[First + T + Threads];
  for (unsigned Size = 2; Size <= SortBlock; Size *= 2)
    for (unsigned Stride = Size / 2; Stride > 0; Stride /= 2) {
      ferry::sync_threads();
      unsigned I = 2 * T - (T & (Stride - 1));
      std::uint32_t A = Part[I], B = Part[I + Stride];
      if ((A > B) == ((I & Size) == 0)) {
        Part[I] = B;
        Part[I + Stride] = A;
      }
    }
  ferry::sync_threads();
  Out[First + T] = Part[T];
  Out[First + T + Threads] = Part[T + Threads];
}

// Blelloch's exclusive scan of each block's part.
static void scan(std::span<const std::uint32_t> In,
                 std::span<std::uint32_t> Out) {
  auto &Part = ferry::shared<std::uint32_t[ScanBlock]>();
  constexpr unsigned Threads = ScanBlock / 2;
  unsigned T = ferry::thread_idx().x;
  std::size_t First = ferry::block_idx().x * ScanBlock;
  Part[T] = In[First + T];
  Part[T + Threads] = In[First + T + Threads];
  unsigned Offset = 1;
  for (unsigned D = Threads; D > 0; D /= 2) {
    ferry::sync_threads();
    if (T < D)
      Part[Offset * (2 * T + 2) - 1] += Part[Offset * (2 * T + 1) - 1];
    Offset *= 2;
  }
  if (T == 0)
    Part[ScanBlock - 1] = 0;
  for (unsigned D = 1; D < ScanBlock; D *= 2) {
    Offset /= 2;
    ferry::sync_threads();
    if (T < D) {
      unsigned A = Offset * (2 * T + 1) - 1, B = Offset * (2 * T + 2) - 1;
      std::uint32_t Left = Part[A];
      Part[A] = Part[B];
      Part[B] += Left;
    }
  }
  ferry::sync_threads();
  Out[First + T] = Part[T];
  Out[First + T + Threads] = Part[T + Threads];
}

static void tiled(std::span<const float> A, std::span<const float> B,
                  std::span<float> C) {
  auto &As = ferry::shared<float[16][16]>();
  auto &Bs = ferry::shared<float[16][16]>();
  auto [Tx, Ty, Tz] = ferry::thread_idx();
  std::size_t X = ferry::block_idx().x * 16 + Tx;
  std::size_t Y = ferry::block_idx().y * 16 + Ty;
  float Sum = 0;
  for (std::size_t K = 0; K < MatrixSide; K += 16) {
    As[Ty][Tx] = A[Y * MatrixSide + K + Tx];
    Bs[Ty][Tx] = B[(K + Ty) * MatrixSide + X];
    ferry::sync_threads();
    for (int I = 0; I < 16; ++I)
      Sum += As[Ty][I] * Bs[I][Tx];
    ferry::sync_threads();
  }
  C[Y * MatrixSide + X] = Sum;
}

static Answer runDot() {
  std::vector<float> X = wholeNumbers(Count, 2, 16),
                     Y = wholeNumbers(Count, 2, 17), Sums(Count / DotBlock);
  double Total = 0;
  double Seconds = timeOf([&] {
    ferry::launch<dot>(ferry::blocks(Sums.size()).threads(DotThreads), X, Y,
                       Sums);
    Total = sumOf(Sums);
  });
  return {Seconds, Total};
}

static Answer runParallelReduce() {
  std::vector<float> X = wholeNumbers(Count, 2, 16),
                     Y = wholeNumbers(Count, 2, 17);
  float Total = 0;
  double Seconds = timeOf([&] {
    Total = ferry::parallel_reduce(
        ferry::over(Count), 0.f, std::plus<>(),
        [](std::size_t I, std::span<const float> X, std::span<const float> Y) {
          return X[I] * Y[I];
        },
        X, Y);
  });
  return {Seconds, Total};
}

static Answer runTranspose() {
  std::vector<float> In = wholeNumbers(Count, 100, 18), Out(Count);
  double Seconds = timeOf([&] {
    ferry::launch<transpose>(ferry::blocks(Side / 32, Side / 32).threads(32, 8),
                             In, Out);
  });
  return {Seconds, sample(Out)};
}

static Answer runSoftmax() {
  std::vector<float> In = fractions(Rows * Columns, -10, 10, 19),
                     Out(Rows * Columns);
  double Seconds = timeOf([&] {
    ferry::launch<softmax>(ferry::blocks(Rows / 4).threads(128), In, Out);
  });
  return {Seconds, sample(Out)};
}

static Answer runSums() {
  std::vector<float> In = wholeNumbers(Count, 16, 20), Sums(Count / SumBlock);
  double Seconds = timeOf([&] {
    ferry::launch<sums>(ferry::blocks(Sums.size()).threads(SumBlock), In, Sums);
  });
  return {Seconds, sumOf(Sums)};
}

static Answer runHistogram() {
  std::vector<std::uint8_t> In = bytes();
  std::vector<std::uint32_t> Bins(256);
  double Seconds = timeOf([&] {
    std::ranges::fill(Bins, 0);
    ferry::launch<histogram>(
        ferry::blocks(Count / HistogramBlock).threads(HistogramThreads), In,
        Bins);
  });
  double Sum = 0;
  for (std::size_t I = 0; I < Bins.size(); ++I)
    Sum += double(I) * Bins[I];
  return {Seconds, Sum};
}

static Answer runBlocks(void (*Launch)(const std::vector<std::uint32_t> &,
                                       std::vector<std::uint32_t> &),
                        std::size_t N) {
  Numbers Random(21);
  std::vector<std::uint32_t> In(N), Out(N);
  for (auto &X : In)
    X = Random.below(1000);
  double Seconds = timeOf([&] { Launch(In, Out); });
  double Sum = 0;
  for (std::size_t I = 0; I < N; ++I)
    Sum += double(Out[I]) * double(I % 1000);
  return {Seconds, Sum};
}

static Answer runTiled() {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  double Seconds = timeOf([&] {
    ferry::launch<tiled>(
        ferry::blocks(MatrixSide / 16, MatrixSide / 16).threads(16, 16), A, B,
        C);
  });
  return {Seconds, sumOf(C)};
}

Benchmarks blocks() {
  using Numbers = std::vector<std::uint32_t>;
  return {
      {"dot", runDot},
      {"parallel_reduce", runParallelReduce},
      {"transpose", runTranspose},
      {"softmax", runSoftmax},
      {"reduction", runSums},
      {"histogram", runHistogram},
      {"bitonic",
       [] {
         return runBlocks(
             [](const Numbers &In, Numbers &Out) {
               ferry::launch<bitonic>(
                   ferry::blocks(SortCount / SortBlock).threads(SortBlock / 2),
                   In, Out);
             },
             SortCount);
       }},
      {"scan",
       [] {
         return runBlocks(
             [](const Numbers &In, Numbers &Out) {
               ferry::launch<scan>(
                   ferry::blocks(ScanCount / ScanBlock).threads(ScanBlock / 2),
                   In, Out);
             },
             ScanCount);
       }},
      {"tiled matmul", runTiled},
  };
}
