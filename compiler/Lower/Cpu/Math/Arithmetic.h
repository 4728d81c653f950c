//===- Arithmetic.h - What the functions are built of -----------*- C -*---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of twice the precision as unevaluated sums, after Dekker ("A
// floating-point technique for extending the available precision", 1971) and
// Knuth; bits of numbers; polynomials. No comparison here or in the functions
// becomes a branch: both sides are computed and one is selected, so that the
// code runs in vectors of any width.
//
// FERRY_FMA says whether the processor multiplies and adds in one instruction.
// Without it llvm.fma is a call, so then everything has to be right with two
// roundings.
//
//===----------------------------------------------------------------------===//

typedef unsigned long long u64;
typedef unsigned int u32;

#define INF __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")
#define INF_F __builtin_inff()
#define NOT_A_NUMBER_F __builtin_nanf("")

static inline u64 bits(double x) { return __builtin_bit_cast(u64, x); }
static inline u32 bitsf(float x) { return __builtin_bit_cast(u32, x); }
static inline double fromBits(u64 b) { return __builtin_bit_cast(double, b); }
static inline float fromBitsf(u32 b) { return __builtin_bit_cast(float, b); }

#if FERRY_FMA
static inline double mad(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
static inline float madf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
#else
static inline double mad(double a, double b, double c) { return a * b + c; }
static inline float madf(float a, float b, float c) { return a * b + c; }
#endif

// `x * (C[0] + C[1] x + ...)` of an array is POLY(C, x) * x.
#define POLY(C, x) horner(C, sizeof(C) / sizeof(*C), x)
#define POLYF(C, x) hornerf(C, sizeof(C) / sizeof(*C), x)

static inline double horner(const double *c, int n, double x) {
  double r = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i)
    r = mad(r, x, c[i]);
  return r;
}
static inline float hornerf(const float *c, int n, float x) {
  float r = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i)
    r = madf(r, x, c[i]);
  return r;
}

// c ? a : b where a or b is more than a name: the language would branch.
static inline double pick(_Bool c, double a, double b) { return c ? a : b; }
static inline float pickf(_Bool c, float a, float b) { return c ? a : b; }

// A number is hi + lo.
typedef struct {
  double hi, lo;
} Pair;

static inline Pair sum(double a, double b) {
  double s = a + b, t = s - a;
  return (Pair){s, (a - (s - t)) + (b - t)};
}

// For |a| >= |b| or a == 0.
static inline Pair quickSum(double a, double b) {
  double s = a + b;
  return (Pair){s, (a - s) + b};
}

static inline Pair product(double a, double b) {
  double p = a * b;
#if FERRY_FMA
  return (Pair){p, __builtin_fma(a, b, -p)};
#else
  double ah = fromBits(bits(a) & ~0x7ffffffull), al = a - ah,
         bh = fromBits(bits(b) & ~0x7ffffffull), bl = b - bh;
  return (Pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
#endif
}

// a - b * c, where that is small beside a: the remainder of a division.
static inline double residual(double a, double b, double c) {
#if FERRY_FMA
  return __builtin_fma(-b, c, a);
#else
  Pair p = product(b, c);
  return (a - p.hi) - p.lo;
#endif
}

// n / d, with an error far below a unit in the last place of lo.
static inline Pair quotient(Pair n, Pair d) {
  double inverse = 1 / d.hi, q = n.hi * inverse;
  double rest = residual(n.hi, q, d.hi) + (n.lo - q * d.lo);
  return (Pair){q, rest * inverse};
}

// The square root of t > 0 likewise; of 0 it is 0.
static inline Pair squareRoot(Pair t) {
  double h = __builtin_sqrt(t.hi);
  double l = (residual(t.hi, h, h) + t.lo) / (2 * h);
  return (Pair){h, h > 0 ? l : 0};
}

// The nearest integer to |x| < 2^51, by adding a number so large that its unit
// in the last place is one. `magic` holds the integer in its low bits.
#define SHIFTER 0x1.8p52
#define SHIFTER_F 0x1.8p23f

// 2^k for an integer k of [-1022, 1023].
static inline double powerOfTwo(double k) {
  return fromBits(bits(k + (SHIFTER + 1023)) << 52);
}
static inline float powerOfTwof(float k) {
  return fromBitsf(bitsf(k + (SHIFTER_F + 127)) << 23);
}

// x * 2^k for an integer k beyond the exponents of normal numbers.
static inline double scale(double x, double k) {
  double half = (k * 0.5 + SHIFTER) - SHIFTER;
  return x * powerOfTwo(half) * powerOfTwo(k - half);
}
static inline float scalef(float x, float k) {
  float half = (k * 0.5f + SHIFTER_F) - SHIFTER_F;
  return x * powerOfTwof(half) * powerOfTwof(k - half);
}

// NaN stays NaN.
static inline double clamp(double x, double low, double high) {
  double y = x < low ? low : x;
  return y > high ? high : y;
}
static inline float clampf(float x, float low, float high) {
  float y = x < low ? low : x;
  return y > high ? high : y;
}

// x = 2^exponent * mantissa.
typedef struct {
  double exponent, mantissa;
} Split;

// For x > 0, the mantissa from `least` to twice that.
static inline Split split(double x, double least) {
  _Bool subnormal = x < 0x1p-1022;
  double scaled = x * 0x1p54;
  double normal = subnormal ? scaled : x;
  u64 offset = bits(normal) - bits(least);
  u64 biased = (offset + (2048ull << 52)) >> 52; // exponent + 2048
  double exponent = fromBits(biased | bits(0x1p52)) - (0x1p52 + 2048);
  double mantissa = fromBits(bits(normal) - (offset & 0xfffull << 52));
  double lower = exponent - 54;
  return (Split){subnormal ? lower : exponent, mantissa};
}
