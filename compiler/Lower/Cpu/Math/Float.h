//===- Float.h - Functions of float -----------------------------*- C -*---===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp, log, tanh and erf, which inner loops are full of, use float throughout,
// as a vector holds twice as many of them. The others compute in double with
// short polynomials, which gives the correctly rounded result nearly always and
// needs no care about cancellation.
//
//===----------------------------------------------------------------------===//

// 2^k exp(hi + lo), |hi| <= ln(2)/2.
static inline float finishExpf(float k, float hi, float lo) {
  return scalef(1 + (hi + madf(hi * hi, POLYF(ExpF, hi), lo)), k);
}

// k = x / ln(2) rounded; x - k ln(2).
typedef struct {
  float k, hi, lo;
} Exponentialf;

static inline Exponentialf reduceExpf(float x) {
  float k = madf(x, LOG2E_F_1, SHIFTER_F) - SHIFTER_F;
  float high = madf(-k, LN2_SHORT_F_1, x), low = -k * LN2_SHORT_F_2;
  float r = high + low;
  return (Exponentialf){k, r, (high - r) + low};
}

float FERRY(expf)(float x) {
  Exponentialf e = reduceExpf(clampf(x, -105, 89));
  return finishExpf(e.k, e.hi, e.lo);
}

float FERRY(exp2f)(float x) {
  float y = clampf(x, -151, 129);
  float k = (y + SHIFTER_F) - SHIFTER_F, r = y - k, t = r * LN2_F_1;
#if FERRY_FMA
  float low = madf(r, LN2_F_1, -t);
#else
  float low = (float)((double)r * LN2_1 - t);
#endif
  return finishExpf(k, t, madf(r, LN2_F_2, low));
}

float FERRY(exp10f)(float x) {
  float y = clampf(x, -46, 39);
  float k = madf(y, LOG2_10_F_1, SHIFTER_F) - SHIFTER_F;
  float high = madf(-k, LOG10_2_SHORT_F_1, y), s = -k * LOG10_2_SHORT_F_2;
  float r = high + s, rest = (high - r) + s, t = r * LN10_F_1;
#if FERRY_FMA
  float low = madf(r, LN10_F_1, -t);
#else
  float low = (float)((double)r * LN10_1 - t);
#endif
  return finishExpf(k, t, madf(rest, LN10_F_1, madf(r, LN10_F_2, low)));
}

float FERRY(logf)(float x) {
  _Bool subnormal = x < 0x1p-126f;
  float scaled = x * 0x1p24f, normal = subnormal ? scaled : x;
  u32 offset = bitsf(normal) - 0x3f3504f3u; // of the square root of 1/2
  int exponent = (int)offset >> 23;
  float f = fromBitsf(bitsf(normal) - (offset & 0xff800000u)) - 1;
  float k = (float)(subnormal ? exponent - 24 : exponent);

  float square = f * f;
  float tail = madf(square * f, POLYF(LogF, f), k * LN2_SHORT_F_2);
  float r = madf(k, LN2_SHORT_F_1, f + madf(-0.5f, square, tail));
  r = x < INF_F ? r : x + x;
  r = x == 0 ? -INF_F : r;
  return x < 0 ? NOT_A_NUMBER_F : r;
}

float FERRY(tanhf)(float x) {
  float a = __builtin_fabsf(x), z = x * x;
  float near = madf(a * z, POLYF(TanhF, z), a);
  Exponentialf e = reduceExpf(2 * (a > 10 ? 10 : a));
  float p = 1 + (e.hi + madf(e.hi * e.hi, POLYF(ExpF, e.hi), e.lo));
  float far = 1 - 2 / (p * powerOfTwof(e.k) + 1);
  return __builtin_copysignf(a < 0.875f ? near : far, x);
}

float FERRY(erff)(float x) {
  float a = __builtin_fabsf(x), z = x * x;
  float near = madf(a, POLYF(ErfF, z), a);
  float b = a > 4 ? 4 : a;
  Exponentialf e = reduceExpf(b * POLYF(ErfcLogF, b));
  float p = 1 + (e.hi + madf(e.hi * e.hi, POLYF(ExpF, e.hi), e.lo));
  float far = 1 - p * powerOfTwof(e.k);
  return __builtin_copysignf(a < 0.875f ? near : far, x);
}

// From here on in double. The results' own limits are met by the conversion.

static inline double expWide(double x) {
  double k = mad(x, LOG2E_1, SHIFTER) - SHIFTER;
  double r = mad(-k, LN2_SHORT_2, mad(-k, LN2_SHORT_1, x));
  return mad(r * r, POLY(ExpW, r), 1 + r) * powerOfTwo(k);
}

static inline double expm1Wide(double x) {
  double k = mad(x, LOG2E_1, SHIFTER) - SHIFTER;
  double r = mad(-k, LN2_SHORT_2, mad(-k, LN2_SHORT_1, x));
  double s = powerOfTwo(k);
  return mad(s, mad(r * r, POLY(Expm1W, r), r), s - 1);
}

