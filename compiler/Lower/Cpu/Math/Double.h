//===- Double.h - Exponentials, logarithms and powers of double -*- C -*---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp(x) = 2^k exp(r) with |r| <= ln(2)/2 and a polynomial for the latter
// (Tang, "Table-driven implementation of the exponential function", 1989, here
// without a table). log(x) = k ln(2) + log(m), with log(m) = 2 atanh((m - 1) /
// (m + 1)) (Muller, "Elementary Functions", 3rd ed., chapter 11). Where more
// than 53 bits are needed on the way, as in pow, the leading terms are pairs.
//
//===----------------------------------------------------------------------===//

// exp(x) = 2^k (1 + hi + lo), lo below a unit in the last place of 1.
typedef struct {
  double k, hi, lo;
} Exponential;

// k = x / ln(2) rounded, and x - k ln(2).
static inline Exponential reduceExp(double x) {
  double k = mad(x, LOG2E_1, SHIFTER) - SHIFTER;
  double high = residual(x, k, LN2_SHORT_1), low = -k * LN2_SHORT_2;
  Pair r = quickSum(high, low);
  return (Exponential){k, r.hi, r.lo};
}

// exp(hi + lo) - 1 - hi for a small lo.
static inline double expTail(double hi, double lo) {
  return mad(hi * hi, POLY(Expm1D, hi), lo);
}

// For x from -1080 to 1025 (in units of 2^k, not yet scaled).
static inline double finishExp(double k, double hi, double lo) {
  return scale(1 + (hi + mad(hi * hi, POLY(ExpD, hi), lo)), k);
}

double FERRY(exp)(double x) {
  Exponential e = reduceExp(clamp(x, -746, 710));
  return finishExp(e.k, e.hi, e.lo);
}

double FERRY(exp2)(double x) {
  double y = clamp(x, -1080, 1025);
  double k = (y + SHIFTER) - SHIFTER, r = y - k;
  Pair t = product(r, LN2_1);
  return finishExp(k, t.hi, mad(r, LN2_2, t.lo));
}

double FERRY(exp10)(double x) {
  double y = clamp(x, -325, 309);
  double k = mad(y, LOG2_10_1, SHIFTER) - SHIFTER;
  Pair r = quickSum(residual(y, k, LOG10_2_SHORT_1), -k * LOG10_2_SHORT_2);
  Pair t = product(r.hi, LN10_1);
  return finishExp(k, t.hi, mad(r.lo, LN10_1, mad(r.hi, LN10_2, t.lo)));
}

// The whole of exp(x) - 1 overflows at 709.8, sinh and cosh a little later.
#define HUGE_EXPONENT 710.48

// A quarter of it, for x up to that.
static inline Pair quarterExpm1(double x) {
  Exponential e = reduceExp(x);
  double s = powerOfTwo(e.k - 2);
  Pair r = sum(s - 0.25, s * e.hi);
  return quickSum(r.hi, mad(s, expTail(e.hi, e.lo), r.lo));
}

double FERRY(expm1)(double x) {
  Pair q = quarterExpm1(clamp(x, -60, HUGE_EXPONENT));
  double r = 4 * (q.hi + q.lo);
  return __builtin_fabs(x) < 0x1p-54 ? x : r;
}

// log(1 + f + low) - k ln(2) + 2^k as a whole: x = 2^k (1 + f) (1 + low).
static inline double finishLog(double k, double f, double low) {
  double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
  double r = z * POLY(LogD, z);
  double small = mad(s, half + r, mad(k, LN2_SHORT_2, low));
  return mad(k, LN2_SHORT_1, f - (half - small));
}

// What log gives where x is no positive finite number.
static inline double logOfAny(double x, double r) {
  r = x < INF ? r : x + x;
  r = x == 0 ? -INF : r;
  return x < 0 ? NOT_A_NUMBER : r;
}

static const double SQRT_HALF = 0x1.6a09e667f3bcdp-1;

double FERRY(log)(double x) {
  Split p = split(x, SQRT_HALF);
  return logOfAny(x, finishLog(p.exponent, p.mantissa - 1, 0));
}

// log(1 + y) + more ln(2), for y > -1.
static inline double logOnePlus(Pair y, double more) {
  Pair u = sum(1, y.hi);
  u.lo += y.lo;
  Split p = split(u.hi, SQRT_HALF);
  double k = p.exponent;
  double f = p.mantissa - 1, below = u.lo * powerOfTwo(clamp(-k, -100, 100));
  f = k == 0 ? y.hi : f;
  below = k == 0 ? y.lo : below;
  below = k > 100 ? 0 : below;
  below *= 1 - f * (1 - f * (1 - f)); // divided by 1 + f
  return finishLog(k + more, f, below);
}

double FERRY(log1p)(double x) {
  double r = logOnePlus((Pair){x, 0}, 0);
  r = __builtin_fabs(x) < 0x1p-54 ? x : r;
  r = x < INF ? r : x + x;
  r = x == -1 ? -INF : r;
  return x < -1 ? NOT_A_NUMBER : r;
}

// log(x) = exponent ln(2) + hi + lo, to 100 bits or so.
typedef struct {
  double exponent;
  Pair log;
} Logarithm;

