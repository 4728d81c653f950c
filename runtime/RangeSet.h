//===- RangeSet.h - A set of bytes ------------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorted ranges with gaps between them, in memory from malloc.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_RANGESET_H
#define FERRY_RUNTIME_RANGESET_H

#include "Ranges.h"
#include <algorithm>

namespace ferry::rt {

class RangeSet {
public:
  RangeSet() = default;
  ~RangeSet();
  RangeSet(const RangeSet &) = delete;
  RangeSet &operator=(const RangeSet &) = delete;

  bool empty() const { return Count == 0; }
  void clear() { Count = 0; }

  /// Without memory for the bookkeeping they return false, and the set is what
  /// it was.
  [[nodiscard]] bool add(Range R);
  [[nodiscard]] bool remove(Range R);

  /// Calls F(range) for each part of R that is in the set. F must not change
  /// the set.
  template <typename Function> void inside(Range R, Function F) const {
    for (uint32_t I = firstAfter(R.Begin); I < Count && At[I].Begin < R.End;
         ++I)
      F(Range{std::max(At[I].Begin, R.Begin), std::min(At[I].End, R.End)});
  }

  /// Calls F(range) for each part of R that is not.
  template <typename Function> void missing(Range R, Function F) const {
    uint64_t From = R.Begin;
    inside(R, [&](Range Part) {
      if (From < Part.Begin)
        F(Range{From, Part.Begin});
      From = Part.End;
    });
    if (From < R.End)
      F(Range{From, R.End});
  }

  uint64_t bytesIn(Range R) const {
    uint64_t Bytes = 0;
    inside(R, [&](Range Part) { Bytes += Part.End - Part.Begin; });
    return Bytes;
  }

  bool overlaps(Range R) const {
    uint32_t I = firstAfter(R.Begin);
    return !R.empty() && I < Count && At[I].Begin < R.End;
  }

private:
  Range *At = nullptr;
  uint32_t Count = 0, Room = 0;

  /// The first range that ends after `Byte`.
  uint32_t firstAfter(uint64_t Byte) const {
    return std::partition_point(At, At + Count,
                                [&](Range R) { return R.End <= Byte; }) -
           At;
  }

  bool reserve(uint32_t Wanted);
  /// Puts `N` new ranges where [First, Last) were.
  bool replace(uint32_t First, uint32_t Last, const Range *New, uint32_t N);
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_RANGESET_H