// log(1 + y), for y > -1, to 40 bits.
static inline double logOnePlusWide(double y) {
  double u = 1 + y, below = y - (u - 1);
  Split p = split(u, SQRT_HALF);
  double f = p.exponent == 0 ? y : p.mantissa - 1;
  below = ((p.exponent == 0) | (y > 0x1p60)) ? 0 : below / u;
  double s = f / (2 + f), z = s * s;
  double r = mad(s * z, POLY(LogW, z), 2 * s);
  return mad(p.exponent, LN2_1, r + below);
}

static inline double logWide(double x) {
  Split p = split(x, SQRT_HALF);
  double f = p.mantissa - 1, s = f / (2 + f), z = s * s;
  return mad(p.exponent, LN2_1, mad(s * z, POLY(LogW, z), 2 * s));
}

float FERRY(expm1f)(float x) {
  float r = (float)expm1Wide(clamp(x, -60, 90));
  return x == 0 ? x : r;
}

float FERRY(log2f)(float x) {
  Split p = split(x, SQRT_HALF);
  double f = p.mantissa - 1, s = f / (2 + f), z = s * s;
  double log = mad(s * z, POLY(LogW, z), 2 * s);
  return (float)logOfAny(x, mad(log, LOG2E_1, p.exponent));
}

float FERRY(log10f)(float x) {
  return (float)logOfAny(x, logWide(x) * LOG10E_1);
}

float FERRY(log1pf)(float x) {
  double r = logOnePlusWide(x);
  r = x < INF_F ? r : x + x;
  r = x == -1 ? -INF : r;
  r = x < -1 ? NOT_A_NUMBER : r;
  return x == 0 ? x : (float)r;
}

float FERRY(powf)(float x, float y) {
  Split p = split(__builtin_fabs((double)x), SQRT_HALF);
  double f = p.mantissa - 1, s = f / (2 + f), z = s * s;
  double l = mad(mad(s * z, POLY(LogW, z), 2 * s), LOG2E_1, p.exponent);
  // A finite exponent, as that of infinity times log(1) is no number.
  double t = clamp(l * clamp(y, -0x1p99, 0x1p99), -200, 200),
         k = (t + SHIFTER) - SHIFTER;
  double r = (t - k) * LN2_1;
  r = mad(r * r, POLY(ExpW, r), 1 + r) * powerOfTwo(k);
  return (float)powOfAny(x, y, r);
}

float FERRY(cbrtf)(float x) {
  double a = __builtin_fabs((double)x);
  Split p = split(a, 1);
  double third = mad(p.exponent - 1, 1.0 / 3, SHIFTER) - SHIFTER;
  double rest = mad(-3, third, p.exponent);
  double root = rest == 0   ? 1
                : rest == 1 ? 0x1.428a2f98d728bp0  // 2^(1/3)
                            : 0x1.965fea53d6e3dp0; // 2^(2/3)
  double m = p.mantissa, z = POLY(CbrtD, m);
  double e = mad(-m * z, z * z, 1);
  z = mad(z * e, mad(e, 2.0 / 9, 1.0 / 3), z);
  float y = (float)(m * z * z * root * powerOfTwo(third));
  return pickf((a > 0) & (a < INF), __builtin_copysignf(y, x), x + x);
}

float FERRY(hypotf)(float x, float y) {
  double a = x, b = y;
  float r = (float)__builtin_sqrt(mad(a, a, b * b));
  return ((__builtin_fabs(a) == INF) | (__builtin_fabs(b) == INF)) ? INF_F : r;
}

// x = k pi + r.
#define FAR_F 0x1p28f

static inline double sinWide(double x, double k, u64 negate) {
#if FERRY_FMA
  double r = mad(-k, PI_2, mad(-k, PI_1, x));
#else
  double r = x - k * PI_SHORT_1 - k * PI_SHORT_2 - k * PI_SHORT_3;
#endif
  double z = r * r, s = mad(r * z, POLY(SinW, z), r);
  return fromBits(bits(s) ^ negate << 63);
}

float FERRY(sinf)(float x) {
  double magic = mad(x, ONE_OVER_PI_1, SHIFTER);
  float r = (float)sinWide(x, magic - SHIFTER, bits(magic));
  r = x == 0 ? x : r;
  if (__builtin_expect(__builtin_fabsf(x) > FAR_F, 0))
    r = (float)FERRY(sinFar)(x);
  return r;
}

// cos(x) = sin(x + pi/2), with multiples of pi/2 between those of pi.
float FERRY(cosf)(float x) {
  double magic = mad(x, ONE_OVER_PI_1, 0.5) + SHIFTER;
  float r = (float)sinWide(x, (magic - SHIFTER) - 0.5, bits(magic));
  if (__builtin_expect(__builtin_fabsf(x) > FAR_F, 0))
    r = (float)FERRY(cosFar)(x);
  return r;
}

