//===- numerics.cpp - Arithmetic and control flow, with OpenMP ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>

static inline std::uint32_t rotated(std::uint32_t X, int N) {
  return X >> N | X << (32 - N);
}

// Sixteen messages side by side: what one message does in a round is a loop
// over lanes, which becomes a few vector instructions.
constexpr int Lanes = 16;
using Vector = std::uint32_t[Lanes];

static inline void compress(Vector (&Hash)[8], Vector (&W)[16]) {
  Vector S[8];
  std::copy_n(&Hash[0][0], 8 * Lanes, &S[0][0]);
#pragma clang loop unroll(full)
  for (int T = 0; T < 64; ++T) {
    Vector &A = S[(64 - T) % 8], &B = S[(65 - T) % 8], &C = S[(66 - T) % 8],
           &D = S[(67 - T) % 8], &E = S[(68 - T) % 8], &F = S[(69 - T) % 8],
           &G = S[(70 - T) % 8], &H = S[(71 - T) % 8];
#pragma omp simd
    for (int L = 0; L < Lanes; ++L) {
      if (T >= 16) {
        std::uint32_t Old = W[(T + 1) % 16][L], Late = W[(T + 14) % 16][L];
        W[T % 16][L] += (rotated(Old, 7) ^ rotated(Old, 18) ^ Old >> 3) +
                        W[(T + 9) % 16][L] +
                        (rotated(Late, 17) ^ rotated(Late, 19) ^ Late >> 10);
      }
      std::uint32_t T1 =
          H[L] + (rotated(E[L], 6) ^ rotated(E[L], 11) ^ rotated(E[L], 25)) +
          ((E[L] & F[L]) ^ (~E[L] & G[L])) + RoundConstants[T] + W[T % 16][L];
      std::uint32_t T2 =
          (rotated(A[L], 2) ^ rotated(A[L], 13) ^ rotated(A[L], 22)) +
          ((A[L] & B[L]) ^ (A[L] & C[L]) ^ (B[L] & C[L]));
      D[L] += T1;
      H[L] = T1 + T2;
    }
  }
  for (int K = 0; K < 8; ++K)
    for (int L = 0; L < Lanes; ++L)
      Hash[K][L] += S[K][L];
}

static void sha256(const std::uint32_t *Word, std::uint32_t *Digest) {
#pragma omp parallel for
  for (std::size_t First = 0; First < Messages; First += Lanes) {
    Vector Hash[8], W[16];
    for (int K = 0; K < 8; ++K)
      std::fill_n(Hash[K], Lanes, InitialHash[K]);
    for (int K = 0; K < 16; ++K)
      std::copy_n(Word + K * Messages + First, Lanes, W[K]);
    compress(Hash, W);
    for (int K = 0; K < 16; ++K)
      std::fill_n(W[K], Lanes, K == 0 ? 0x80000000 : K == 15 ? 512 : 0);
    compress(Hash, W);
    for (int K = 0; K < 8; ++K)
      std::copy_n(Hash[K], Lanes, Digest + K * Messages + First);
  }
}

// The textbook's three loops, in the order in which vectors read rows.
static void multiply(const float *A, const float *B, float *C) {
#pragma omp parallel for
  for (std::size_t I = 0; I < MatrixSide; ++I) {
    std::fill_n(C + I * MatrixSide, MatrixSide, 0.f);
    for (std::size_t K = 0; K < MatrixSide; ++K)
#pragma omp simd
      for (std::size_t J = 0; J < MatrixSide; ++J)
        C[I * MatrixSide + J] += A[I * MatrixSide + K] * B[K * MatrixSide + J];
  }
}

// And with K innermost but for a row's 64 elements, which stay in registers.
static void multiplyInRegisters(const float *A, const float *B, float *C) {
  constexpr std::size_t Block = 64;
#pragma omp parallel for
  for (std::size_t I = 0; I < MatrixSide; ++I)
    for (std::size_t First = 0; First < MatrixSide; First += Block) {
      float Sum[Block] = {};
      for (std::size_t K = 0; K < MatrixSide; ++K)
#pragma omp simd
        for (std::size_t J = 0; J < Block; ++J)
          Sum[J] += A[I * MatrixSide + K] * B[K * MatrixSide + First + J];
      std::copy_n(Sum, Block, C + I * MatrixSide + First);
    }
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

static void blackScholes(Market &M) {
  const float *Prices = M.Price.data(), *Strikes = M.Strike.data(),
              *AllYears = M.Years.data();
  float *Call = M.Call.data(), *Put = M.Put.data();
#pragma omp parallel for simd
  for (std::size_t I = 0; I < Options; ++I) {
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
}

// Vectors of pixels step together until all of them have left; a pixel that
// has left keeps its count.
static void mandelbrot(std::uint32_t *Steps) {
  constexpr std::size_t Block = 32;
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t Y = 0; Y < MandelbrotSide; ++Y)
    for (std::size_t First = 0; First < MandelbrotSide; First += Block) {
      float Ci = float(Y) * (3.f / MandelbrotSide) - 1.5f;
      float Cr[Block], Re[Block] = {}, Im[Block] = {};
      std::uint32_t N[Block] = {};
      for (std::size_t B = 0; B < Block; ++B)
        Cr[B] = float(First + B) * (3.f / MandelbrotSide) - 2.25f;
      std::uint32_t Inside = 1;
      for (int Step = 0; Step < MandelbrotLimit && Inside; ++Step) {
        Inside = 0;
#pragma omp simd reduction(| : Inside)
        for (std::size_t B = 0; B < Block; ++B) {
          std::uint32_t In = Re[B] * Re[B] + Im[B] * Im[B] <= 4;
          float Next = Re[B] * Re[B] - Im[B] * Im[B] + Cr[B];
          Im[B] = In ? 2 * Re[B] * Im[B] + Ci : Im[B];
          Re[B] = In ? Next : Re[B];
          N[B] += In;
          Inside |= In;
        }
      }
      std::copy_n(N, Block, Steps + Y * MandelbrotSide + First);
    }
}

static Answer runSha256() {
  std::vector<std::uint32_t> Word = messages(), Digest(8 * Messages);
  double Seconds = timeOf([&] { sha256(Word.data(), Digest.data()); });
  return {Seconds, sumOf(Digest)};
}

static Answer runMultiply(void (*Multiply)(const float *, const float *,
                                           float *)) {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  double Seconds = timeOf([&] { Multiply(A.data(), B.data(), C.data()); });
  return {Seconds, sumOf(C)};
}

static Answer runBlackScholes() {
  Market M;
  double Seconds = timeOf([&] { blackScholes(M); });
  return {Seconds, sumOf(M.Call) + sumOf(M.Put)};
}

static Answer runMandelbrot() {
  std::vector<std::uint32_t> Steps(MandelbrotSide * MandelbrotSide);
  double Seconds = timeOf([&] { mandelbrot(Steps.data()); });
  return {Seconds, sumOf(Steps)};
}

Benchmarks numerics() {
  return {
      {"sha-256", runSha256},
      {"matmul", [] { return runMultiply(multiply); }},
      {"matmul in registers", [] { return runMultiply(multiplyInRegisters); }},
      {"black-scholes", runBlackScholes},
      {"mandelbrot", runMandelbrot}};
}
