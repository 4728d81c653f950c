//===- Circular.h - Circular and hyperbolic functions of double -*- C -*---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sin, cos and tan subtract the nearest multiple of pi/2, kept in three doubles
// (Cody and Waite, "Software manual for the elementary functions", 1980), and
// evaluate polynomials for sin and cos of the remainder, which is a pair. That
// is good to 2^32; arguments beyond are left to the C library, whose reduction
// has all the digits of pi, in a branch that hardly any thread takes.
//
// The inverse and hyperbolic functions are the textbook's formulas (Muller,
// chapter 11; Abramowitz and Stegun, 4.4 to 4.6), with pairs where an error
// would be seen in the result.
//
//===----------------------------------------------------------------------===//

double sin(double), cos(double), tan(double);

// Kept out of line, so that the code around stays small.
#define FERRY_FAR(NAME)                                                        \
  __attribute__((noinline, const)) static double FERRY(NAME##Far)(double x) {  \
    return NAME(x);                                                            \
  }
FERRY_FAR(sin)
FERRY_FAR(cos)
FERRY_FAR(tan)

#define FAR 0x1p32

// x = quadrant pi/2 + r; `quadrant` in the low bits.
typedef struct {
  u64 quadrant;
  Pair r;
} Angle;

static inline Angle reduceAngle(double x) {
  double magic = mad(x, TWO_OVER_PI_1, SHIFTER), k = magic - SHIFTER;
  double first = residual(x, k, HALF_PI_1);
  Pair second = product(k, HALF_PI_2);
  Pair r = sum(first, -second.hi);
  r.lo -= mad(k, HALF_PI_3, second.lo);
  return (Angle){bits(magic), quickSum(r.hi, r.lo)};
}

static inline Pair sinPair(Pair r) {
  double z = r.hi * r.hi, low = r.lo * mad(z, -0.5, 1);
  return (Pair){r.hi, mad(r.hi * z, POLY(SinQuarterD, z), low)};
}

static inline Pair cosPair(Pair r) {
  double z = r.hi * r.hi, half = 0.5 * z, high = 1 - half;
  double low = mad(-r.hi, r.lo, z * z * POLY(CosQuarterD, z));
  return (Pair){high, ((1 - high) - half) + low};
}

static inline double sine(Angle a, u64 quadrants) {
  Pair s = sinPair(a.r), c = cosPair(a.r);
  double sinValue = s.hi + s.lo, cosValue = c.hi + c.lo;
  u64 q = a.quadrant + quadrants;
  double r = q & 1 ? cosValue : sinValue;
  return fromBits(bits(r) ^ (q & 2) << 62);
}

double FERRY(sin)(double x) {
  double r = sine(reduceAngle(x), 0);
  r = __builtin_fabs(x) < 0x1p-27 ? x : r;
  if (__builtin_expect(__builtin_fabs(x) > FAR, 0))
    r = FERRY(sinFar)(x);
  return r;
}

double FERRY(cos)(double x) {
  double r = sine(reduceAngle(x), 1);
  if (__builtin_expect(__builtin_fabs(x) > FAR, 0))
    r = FERRY(cosFar)(x);
  return r;
}

double FERRY(tan)(double x) {
  Angle a = reduceAngle(x);
  Pair s = sinPair(a.r), c = cosPair(a.r);
  s = quickSum(s.hi, s.lo);
  c = quickSum(c.hi, c.lo);
  _Bool odd = a.quadrant & 1;
  Pair n = {odd ? -c.hi : s.hi, odd ? -c.lo : s.lo};
  Pair d = {odd ? s.hi : c.hi, odd ? s.lo : c.lo};
  Pair q = quotient(n, d);
  double r = q.hi + q.lo;
  r = __builtin_fabs(x) < 0x1p-27 ? x : r;
  if (__builtin_expect(__builtin_fabs(x) > FAR, 0))
    r = FERRY(tanFar)(x);
  return r;
}

// asin(x) = root + tail to 1/2; beyond, with root = sqrt((1 - x) / 2), it is
// pi/2 minus twice that.
typedef struct {
  _Bool steep;
  double root, tail;
} ArcSine;

static inline ArcSine arcSine(double magnitude) {
  _Bool steep = magnitude > 0.5;
  double far = mad(-0.5, magnitude, 0.5), near = magnitude * magnitude;
  Pair root = squareRoot((Pair){far, 0});
  double z = steep ? far : near, high = steep ? root.hi : magnitude,
         low = steep ? root.lo : 0;
  return (ArcSine){steep, high, mad(high * z, POLY(AsinD, z), low)};
}