float FERRY(tanf)(float x) {
  double magic = mad(x, TWO_OVER_PI_1, SHIFTER), k = magic - SHIFTER;
#if FERRY_FMA
  double r = mad(-k, HALF_PI_2, mad(-k, HALF_PI_1, x));
#else
  double r =
      x - k * HALF_PI_SHORT_1 - k * HALF_PI_SHORT_2 - k * HALF_PI_SHORT_3;
#endif
  double z = r * r, s = mad(r * z, POLY(SinQuarterW, z), r);
  double c = mad(z * z, POLY(CosQuarterW, z), 1 - 0.5 * z);
  _Bool odd = bits(magic) & 1;
  double n = odd ? -c : s, d = odd ? s : c;
  float t = (float)(n / d);
  t = x == 0 ? x : t;
  if (__builtin_expect(__builtin_fabsf(x) > FAR_F, 0))
    t = (float)FERRY(tanFar)(x);
  return t;
}

float FERRY(asinf)(float x) {
  double a = __builtin_fabs((double)x);
  _Bool steep = a > 0.5;
  double far = 0.5 - 0.5 * a, near = a * a;
  double z = steep ? far : near, root = steep ? __builtin_sqrt(far) : a;
  double r = mad(root * z, POLY(AsinW, z), root), rest = mad(-2, r, HALF_PI_1);
  return __builtin_copysignf((float)(steep ? rest : r), x);
}

float FERRY(acosf)(float x) {
  double a = __builtin_fabs((double)x);
  _Bool steep = a > 0.5;
  double far = 0.5 - 0.5 * a, near = a * a;
  double z = steep ? far : near, root = steep ? __builtin_sqrt(far) : a;
  double r = mad(root * z, POLY(AsinW, z), root);
  double opposite = mad(-2, r, PI_1), twice = 2 * r;
  double edge = x < 0 ? opposite : twice;
  double middle = HALF_PI_1 - __builtin_copysign(r, x);
  return (float)(steep ? edge : middle);
}

static inline double arcTangentWide(double n, double d, _Bool mirrored) {
  _Bool low = n < 0x1.a827999fcef32p-2 * d,
        middle = n < 0x1.3504f333f9de6p1 * d;
  double less = n - d, more = n + d;
  double top = middle ? less : -d, bottom = middle ? more : n;
  double t = (low ? n : top) / (low ? d : bottom), z = t * t;
  double base = middle ? QUARTER_PI_1 : HALF_PI_1;
  base = low ? 0 : base;
  double r = base + mad(t * z, POLY(AtanW, z), t), rest = PI_1 - r;
  return mirrored ? rest : r;
}

float FERRY(atanf)(float x) {
  double a = __builtin_fabs((double)x);
  double r = arcTangentWide(a > 0x1p70 ? 0x1p70 : a, 1, 0);
  return pickf(x != x, x, __builtin_copysignf((float)r, x));
}

float FERRY(atan2f)(float y, float x) {
  double n = __builtin_fabs((double)y), d = __builtin_fabs((double)x);
  _Bool infinite = (n == INF) | (d == INF);
  double nInfinite = n == INF ? 1 : 0, dInfinite = d == INF ? 1 : 0;
  double dFinite = ((n == 0) & (d == 0)) ? 1 : d;
  double r =
      arcTangentWide(infinite ? nInfinite : n, infinite ? dInfinite : dFinite,
                     (_Bool)(bitsf(x) >> 31));
  r = ((x != x) | (y != y)) ? x + y : r;
  return __builtin_copysignf((float)r, y);
}

float FERRY(sinhf)(float x) {
  double a = __builtin_fabs((double)x);
  double t = expm1Wide(a > 100 ? 100 : a);
  float r = (float)(0.5 * (t + t / (t + 1)));
  return pickf(x != x, x, __builtin_copysignf(r, x));
}

float FERRY(coshf)(float x) {
  double a = __builtin_fabs((double)x), e = expWide(a > 100 ? 100 : a);
  return (float)(0.5 * (e + 1 / e));
}

float FERRY(asinhf)(float x) {
  double a = __builtin_fabs((double)x), square = a * a;
  double r = logOnePlusWide(a + square / (1 + __builtin_sqrt(1 + square)));
  r = a < INF ? r : a;
  return __builtin_copysignf((float)r, x);
}

float FERRY(acoshf)(float x) {
  double t = (double)x - 1;
  double r = logOnePlusWide(t + __builtin_sqrt(t * (t + 2)));
  r = x < INF_F ? r : x + x;
  return (float)(x < 1 ? NOT_A_NUMBER : r);
}

float FERRY(atanhf)(float x) {
  double a = __builtin_fabs((double)x);
  double r = 0.5 * logOnePlusWide(2 * a / (1 - a));
  r = a < 1 ? r : INF;
  r = a > 1 ? NOT_A_NUMBER : r;
  r = x != x ? x : r;
  return __builtin_copysignf((float)r, x);
}

float FERRY(erfcf)(float x) {
  double a = __builtin_fabs((double)x), b = a > 11 ? 11 : a;
  double t = (b - 4) / (b + 4);
  double far = POLY(ErfcW, t) / (1 + 2 * b) * expWide(-b * b);
  double opposite = 2 - far;
  far = x < 0 ? opposite : far;
  double z = (double)x * x, near = 1 - mad(x, POLY(ErfW, z), x);
  double r = a < 0.5 ? near : far;
  return x != x ? x : (float)r;
}
