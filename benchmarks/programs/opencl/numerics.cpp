//===- numerics.cpp - Arithmetic and control flow, with OpenCL ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

static const char *Text = R"(
constant uint Round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
constant uint Initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

uint rotated(uint X, int N) { return X >> N | X << (32 - N); }

void compress(uint *Hash, uint *W) {
  uint A = Hash[0], B = Hash[1], C = Hash[2], D = Hash[3];
  uint E = Hash[4], F = Hash[5], G = Hash[6], H = Hash[7];
  for (int T = 0; T < 64; ++T) {
    if (T >= 16) {
      uint Old = W[(T + 1) % 16], Late = W[(T + 14) % 16];
      W[T % 16] += (rotated(Old, 7) ^ rotated(Old, 18) ^ Old >> 3) +
                   W[(T + 9) % 16] +
                   (rotated(Late, 17) ^ rotated(Late, 19) ^ Late >> 10);
    }
    uint T1 = H + (rotated(E, 6) ^ rotated(E, 11) ^ rotated(E, 25)) +
                       ((E & F) ^ (~E & G)) + Round[T] + W[T % 16];
    uint T2 = (rotated(A, 2) ^ rotated(A, 13) ^ rotated(A, 22)) +
                       ((A & B) ^ (A & C) ^ (B & C));
    H = G, G = F, F = E, E = D + T1;
    D = C, C = B, B = A, A = T1 + T2;
  }
  Hash[0] += A, Hash[1] += B, Hash[2] += C, Hash[3] += D;
  Hash[4] += E, Hash[5] += F, Hash[6] += G, Hash[7] += H;
}

// A message of 64 bytes is two blocks: itself, and padding with its length.
kernel void sha256(global const uint *Word, global uint *Digest) {
  size_t I = get_global_id(0);
  uint Hash[8], W[16];
  for (int K = 0; K < 8; ++K)
    Hash[K] = Initial[K];
  for (int K = 0; K < 16; ++K)
    W[K] = Word[K * MESSAGES + I];
  compress(Hash, W);
  for (int K = 0; K < 16; ++K)
    W[K] = K == 0 ? 0x80000000 : K == 15 ? 512 : 0;
  compress(Hash, W);
  for (int K = 0; K < 8; ++K)
    Digest[K * MESSAGES + I] = Hash[K];
}

kernel void multiply(global const float *A, global const float *B,
                     global float *C) {
  size_t X = get_global_id(0), Y = get_global_id(1);
  float Sum = 0;
  for (size_t K = 0; K < SIDE; ++K)
    Sum += A[Y * SIDE + K] * B[K * SIDE + X];
  C[Y * SIDE + X] = Sum;
}

float normal(float D) {
  float K = 1 / (1 + 0.2316419f * fabs(D));
  float Tail =
      0.39894228f * exp(-0.5f * D * D) * K *
      (0.31938153f +
       K * (-0.356563782f +
            K * (1.781477937f + K * (-1.821255978f + K * 1.330274429f))));
  return D > 0 ? 1 - Tail : Tail;
}

kernel void blackScholes(global const float *Prices,
                         global const float *Strikes,
                         global const float *AllYears, global float *Call,
                         global float *Put) {
  size_t I = get_global_id(0);
  float Price = Prices[I], Strike = Strikes[I], Years = AllYears[I];
  float Root = sqrt(Years);
  float D1 = (log(Price / Strike) +
              (RATE + 0.5f * VOLATILITY * VOLATILITY) * Years) /
             (VOLATILITY * Root);
  float D2 = D1 - VOLATILITY * Root;
  float Discounted = Strike * exp(-RATE * Years);
  Call[I] = Price * normal(D1) - Discounted * normal(D2);
  Put[I] = Discounted * normal(-D2) - Price * normal(-D1);
}

kernel void mandelbrot(global uint *Steps) {
  size_t X = get_global_id(0), Y = get_global_id(1);
  float Cr = (float)X * (3.f / PIXELS) - 2.25f;
  float Ci = (float)Y * (3.f / PIXELS) - 1.5f;
  float Re = 0, Im = 0;
  uint N = 0;
  for (; N < LIMIT && Re * Re + Im * Im <= 4; ++N) {
    float Next = Re * Re - Im * Im + Cr;
    Im = 2 * Re * Im + Ci;
    Re = Next;
  }
  Steps[Y * PIXELS + X] = N;
}
)";

static std::string constants() {
  return define("MESSAGES", Messages) + define("SIDE", MatrixSide) +
         define("RATE", double(Rate)) +
         define("VOLATILITY", double(Volatility)) +
         define("PIXELS", MandelbrotSide) +
         define("LIMIT", std::size_t(MandelbrotLimit));
}

static Answer runSha256() {
  std::vector<std::uint32_t> Word = messages(), Digest(8 * Messages);
  Buffer Bw(Word), Bd(Digest);
  Kernel K(Text, "sha256", constants());
  K.with(Bw, Bd);
  double Seconds = timeOf([&] { K.run({Messages}); });
  return {Seconds, sumOf(Digest)};
}

static Answer runMultiply() {
  std::vector<float> A = wholeNumbers(MatrixCount, 8, 13),
                     B = wholeNumbers(MatrixCount, 8, 14), C(MatrixCount);
  Buffer Ba(A), Bb(B), Bc(C);
  Kernel K(Text, "multiply", constants());
  K.with(Ba, Bb, Bc);
  double Seconds = timeOf([&] { K.run({MatrixSide, MatrixSide}); });
  return {Seconds, sumOf(C)};
}

static Answer runBlackScholes() {
  Market M;
  Buffer Price(M.Price), Strike(M.Strike), Years(M.Years), Call(M.Call),
      Put(M.Put);
  Kernel K(Text, "blackScholes", constants());
  K.with(Price, Strike, Years, Call, Put);
  double Seconds = timeOf([&] { K.run({Options}); });
  return {Seconds, sumOf(M.Call) + sumOf(M.Put)};
}

static Answer runMandelbrot() {
  std::vector<std::uint32_t> Steps(MandelbrotSide * MandelbrotSide);
  Buffer B(Steps);
  Kernel K(Text, "mandelbrot", constants());
  K.with(B);
  double Seconds = timeOf([&] { K.run({MandelbrotSide, MandelbrotSide}); });
  return {Seconds, sumOf(Steps)};
}

Benchmarks numerics() {
  return {{"sha-256", runSha256},
          {"matmul", runMultiply},
          {"black-scholes", runBlackScholes},
          {"mandelbrot", runMandelbrot}};
}
