//===- Relations.h - Which values meet a condition --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relations of ferry/access.h between a value and a bound of which only an
// interval may be known, as ends: Lower <= value < Upper.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_RELATIONS_H
#define FERRY_RUNTIME_RELATIONS_H

#include "Intervals.h"
#include "Public.h"

namespace ferry::rt {

/// All but one value, which must be an end.
inline bool without(Int One, Interval Value, Int &Lower, Int &Upper) {
  if (One == Value.Lo)
    Lower = std::max(Lower, One + 1);
  else if (One == Value.Hi)
    Upper = std::min(Upper, One);
  else
    return One < Value.Lo || One > Value.Hi;
  return true;
}

/// Values that the condition certainly lets through.
inline bool mustBounds(uint32_t Relation, unsigned Width, Interval Bound,
                       Interval Value, Int &Lower, Int &Upper) {
  Int Size = Int(1) << Width;
  Lower = Relation == FERRY_WHEN_SLT ? -Size / 2 : 0;
  Upper = Relation == FERRY_WHEN_SGE ? Size / 2 : Size;
  switch (Relation) {
  case FERRY_WHEN_ULT:
  case FERRY_WHEN_SLT:
    Upper = Bound.Lo;
    return true;
  case FERRY_WHEN_UGE:
  case FERRY_WHEN_SGE:
    Lower = Bound.Hi;
    return true;
  case FERRY_WHEN_EQ:
    Lower = Bound.Lo;
    Upper = Bound.Lo + 1;
    return Bound.isPoint();
  default: // FERRY_WHEN_NE
    return Bound.isPoint() && Value.Known &&
           without(Bound.Lo, Value, Lower, Upper);
  }
}

/// Values outside of which the condition certainly lets nothing through. The
/// kernel compares wrapped numbers, so theirs must be the exact ones.
inline bool mayBounds(uint32_t Relation, unsigned Width, Interval Bound,
                      Interval Value, Int &Lower, Int &Upper) {
  Int Size = Int(1) << Width;
  Lower = -Most;
  Upper = Most;
  bool Unsigned = Value.Known && Value.Lo >= 0 && Value.Hi < Size;
  bool Signed = Value.Known && Value.Lo >= -Size / 2 && Value.Hi < Size / 2;
  switch (Relation) {
  case FERRY_WHEN_ULT:
    // A value that is negative here is a huge one there.
    Lower = 0;
    Upper = Bound.Hi;
    return Value.Known && Value.Hi < Size && Value.Lo + Size >= Bound.Hi;
  case FERRY_WHEN_UGE:
    Lower = Bound.Lo;
    return Unsigned;
  case FERRY_WHEN_SLT:
    Upper = Bound.Hi;
    return Signed;
  case FERRY_WHEN_SGE:
    Lower = Bound.Lo;
    return Signed;
  case FERRY_WHEN_EQ:
    Lower = Bound.Lo;
    Upper = Bound.Hi + 1;
    return Unsigned;
  default: // FERRY_WHEN_NE
    return Bound.isPoint() && Unsigned &&
           without(Bound.Lo, Value, Lower, Upper);
  }
}

} // namespace ferry::rt

#endif // FERRY_RUNTIME_RELATIONS_H
