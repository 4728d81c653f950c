//===- Chunks.h - Cuts a launch into boxes ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch is cut along z, then y, then x, until there are enough boxes to
// share out: whole rows as long as there are enough of them, since a row is
// what vectorises. Boxes are numbered x first, so that neighbours in memory are
// neighbours in number.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_CHUNKS_H
#define FERRY_RUNTIME_CHUNKS_H

#include "Public.h"
#include <algorithm>

namespace ferry::rt {

class Chunks {
public:
  /// Units are threads, or blocks of `UnitThreads` threads. A small launch is
  /// cut into a few pieces a host thread, however small these get, and only a
  /// larger one into more, which even out the load but cost time to hand out;
  /// or one that is expected to take long: `Nanoseconds` on one host thread, 0
  /// if nobody knows.
  Chunks(const uint64_t Extent[3], unsigned Threads, uint64_t UnitThreads = 1,
         double Nanoseconds = 0) {
    uint64_t Units = Extent[0] * Extent[1] * Extent[2];
    uint64_t Few = uint64_t(Threads) * 8, Many = uint64_t(Threads) * 32;
    uint64_t Wanted = 1, Finer = 1;
    if (Threads > 1) {
      Wanted = std::clamp(Units * UnitThreads / ThreadsPerChunk, Few, Many);
      Finer = std::min<double>(Nanoseconds / NanosecondsPerChunk, Many);
    }
    if (UnitThreads > 1)
      Wanted = std::max(Wanted, Finer);
    // x is cut at multiples of 64 where there are enough: whole vectors of
    // every type, and whole cache lines.
    uint64_t Grain = WholeVectors;
    while (Grain > 1 && Units / Grain < Wanted)
      Grain /= 2;
    // A thread outside a vector may round in another way, which must not depend
    // on how long something took.
    if (Grain == WholeVectors)
      Wanted = std::max(Wanted, Finer);
    Z.cut(Extent[2], 1, Wanted);
    Y.cut(Extent[1], 1, ceilDiv(Wanted, Z.Pieces));
    X.cut(Extent[0], Grain, ceilDiv(Wanted, Z.Pieces * Y.Pieces));
  }

  uint32_t count() const { return X.Pieces * Y.Pieces * Z.Pieces; }

  void get(uint32_t Index, uint64_t Begin[3], uint64_t End[3]) const {
    uint32_t Row = 0, Plane = 0;
    if (Index >= X.Pieces) {
      Row = Index / X.Pieces;
      Index %= X.Pieces;
    }
    if (Row >= Y.Pieces) {
      Plane = Row / Y.Pieces;
      Row %= Y.Pieces;
    }
    X.get(Index, Begin[0], End[0]);
    Y.get(Row, Begin[1], End[1]);
    Z.get(Plane, Begin[2], End[2]);
  }

private:
  static constexpr uint64_t ThreadsPerChunk = 4096;
  static constexpr double NanosecondsPerChunk = 50'000;
  static constexpr uint64_t WholeVectors = 64;

  static uint64_t ceilDiv(uint64_t A, uint64_t B) { return (A + B - 1) / B; }

  /// One dimension: `Pieces` pieces, of which the first `Longer` have one grain
  /// more than the others.
  struct Cut {
    uint64_t Extent, Grain, Each, Longer;
    uint32_t Pieces;

    void cut(uint64_t Whole, uint64_t GrainSize, uint64_t Wanted) {
      Extent = Whole;
      Grain = GrainSize;
      uint64_t Grains = ceilDiv(Extent, Grain);
      Pieces = std::min(Grains, Wanted);
      Each = Grains / Pieces;
      Longer = Grains % Pieces;
    }

    void get(uint64_t Piece, uint64_t &Begin, uint64_t &End) const {
      Begin = (Piece * Each + std::min(Piece, Longer)) * Grain;
      uint64_t Length = (Each + (Piece < Longer)) * Grain;
      End = std::min(Begin + Length, Extent);
    }
  };

  Cut X, Y, Z;
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_CHUNKS_H