double FERRY(asin)(double x) {
  ArcSine a = arcSine(__builtin_fabs(x));
  Pair far = quickSum(HALF_PI_1, -2 * a.root);
  double steep = far.hi + (far.lo + mad(-2, a.tail, HALF_PI_2));
  double flat = a.root + a.tail;
  double r = a.steep ? steep : flat;
  return __builtin_copysign(__builtin_fabs(x) < 0x1p-27 ? x : r, x);
}

double FERRY(acos)(double x) {
  ArcSine a = arcSine(__builtin_fabs(x));
  double near = 2 * (a.root + a.tail);
  Pair beyond = quickSum(PI_1, -2 * a.root);
  double opposite = beyond.hi + (beyond.lo + mad(-2, a.tail, PI_2));
  Pair flat = sum(HALF_PI_1, -__builtin_copysign(a.root, x));
  double middle =
      flat.hi + (flat.lo + (HALF_PI_2 - __builtin_copysign(1, x) * a.tail));
  double steep = x < 0 ? opposite : near;
  return a.steep ? steep : middle;
}

// The angle of (d, n) for n, d >= 0, or pi minus it. The quotient is taken from
// the nearest of 0, pi/4 and pi/2.
static inline double arcTangent(double n, double d, _Bool mirrored) {
  Pair less = sum(n, -d), more = sum(n, d);
  _Bool low = n < 0x1.a827999fcef32p-2 * d,
        middle = n < 0x1.3504f333f9de6p1 * d;
  Pair top = {middle ? less.hi : -d, middle ? less.lo : 0};
  Pair bottom = {middle ? more.hi : n, middle ? more.lo : 0};
  top = (Pair){low ? n : top.hi, low ? 0 : top.lo};
  bottom = (Pair){low ? d : bottom.hi, low ? 0 : bottom.lo};
  Pair t = quotient(top, bottom);

  double quarter = mirrored ? OBTUSE_PI_1 : QUARTER_PI_1;
  double quarterLow = mirrored ? OBTUSE_PI_2 : QUARTER_PI_2;
  double none = mirrored ? PI_1 : 0, noneLow = mirrored ? PI_2 : 0;
  Pair base = {middle ? quarter : HALF_PI_1, middle ? quarterLow : HALF_PI_2};
  base = (Pair){low ? none : base.hi, low ? noneLow : base.lo};

  double z = t.hi * t.hi, tail = mad(t.hi * z, POLY(AtanD, z), t.lo);
  double high = mirrored ? -t.hi : t.hi, rest = mirrored ? -tail : tail;
  Pair r = quickSum(base.hi, high);
  return r.hi + (r.lo + (rest + base.lo));
}

double FERRY(atan)(double x) {
  double a = __builtin_fabs(x);
  double r = arcTangent(a > 0x1p70 ? 0x1p70 : a, 1, 0);
  r = x != x ? x : r;
  return pick(a < 0x1p-27, x, __builtin_copysign(r, x));
}

double FERRY(atan2)(double y, double x) {
  double n = __builtin_fabs(y), d = __builtin_fabs(x);
  _Bool infinite = (n == INF) | (d == INF);
  double nInfinite = n == INF ? 1 : 0, dInfinite = d == INF ? 1 : 0;
  double larger = n < d ? d : n;
  // So that nothing overflows and no remainder of the division underflows.
  double unit = larger > 0x1p1020 ? 0x1p-4 : 1;
  unit = larger < 0x1p900 ? 0x1p100 : unit;
  unit = larger < 1 ? 0x1p700 : unit;
  n = infinite ? nInfinite : n * unit;
  d = infinite ? dInfinite : d * unit;
  d = larger == 0 ? 1 : d;
  double r = arcTangent(n, d, (_Bool)(bits(x) >> 63));
  r = ((x != x) | (y != y)) ? x + y : r;
  return __builtin_copysign(r, y);
}

double FERRY(sinh)(double x) {
  double a = __builtin_fabs(x);
  Pair q = quarterExpm1(a > HUGE_EXPONENT ? HUGE_EXPONENT : a);
  // With t = exp(x) - 1 it is (t + t / (t + 1)) / 2.
  Pair d = sum(4 * q.hi, 1);
  d.lo += 4 * q.lo;
  Pair second = quotient(q, d), all = quickSum(q.hi, second.hi);
  double r = 2 * (all.hi + (all.lo + (q.lo + second.lo)));
  r = a > 50 ? 2 * q.hi : r;
  r = a > HUGE_EXPONENT ? INF : r;
  r = x != x ? x : r;
  return pick(a < 0x1p-28, x, __builtin_copysign(r, x));
}