static inline Logarithm precise(double x) {
  Split p = split(x, SQRT_HALF);
  double f = p.mantissa - 1;
  Pair s = quotient((Pair){f, 0}, quickSum(2, f));
  s = quickSum(s.hi, s.lo);
  Pair z = product(s.hi, s.hi);
  z.lo = mad(2 * s.hi, s.lo, z.lo);
  Pair cube = product(s.hi, z.hi);
  cube.lo = mad(s.lo, z.hi, mad(s.hi, z.lo, cube.lo));
  Pair c =
      quickSum(TWO_THIRDS_1, mad(z.hi, POLY(LogTailD, z.hi), TWO_THIRDS_2));
  Pair t = product(cube.hi, c.hi);
  t.lo = mad(cube.hi, c.lo, mad(cube.lo, c.hi, t.lo));
  Pair r = quickSum(2 * s.hi, t.hi);
  return (Logarithm){p.exponent, {r.hi, r.lo + (2 * s.lo + t.lo)}};
}

// The logarithm to base two, as a pair.
static inline Pair preciseLog2(double x) {
  Logarithm l = precise(x);
  Pair p = product(l.log.hi, LOG2E_1);
  p.lo = mad(l.log.hi, LOG2E_2, mad(l.log.lo, LOG2E_1, p.lo));
  Pair r = sum(l.exponent, p.hi);
  return quickSum(r.hi, r.lo + p.lo);
}

double FERRY(log2)(double x) { return logOfAny(x, preciseLog2(x).hi); }

double FERRY(log10)(double x) {
  Logarithm l = precise(x);
  Pair p = product(l.log.hi, LOG10E_1);
  p.lo = mad(l.log.hi, LOG10E_2, mad(l.log.lo, LOG10E_1, p.lo));
  p.lo = mad(l.exponent, LOG10_2_SHORT_2, p.lo);
  Pair r = sum(l.exponent * LOG10_2_SHORT_1, p.hi);
  return logOfAny(x, r.hi + (r.lo + p.lo));
}

// Of |x|; rounding to an integer is adding 2^52.
static inline _Bool isInteger(double magnitude) {
  return magnitude >= 0x1p52 || (magnitude + 0x1p52) - 0x1p52 == magnitude;
}

// C17, F.10.4.4, given |x|^y for finite x other than 0.
static inline double powOfAny(double x, double y, double r) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  _Bool integer = isInteger(b), odd = integer & !isInteger(0.5 * b);
  double edge = (a == 0) == (y < 0) ? INF : 0;
  r = ((a == 0) | (a == INF)) ? edge : r;
  double whole = __builtin_copysign(r, odd ? x : 1);
  r = ((x < 0) & !integer & (x > -INF)) ? NOT_A_NUMBER : whole;
  r = ((x != x) | (y != y)) ? x + y : r;
  return ((y == 0) | (x == 1)) ? 1 : r;
}

double FERRY(pow)(double x, double y) {
  Pair l = preciseLog2(__builtin_fabs(x));
  // Past this, every x but 1 gives infinity or nothing.
  double exponent = clamp(y, -0x1p66, 0x1p66);
  Pair p = product(l.hi, exponent);
  double low = mad(l.lo, exponent, p.lo);
  double high = clamp(p.hi, -1080, 1025);
  low = high == p.hi ? low : 0;
  double k = (high + SHIFTER) - SHIFTER;
  Pair r = quickSum(high - k, low), t = product(r.hi, LN2_1);
  t.lo = mad(r.lo, LN2_1, mad(r.hi, LN2_2, t.lo));
  return powOfAny(x, y, finishExp(k, t.hi, t.lo));
}

// With a^(-1/3) to 14 bits, one step of order four gives 53 (Muller, 5.4).
double FERRY(cbrt)(double x) {
  double a = __builtin_fabs(x);
  Split p = split(a, 1);
  double third = mad(p.exponent - 1, 1.0 / 3, SHIFTER) - SHIFTER;
  double rest = mad(-3, third, p.exponent); // 0, 1 or 2
  double root = rest == 0   ? 1
                : rest == 1 ? 0x1.965fea53d6e3dp-1  // 2^(-1/3)
                            : 0x1.428a2f98d728bp-1; // 2^(-2/3)
  double m = p.mantissa * powerOfTwo(rest);
  double z = POLY(CbrtD, p.mantissa) * root;
  double e = mad(-m * z, z * z, 1);
  z = mad(z * e, mad(e, mad(e, 14.0 / 81, 2.0 / 9), 1.0 / 3), z);
  double y = m * z * z;
  Pair square = product(y, y);
  double error = residual(m, square.hi, y) - square.lo * y;
  y = mad(error * (1.0 / 3), z * z, y) * powerOfTwo(third);
  return pick((a > 0) & (a < INF), __builtin_copysign(y, x), x + x);
}

double FERRY(hypot)(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double high = a < b ? b : a, low = a < b ? a : b;
  double up = high < 0x1p-500 ? 0x1p600 : 1,
         back = high < 0x1p-500 ? 0x1p-600 : 1;
  up = high > 0x1p500 ? 0x1p-600 : up;
  back = high > 0x1p500 ? 0x1p600 : back;
  Pair h = product(high * up, high * up), l = product(low * up, low * up);
  Pair t = quickSum(h.hi, l.hi);
  t.lo += h.lo + l.lo;
  Pair root = squareRoot(t);
  double r = (root.hi + root.lo) * back;
  r = ((x != x) | (y != y)) ? x + y : r;
  return ((a == INF) | (b == INF)) ? INF : r;
}
