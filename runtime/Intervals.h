//===- Intervals.h - Whole numbers that are not quite known -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are exact, in 128 bits; what needs more is taken for unknown.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_INTERVALS_H
#define FERRY_RUNTIME_INTERVALS_H

#include <algorithm>
#include <cstdint>

namespace ferry::rt {

using Int = __int128;

/// More would risk an overflow of the next product or sum.
inline constexpr Int Most = Int(1) << 110;
/// Turns of a loop that nobody has counted.
inline constexpr Int Countless = Int(1) << 62;

/// All values from Lo to Hi. Not Known, as Interval() is: any.
struct Interval {
  Int Lo, Hi;
  bool Known;

  bool isPoint() const { return Known && Lo == Hi; }
};

inline Interval interval(Int Lo, Int Hi) {
  return {Lo, Hi, -Most <= Lo && Lo <= Hi && Hi <= Most};
}

inline Interval point(Int V) { return interval(V, V); }

/// The product, or more than Most.
inline Int product(Int A, Int B) {
  auto Size = [](Int V) -> int {
    auto U = static_cast<unsigned __int128>(V < 0 ? -V : V);
    auto High = static_cast<uint64_t>(U >> 64), Low = static_cast<uint64_t>(U);
    return High ? 128 - __builtin_clzll(High)
                : (Low ? 64 - __builtin_clzll(Low) : 0);
  };
  auto Fits = [](Int V) { return V == static_cast<int32_t>(V); };
  if ((Fits(A) && Fits(B)) || Size(A) + Size(B) <= 110)
    return A * B;
  return Most + 1;
}

inline Interval add(Interval A, Interval B) {
  if (!A.Known || !B.Known)
    return Interval();
  return interval(A.Lo + B.Lo, A.Hi + B.Hi);
}

inline Interval multiply(Interval A, Interval B) {
  if (!A.Known || !B.Known)
    return Interval();
  if (A.isPoint() && B.isPoint()) {
    Int P = product(A.Lo, B.Lo);
    return P > Most ? Interval() : point(P);
  }
  Int P[] = {product(A.Lo, B.Lo), product(A.Lo, B.Hi), product(A.Hi, B.Lo),
             product(A.Hi, B.Hi)};
  for (Int V : P)
    if (V > Most)
      return Interval();
  return interval(std::min({P[0], P[1], P[2], P[3]}),
                  std::max({P[0], P[1], P[2], P[3]}));
}

/// Both are not negative. Nothing is divided by zero.
inline Interval divide(Interval A, Interval B, bool Remainder) {
  if (!B.Known || B.Hi < 1 || (!A.Known && !Remainder))
    return Interval();
  if (!A.Known)
    return interval(0, B.Hi - 1);
  Int Least = std::max<Int>(B.Lo, 1);
  if (!Remainder)
    return interval(A.Lo / B.Hi, A.Hi / Least);
  if (A.isPoint() && B.isPoint())
    return point(A.Lo % Least);
  if (A.Hi < Least)
    return A;
  return interval(0, std::min(A.Hi, B.Hi - 1));
}

/// The number that the kernel has in `Bits` bits, counting from `Least`.
inline Interval wrap(Interval V, unsigned Bits, Int Least) {
  Int Size = Int(1) << Bits;
  Interval All = interval(Least, Least + Size - 1);
  if (!V.Known)
    return All;
  auto Turn = [&](Int X) {
    Int From = X - Least;
    return From >= 0 ? From / Size : -((-From + Size - 1) / Size);
  };
  if (V.Lo >= All.Lo && V.Hi <= All.Hi)
    return V;
  Int First = Turn(V.Lo);
  if (First != Turn(V.Hi))
    return All;
  return interval(V.Lo - First * Size, V.Hi - First * Size);
}

inline Interval wrapUnsigned(Interval V, unsigned Bits) {
  return wrap(V, Bits, 0);
}
inline Interval wrapSigned(Interval V, unsigned Bits) {
  return wrap(V, Bits, -(Int(1) << (Bits - 1)));
}

} // namespace ferry::rt

#endif // FERRY_RUNTIME_INTERVALS_H
