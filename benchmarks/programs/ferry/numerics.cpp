//===- numerics.cpp - Arithmetic and control flow, with Ferry -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>
#include <ferry/ferry.h>

static inline std::uint32_t rotated(std::uint32_t X, int N) {
  return X >> N | X << (32 - N);
}

static void compress(std::uint32_t (&Hash)[8], std::uint32_t (&W)[16]) {
  std::uint32_t A = Hash[0], B = Hash[1], C = Hash[2], D = Hash[3];
  std::uint32_t E = Hash[4], F = Hash[5], G = Hash[6], H = Hash[7];
  for (int T = 0; T < 64; ++T) {
    if (T >= 16) {
      std::uint32_t Old = W[(T + 1) % 16], Late = W[(T + 14) % 16];
      W[T % 16] += (rotated(Old, 7) ^ rotated(Old, 18) ^ Old >> 3) +
                   W[(T + 9) % 16] +
                   (rotated(Late, 17) ^ rotated(Late, 19) ^ Late >> 10);
    }
    std::uint32_t T1 = H + (rotated(E, 6) ^ rotated(E, 11) ^ rotated(E, 25)) +
                       ((E & F) ^ (~E & G)) + RoundConstants[T] + W[T % 16];
    std::uint32_t T2 = (rotated(A, 2) ^ rotated(A, 13) ^ rotated(A, 22)) +
                       ((A & B) ^ (A & C) ^ (B & C));
    H = G, G = F, F = E, E = D + T1;
    D = C, C = B, B = A, A = T1 + T2;
  }
  Hash[0] += A, Hash[1] += B, Hash[2] += C, Hash[3] += D;
  Hash[4] += E, Hash[5] += F, Hash[6] += G, Hash[7] += H;
}

// A message of 64 bytes is two blocks: itself, and padding with its length.
static void sha256(std::span<const std::uint32_t> Word,
                   std::span<std::uint32_t> Digest) {
  std::size_t I = ferry::global_id();
  std::uint32_t Hash[8], W[16];
  for (int K = 0; K < 8; ++K)
    Hash[K] = InitialHash[K];
  for (int K = 0; K < 16; ++K)
    W[K] = Word[K * Messages + I];
  compress(Hash, W);
  for (int K = 0; K < 16; ++K)
    W[K] = K == 0 ? 0x80000000 : K == 15 ? 512 : 0;
  compress(Hash, W);
  for (int K = 0; K < 8; ++K)
    Digest[K * Messages + I] = Hash[K];
}

static void multiply(std::span<const float> A, std::span<const float> B,
                     std::span<float> C) {
  auto [X, Y, Z] = ferry::global_idx();
  float Sum = 0;
  for (std::size_t K = 0; K < MatrixSide; ++K)
    Sum += A[Y * MatrixSide + K] * B[K * MatrixSide + X];
  C[Y * MatrixSide + X] = Sum;
}

// The normal distribution by Abramowitz and Stegun 26.2.17.
static inline float normal(float D) {
  float K = 1 / (1 + 0.2316419f * std::fabs(D));
  float Tail =
      0.39894228f * std::exp(-0.5f * D * D) * K *
      (0.31938153f +
       K * (-0.356563782f +
            K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  return D > 0 ? 1 - Tail : Tail;
}

static void blackScholes(std::span<const float> Prices,
                         std::span<const float> Strikes,
                         std::span<const float> AllYears, std::span<float> Call,
                         std::span<float> Put) {
  std::size_t I = ferry::global_id();
  float Price = Prices[I], Strike = Strikes[I], Years = AllYears[I];
  float Root = std::sqrt(Years);
  float D1 = (std::log(Price / Strike) +
              (Rate + 0.5f * Volatility * Volatility) * Years) /
             (Volatility * Root);
  float D2 = D1 - Volatility * Root;
  float Discounted = Strike * std::exp(-Rate * Years);
  Call[I] = Price * normal(D1) - Discounted * normal(D2);
  Put[I] = Discounted * normal(-D2) - Price * normal(-D1);
}

static void mandelbrot(std::span<std::uint32_t> Steps) {
  auto [X, Y, Z] = ferry::global_idx();
  float Cr = float(X) * (3.f / MandelbrotSide) - 2.25f;
  float Ci = float(Y) * (3.f / MandelbrotSide) - 1.5f;
  float Re = 0, Im = 0;
  std::uint32_t N = 0;
  for (; N < MandelbrotLimit && Re * Re + Im * Im <= 4; ++N) {
    float Next = Re * Re - Im * Im + Cr;
    Im = 2 * Re * Im + Ci;
    Re = Next;
  }
  Steps[Y * MandelbrotSide + X] = N;
}

static Answer runSha256() {
  std::vector<std::uint32_t> Word = messages(), Digest(8 * Messages);
  double Seconds = timeOf(
      [&] { ferry::launch<sha256>(ferry::over(Messages), Word, Digest); });
  return {Seconds, sumOf(Digest)};
}

static Answer runMultiply() {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  double Seconds = timeOf([&] {
    ferry::launch<multiply>(ferry::over(MatrixSide, MatrixSide), A, B, C);
  });
  return {Seconds, sumOf(C)};
}

static Answer runBlackScholes() {
  Market M;
  double Seconds = timeOf([&] {
    ferry::launch<blackScholes>(ferry::over(Options), M.Price, M.Strike,
                                M.Years, M.Call, M.Put);
  });
  return {Seconds, sumOf(M.Call) + sumOf(M.Put)};
}

static Answer runMandelbrot() {
  std::vector<std::uint32_t> Steps(MandelbrotSide * MandelbrotSide);
  double Seconds = timeOf([&] {
    ferry::launch<mandelbrot>(ferry::over(MandelbrotSide, MandelbrotSide),
                              Steps);
  });
  return {Seconds, sumOf(Steps)};
}

Benchmarks numerics() {
  return {{"sha-256", runSha256},
          {"matmul", runMultiply},
          {"black-scholes", runBlackScholes},
          {"mandelbrot", runMandelbrot}};
}
