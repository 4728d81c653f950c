//===- RangeSet.cpp - A set of bytes --------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeSet.h"
#include <cstdlib>
#include <cstring>

namespace ferry::rt {

RangeSet::~RangeSet() { free(At); }

bool RangeSet::reserve(uint32_t Wanted) {
  if (Wanted <= Room)
    return true;
  uint32_t More = std::max(Wanted, Room * 2 + 4);
  void *Memory = realloc(At, More * sizeof(Range));
  if (!Memory)
    return false;
  At = static_cast<Range *>(Memory);
  Room = More;
  return true;
}

bool RangeSet::replace(uint32_t First, uint32_t Last, const Range *New,
                       uint32_t N) {
  if (!reserve(Count - (Last - First) + N))
    return false;
  memmove(At + First + N, At + Last, (Count - Last) * sizeof(Range));
  for (uint32_t I = 0; I < N; ++I)
    At[First + I] = New[I];
  Count = Count - (Last - First) + N;
  return true;
}

bool RangeSet::add(Range R) {
  if (R.empty())
    return true;
  // Those that touch R become one with it.
  uint32_t First = firstAfter(R.Begin == 0 ? 0 : R.Begin - 1), Last = First;
  for (; Last < Count && At[Last].Begin <= R.End; ++Last) {
    R.Begin = std::min(R.Begin, At[Last].Begin);
    R.End = std::max(R.End, At[Last].End);
  }
  return replace(First, Last, &R, 1);
}

bool RangeSet::remove(Range R) {
  if (R.empty())
    return true;
  uint32_t First = firstAfter(R.Begin), Last = First, N = 0;
  Range Left[2];
  for (; Last < Count && At[Last].Begin < R.End; ++Last) {
    if (At[Last].Begin < R.Begin)
      Left[N++] = {At[Last].Begin, R.Begin};
    if (At[Last].End > R.End)
      Left[N++] = {R.End, At[Last].End};
  }
  return replace(First, Last, Left, N);
}

} // namespace ferry::rt
