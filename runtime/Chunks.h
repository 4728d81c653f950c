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
  /// Units are threads or blocks; nobody knows what one costs. So a small
  /// launch is cut into a few pieces a host thread, however small these get,
  /// and only a larger one into more, which even out the load but cost time to
  /// hand out.
  Chunks(const uint64_t Extent[3], unsigned Threads) {
    std::copy_n(Extent, 3, this->Extent);
    uint64_t Units = Extent[0] * Extent[1] * Extent[2];
    uint64_t Few = uint64_t(Threads) * 8, Many = uint64_t(Threads) * 32;
    uint64_t Wanted = Threads == 1 ? 1 : std::clamp(Units / 1024, Few, Many);
    // x is cut at multiples of 64 where there are enough: whole vectors of
    // every type, and whole cache lines.
    while (Grain > 1 && Units / Grain < Wanted)
      Grain /= 2;
    Pieces[2] = std::min(Extent[2], Wanted);
    Pieces[1] = std::min(Extent[1], ceilDiv(Wanted, Pieces[2]));
    Pieces[0] = std::min(ceilDiv(Extent[0], Grain),
                         ceilDiv(Wanted, Pieces[2] * Pieces[1]));
  }

  uint32_t count() const { return Pieces[0] * Pieces[1] * Pieces[2]; }

  void get(uint32_t Index, uint64_t Begin[3], uint64_t End[3]) const {
    uint64_t X = Index % Pieces[0], Rest = Index / Pieces[0];
    uint64_t Grains = ceilDiv(Extent[0], Grain);
    Begin[0] = X * Grains / Pieces[0] * Grain;
    End[0] = std::min((X + 1) * Grains / Pieces[0] * Grain, Extent[0]);
    uint64_t Y = Rest % Pieces[1], Z = Rest / Pieces[1];
    Begin[1] = Y * Extent[1] / Pieces[1];
    End[1] = (Y + 1) * Extent[1] / Pieces[1];
    Begin[2] = Z * Extent[2] / Pieces[2];
    End[2] = (Z + 1) * Extent[2] / Pieces[2];
  }

private:
  static uint64_t ceilDiv(uint64_t A, uint64_t B) { return (A + B - 1) / B; }
  uint64_t Extent[3], Pieces[3], Grain = 64;
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_CHUNKS_H
