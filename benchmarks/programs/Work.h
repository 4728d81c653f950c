//===- Work.h - What the benchmarks work on ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and inputs, the same for every competitor. Where a sum's order differs
// between them, the inputs are small whole numbers, whose sums are exact.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_WORK_H
#define FERRY_BENCHMARKS_WORK_H

#include "Serve.h"
#include <cstdint>

using Benchmarks = std::map<std::string, std::function<Answer()>>;

/// A small generator with the same numbers everywhere.
class Numbers {
public:
  explicit Numbers(std::uint32_t Seed) : State(Seed * 2654435761u + 1) {}
  std::uint32_t next() {
    State ^= State << 13;
    State ^= State >> 17;
    State ^= State << 5;
    return State;
  }
  std::uint32_t below(std::uint32_t Limit) { return next() % Limit; }
  float between(float Low, float High) {
    return Low + (High - Low) * float(next() >> 8) * 0x1p-24f;
  }

private:
  std::uint32_t State;
};

inline std::vector<float> wholeNumbers(std::size_t N, unsigned Limit,
                                       std::uint32_t Seed) {
  Numbers Random(Seed);
  std::vector<float> V(N);
  for (float &X : V)
    X = float(Random.below(Limit));
  return V;
}

inline std::vector<float> fractions(std::size_t N, float Low, float High,
                                    std::uint32_t Seed) {
  Numbers Random(Seed);
  std::vector<float> V(N);
  for (float &X : V)
    X = Random.between(Low, High);
  return V;
}

template <class T> double sumOf(const std::vector<T> &V) {
  double Sum = 0;
  for (const T &X : V)
    Sum += double(X);
  return Sum;
}

/// A cube with a halo, for the 7-point stencil.
constexpr std::size_t CubeSide = 256,
                      CubeCount = CubeSide * CubeSide * CubeSide;

/// A sparse matrix of 2^18 rows with 8 to 24 entries near the diagonal.
struct SparseMatrix {
  static constexpr std::size_t Rows = 1 << 18;
  std::vector<std::uint32_t> Start, Column;
  std::vector<float> Value, X, Y;
  SparseMatrix() : X(wholeNumbers(Rows, 16, 3)), Y(Rows) {
    Numbers Random(2);
    Start.push_back(0);
    for (std::size_t Row = 0; Row < Rows; ++Row) {
      for (unsigned K = 0, E = 8 + Random.below(17); K < E; ++K) {
        Column.push_back((Row + Random.below(4096)) % Rows);
        Value.push_back(float(Random.below(16)));
      }
      Start.push_back(Column.size());
    }
  }
};

/// A D2Q9 lattice: nine planes of distributions, one after the other.
constexpr std::size_t LatticeSide = 1024,
                      LatticeCount = LatticeSide * LatticeSide;
constexpr float Relaxation = 1.2f;
inline std::vector<float> lattice() {
  std::vector<float> F(9 * LatticeCount);
  constexpr float Weight[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                               1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  for (std::size_t Q = 0; Q < 9; ++Q)
    for (std::size_t I = 0; I < LatticeCount; ++I)
      F[Q * LatticeCount + I] = Weight[Q] * (1 + 0.01f * float(I % 7));
  return F;
}

/// Positions and masses, and where the accelerations go.
constexpr std::size_t Bodies = 8192;
constexpr float Softening = 0.01f;
struct System {
  std::vector<float> X = fractions(Bodies, -1, 1, 6),
                     Y = fractions(Bodies, -1, 1, 7),
                     Z = fractions(Bodies, -1, 1, 8),
                     Mass = fractions(Bodies, 0, 1, 9);
  std::vector<float> Ax = std::vector<float>(Bodies), Ay = Ax, Az = Ax;
};

/// Points and centres, one array a coordinate.
constexpr std::size_t Points = 1 << 19, Clusters = 16, Dimensions = 8;
struct Cloud {
  std::vector<float> Point = fractions(Points * Dimensions, 0, 1, 4),
                     Centre = fractions(Clusters * Dimensions, 0, 1, 5);
  std::vector<std::uint32_t> Nearest = std::vector<std::uint32_t>(Points);
};

/// Messages of 64 bytes; word W of message I is at W * Messages + I, big-endian
/// already.
constexpr std::size_t Messages = 1 << 17;
inline std::vector<std::uint32_t> messages() {
  Numbers Random(9);
  std::vector<std::uint32_t> V(16 * Messages);
  for (std::uint32_t &X : V)
    X = Random.next();
  return V;
}
inline constexpr std::uint32_t RoundConstants[64] = {
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
inline constexpr std::uint32_t InitialHash[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::size_t MatrixSide = 512, MatrixCount = MatrixSide * MatrixSide;

constexpr std::size_t Options = 1 << 20;
constexpr float Rate = 0.02f, Volatility = 0.3f;
struct Market {
  std::vector<float> Price = fractions(Options, 5, 30, 10),
                     Strike = fractions(Options, 1, 100, 11),
                     Years = fractions(Options, 0.25f, 10, 12);
  std::vector<float> Call = std::vector<float>(Options), Put = Call;
};

constexpr std::size_t MandelbrotSide = 1024;
constexpr int MandelbrotLimit = 256;

/// Blocks of threads that work together.
constexpr std::size_t DotThreads = 256, DotEach = 16,
                      DotBlock = DotThreads * DotEach;
constexpr std::size_t SumBlock = 1024;
constexpr std::size_t HistogramBlock = 1 << 16, HistogramThreads = 256;
constexpr std::size_t SortCount = 1 << 20, SortBlock = 1024;
constexpr std::size_t ScanCount = 1 << 23, ScanBlock = 512;
constexpr std::size_t Rows = 4096, Columns = 1024;
inline std::vector<std::uint8_t> bytes() {
  Numbers Random(15);
  std::vector<std::uint8_t> V(Count);
  for (auto &X : V)
    X = std::uint8_t(Random.next() >> 8);
  return V;
}

#endif // FERRY_BENCHMARKS_WORK_H