double FERRY(cosh)(double x) {
  double a = __builtin_fabs(x);
  Exponential e = reduceExp(a > HUGE_EXPONENT ? HUGE_EXPONENT : a);
  double s = powerOfTwo(e.k - 2);
  Pair q = quickSum(s, s * e.hi);
  q = quickSum(q.hi, mad(s, expTail(e.hi, e.lo), q.lo));
  double r = 2 * (q.hi + (q.lo + 0.0625 / q.hi));
  return a > HUGE_EXPONENT ? INF : r;
}

double FERRY(tanh)(double x) {
  double a = __builtin_fabs(x);
  Pair n = quarterExpm1(2 * (a > 22 ? 22 : a));
  Pair d = sum(n.hi, 0.5);
  d.lo += n.lo;
  Pair q = quotient(n, d);
  double r = q.hi + q.lo;
  r = x != x ? x : r;
  return pick(a < 0x1p-28, x, __builtin_copysign(r, x));
}

double FERRY(asinh)(double x) {
  double a = __builtin_fabs(x);
  _Bool big = a > 0x1p28;
  Pair square = product(a, a), t = sum(1, square.hi);
  t.lo += square.lo;
  Pair root = squareRoot(t);
  Pair y = sum(a, root.hi - 1);
  y.lo += root.lo;
  // For large numbers it is log(2 a).
  Pair large = sum(a, -1);
  y = (Pair){big ? large.hi : y.hi, big ? large.lo : y.lo};
  double r = logOnePlus(y, big ? 1 : 0);
  r = a < INF ? r : a;
  return pick(a < 0x1p-28, x, __builtin_copysign(r, x));
}

double FERRY(acosh)(double x) {
  _Bool big = x > 0x1p28;
  double t = x - 1;
  Pair square = product(t, t), s = sum(2 * t, square.hi);
  s.lo += square.lo;
  Pair root = squareRoot(s);
  Pair y = sum(t, root.hi);
  y.lo += root.lo;
  y = (Pair){big ? t : y.hi, big ? 0 : y.lo};
  double r = logOnePlus(y, big ? 1 : 0);
  r = x < INF ? r : x + x;
  return x < 1 ? NOT_A_NUMBER : r;
}

double FERRY(atanh)(double x) {
  double a = __builtin_fabs(x);
  Pair q = quotient((Pair){2 * a, 0}, sum(1, -a));
  double r = 0.5 * logOnePlus(quickSum(q.hi, q.lo), 0);
  r = a < 1 ? r : INF;
  r = a > 1 ? NOT_A_NUMBER : r;
  r = x != x ? x : r;
  return pick(a < 0x1p-28, x, __builtin_copysign(r, x));
}

// erfc(a) for a from 1/2 to 28.
static inline double erfcFar(double a) {
  Pair t = quotient((Pair){a - 4, 0}, (Pair){a + 4, 0});
  double rest = t.hi * POLY(ErfcD, t.hi);
  Pair g = quickSum(ERFC_1, rest);
  g.lo += ERFC_2;
  Pair q = quotient(g, quickSum(2 * a, 1));
  Pair square = product(a, a);
  Exponential e = reduceExp(-square.hi);
  Pair r = quickSum(e.hi, e.lo - square.lo);
  double minusOne = r.hi + expTail(r.hi, r.lo);
  return scale(q.hi + mad(q.hi, minusOne, mad(q.lo, minusOne, q.lo)), e.k);
}

static inline double erfTail(double x) { return x * POLY(ErfD, x * x); }

double FERRY(erf)(double x) {
  double a = __builtin_fabs(x);
  double near = x + erfTail(x);
  double far = __builtin_copysign(1 - erfcFar(a > 7 ? 7 : a), x);
  double r = a < 1 ? near : far;
  return x != x ? x : r;
}

double FERRY(erfc)(double x) {
  double a = __builtin_fabs(x);
  Pair one = sum(1, -x);
  double near = one.hi + (one.lo - erfTail(x));
  double far = erfcFar(a > 28 ? 28 : a);
  double opposite = 2 - far;
  far = x < 0 ? opposite : far;
  double r = a < 0.5 ? near : far;
  return x != x ? x : r;
}
