//===- Rounding.h - To integers, for CPUs that have no instruction *- C ---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before SSE4.1 these are calls. Adding and subtracting a number whose unit in
// the last place is 1 rounds to the nearest integer; the other directions are a
// step from there. Larger numbers are integers already.
//
//===----------------------------------------------------------------------===//

#define FERRY_ROUNDING(FLOAT, SUFFIX, SHIFT)                                   \
  static inline FLOAT nearest##SUFFIX(FLOAT magnitude) {                       \
    FLOAT r = (magnitude + SHIFT) - SHIFT;                                     \
    return magnitude < SHIFT ? r : magnitude;                                  \
  }                                                                            \
  FLOAT FERRY(rint##SUFFIX)(FLOAT x) {                                         \
    return __builtin_copysign##SUFFIX(                                         \
        nearest##SUFFIX(__builtin_fabs##SUFFIX(x)), x);                        \
  }                                                                            \
  FLOAT FERRY(floor##SUFFIX)(FLOAT x) {                                        \
    FLOAT r = FERRY(rint##SUFFIX)(x), step = r > x ? 1 : 0;                    \
    return __builtin_copysign##SUFFIX(r - step, x);                            \
  }                                                                            \
  FLOAT FERRY(ceil##SUFFIX)(FLOAT x) {                                         \
    FLOAT r = FERRY(rint##SUFFIX)(x), step = r < x ? 1 : 0;                    \
    return __builtin_copysign##SUFFIX(r + step, x);                            \
  }                                                                            \
  FLOAT FERRY(trunc##SUFFIX)(FLOAT x) {                                        \
    FLOAT a = __builtin_fabs##SUFFIX(x), r = nearest##SUFFIX(a);               \
    FLOAT step = r > a ? 1 : 0;                                                \
    return __builtin_copysign##SUFFIX(r - step, x);                            \
  }                                                                            \
  FLOAT FERRY(round##SUFFIX)(FLOAT x) {                                        \
    FLOAT a = __builtin_fabs##SUFFIX(x), r = nearest##SUFFIX(a);               \
    FLOAT step = a - r == (FLOAT)0.5 ? 1 : 0; /* a tie that went down */       \
    return __builtin_copysign##SUFFIX(r + step, x);                            \
  }
FERRY_ROUNDING(float, f, 0x1p23f)
FERRY_ROUNDING(double, , 0x1p52)
