//===- Builtins.c - The C and compiler libraries' share of device code ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compilers call without being asked: comparing memory, complex
// multiplication and division, wide integers. And tgamma, which libclc gets
// wrong by more than a hundred units in the last place. A GPU program has
// neither a C library nor compiler-rt to link with, so these are compiled to
// bitcode when Ferry is built and carried inside it. They are the host's IR,
// like the kernels that call them, and take the same road to the GPU.
//
//===----------------------------------------------------------------------===//

typedef __SIZE_TYPE__ size_t;

int memcmp(const void *Left, const void *Right, size_t Bytes) {
  const unsigned char *A = Left, *B = Right;
  for (size_t I = 0; I != Bytes; ++I)
    if (A[I] != B[I])
      return A[I] - B[I];
  return 0;
}

int bcmp(const void *Left, const void *Right, size_t Bytes) {
  return memcmp(Left, Right, Bytes);
}

size_t strlen(const char *String) {
  size_t Length = 0;
  while (String[Length])
    ++Length;
  return Length;
}

int strcmp(const char *Left, const char *Right) {
  const unsigned char *A = (const void *)Left, *B = (const void *)Right;
  while (*A && *A == *B)
    ++A, ++B;
  return *A - *B;
}

int strncmp(const char *Left, const char *Right, size_t Bytes) {
  for (size_t I = 0; I != Bytes; ++I)
    if (Left[I] != Right[I] || !Left[I])
      return (unsigned char)Left[I] - (unsigned char)Right[I];
  return 0;
}

void *memchr(const void *Bytes, int Wanted, size_t Count) {
  const unsigned char *At = Bytes;
  for (size_t I = 0; I != Count; ++I)
    if (At[I] == (unsigned char)Wanted)
      return (void *)(At + I);
  return 0;
}

size_t strnlen(const char *String, size_t Bytes) {
  size_t Length = 0;
  while (Length != Bytes && String[Length])
    ++Length;
  return Length;
}

char *strchr(const char *String, int Wanted) {
  for (;; ++String)
    if (*String == (char)Wanted)
      return (char *)String;
    else if (!*String)
      return 0;
}

char *strrchr(const char *String, int Wanted) {
  const char *Last = 0;
  do
    if (*String == (char)Wanted)
      Last = String;
  while (*String++);
  return (char *)Last;
}

char *strcpy(char *To, const char *From) {
  for (char *At = To; (*At++ = *From++);)
    ;
  return To;
}

char *strncpy(char *To, const char *From, size_t Bytes) {
  for (size_t I = 0; I != Bytes; ++I) {
    To[I] = *From;
    From += *From != 0;
  }
  return To;
}

char *strcat(char *To, const char *From) {
  strcpy(To + strlen(To), From);
  return To;
}

// Characters, of the locale that every program starts in.
int isdigit(int C) { return C >= '0' && C <= '9'; }
int islower(int C) { return C >= 'a' && C <= 'z'; }
int isupper(int C) { return C >= 'A' && C <= 'Z'; }
int isalpha(int C) { return islower(C | 32) && C >= 'A' && C <= 'z'; }
int isalnum(int C) { return isalpha(C) || isdigit(C); }
int isblank(int C) { return C == ' ' || C == '\t'; }
int isspace(int C) { return C == ' ' || (C >= '\t' && C <= '\r'); }
int iscntrl(int C) { return (C >= 0 && C < ' ') || C == 127; }
int isprint(int C) { return C >= ' ' && C < 127; }
int isgraph(int C) { return C > ' ' && C < 127; }
int ispunct(int C) { return isgraph(C) && !isalnum(C); }
int isxdigit(int C) {
  return isdigit(C) || ((C | 32) >= 'a' && (C | 32) <= 'f' && isalpha(C));
}
int tolower(int C) { return isupper(C) ? C + 32 : C; }
int toupper(int C) { return islower(C) ? C - 32 : C; }

// What mathematics lacks in the device libraries but follows from what they
// have. An exponent past a float's own range is applied in steps; a step down
// keeps enough bits above the smallest numbers that only the last one rounds.
#define FERRY_MATH(FLOAT, SUFFIX, BITS, SHIFT, BIAS, DIGITS)                   \
  FLOAT scalbn##SUFFIX(FLOAT X, int Exponent) {                                \
    union {                                                                    \
      BITS Pattern;                                                            \
      FLOAT Value;                                                             \
    } Up = {(BITS)(2 * BIAS) << SHIFT}, Down = {(BITS)(1 + DIGITS) << SHIFT},  \
      Last;                                                                    \
    for (int Steps = 0; Steps != 2 && Exponent > BIAS; ++Steps) {              \
      X *= Up.Value;                                                           \
      Exponent -= BIAS;                                                        \
    }                                                                          \
    for (int Steps = 0; Steps != 2 && Exponent < 1 - BIAS; ++Steps) {          \
      X *= Down.Value;                                                         \
      Exponent += BIAS - 1 - DIGITS;                                           \
    }                                                                          \
    if (Exponent > BIAS)                                                       \
      Exponent = BIAS;                                                         \
    if (Exponent < 1 - BIAS)                                                   \
      Exponent = 1 - BIAS;                                                     \
    Last.Pattern = (BITS)(Exponent + BIAS) << SHIFT;                           \
    return X * Last.Value;                                                     \
  }                                                                            \
  FLOAT ldexp##SUFFIX(FLOAT X, int Exponent) {                                 \
    return scalbn##SUFFIX(X, Exponent);                                        \
  }                                                                            \
  FLOAT scalbln##SUFFIX(FLOAT X, long Exponent) {                              \
    int Clamped = Exponent > 10000    ? 10000                                  \
                  : Exponent < -10000 ? -10000                                 \
                                      : (int)Exponent;                         \
    return scalbn##SUFFIX(X, Clamped);                                         \
  }                                                                            \
  FLOAT cabs##SUFFIX(_Complex FLOAT Z) {                                       \
    return __builtin_hypot##SUFFIX(__real__ Z, __imag__ Z);                    \
  }                                                                            \
  FLOAT carg##SUFFIX(_Complex FLOAT Z) {                                       \
    return __builtin_atan2##SUFFIX(__imag__ Z, __real__ Z);                    \
  }                                                                            \
  FLOAT lgamma##SUFFIX##_r(FLOAT X, int *Sign) {                               \
    FLOAT Whole = __builtin_floor##SUFFIX(X);                                  \
    _Bool Negative =                                                           \
        X < 0 ? __builtin_fmod##SUFFIX(Whole, 2) != 0 : X == 0 && 1 / X < 0;   \
    *Sign = Negative ? -1 : 1;                                                 \
    return __builtin_lgamma##SUFFIX(X);                                        \
  }                                                                            \
  FLOAT nan##SUFFIX(const char *Tag) { return __builtin_nan##SUFFIX(""); }
FERRY_MATH(float, f, unsigned, 23, 127, 24)
FERRY_MATH(double, , unsigned long long, 52, 1023, 53)

#define FERRY_POWI(NAME, FLOAT)                                                \
  FLOAT NAME(FLOAT Base, int Exponent) {                                       \
    unsigned Left = Exponent < 0 ? 0u - (unsigned)Exponent : Exponent;         \
    FLOAT Power = 1;                                                           \
    for (; Left; Left /= 2) {                                                  \
      if (Left & 1)                                                            \
        Power *= Base;                                                         \
      Base *= Base;                                                            \
    }                                                                          \
    return Exponent < 0 ? 1 / Power : Power;                                   \
  }
FERRY_POWI(__powisf2, float)
FERRY_POWI(__powidf2, double)

__int128 __multi3(__int128 A, __int128 B) { return A * B; }
__int128 __divti3(__int128 A, __int128 B) { return A / B; }
__int128 __modti3(__int128 A, __int128 B) { return A % B; }
unsigned __int128 __udivti3(unsigned __int128 A, unsigned __int128 B) {
  return A / B;
}
unsigned __int128 __umodti3(unsigned __int128 A, unsigned __int128 B) {
  return A % B;
}

// Wide integers and floating point. What does not fit the first 64 bits below
// the leading one only decides how to round, so one bit stands for all of it.
#define FERRY_FROM_WIDE(UNSIGNED, SIGNED, FLOAT)                               \
  FLOAT UNSIGNED(unsigned __int128 X) {                                        \
    unsigned long long High = X >> 64;                                         \
    if (!High)                                                                 \
      return (FLOAT)(unsigned long long)X;                                     \
    int Zeros = __builtin_clzll(High);                                         \
    unsigned __int128 Aligned = X << Zeros;                                    \
    unsigned long long Leading = Aligned >> 64;                                \
    Leading |= (unsigned long long)Aligned != 0;                               \
    return (FLOAT)Leading * 2 * (FLOAT)(1ull << (63 - Zeros));                 \
  }                                                                            \
  FLOAT SIGNED(__int128 X) {                                                   \
    return X < 0 ? -UNSIGNED(-(unsigned __int128)X) : UNSIGNED(X);             \
  }
FERRY_FROM_WIDE(__floatuntidf, __floattidf, double)
FERRY_FROM_WIDE(__floatuntisf, __floattisf, float)

unsigned __int128 __fixunsdfti(double X) {
  if (!(X >= 0x1p64))
    return (unsigned long long)X;
  unsigned long long High = X * 0x1p-64;
  unsigned long long Low = X - High * 0x1p64;
  return (unsigned __int128)High << 64 | Low;
}
unsigned __int128 __fixunssfti(float X) { return __fixunsdfti(X); }
__int128 __fixdfti(double X) {
  return X < 0 ? -(__int128)__fixunsdfti(-X) : (__int128)__fixunsdfti(X);
}
__int128 __fixsfti(float X) { return __fixdfti(X); }

float __extendhfsf2(_Float16 X) { return X; }
double __extendhfdf2(_Float16 X) { return X; }
_Float16 __truncsfhf2(float X) { return (_Float16)X; }
_Float16 __truncdfhf2(double X) { return (_Float16)X; }

// Complex numbers as in C99, annex G.5.1: an infinite operand gives an infinite
// result even where the plain formula yields only NaNs.
#define FERRY_COMPLEX(MUL, DIV, FLOAT, SUFFIX)                                 \
  _Complex FLOAT MUL(FLOAT A, FLOAT B, FLOAT C, FLOAT D) {                     \
    FLOAT AC = A * C, BD = B * D, AD = A * D, BC = B * C;                      \
    FLOAT Real = AC - BD, Imaginary = AD + BC;                                 \
    if (__builtin_isnan(Real) && __builtin_isnan(Imaginary)) {                 \
      _Bool Again = 0;                                                         \
      if (__builtin_isinf(A) || __builtin_isinf(B)) {                          \
        A = __builtin_copysign##SUFFIX(__builtin_isinf(A) ? 1 : 0, A);         \
        B = __builtin_copysign##SUFFIX(__builtin_isinf(B) ? 1 : 0, B);         \
        if (__builtin_isnan(C))                                                \
          C = __builtin_copysign##SUFFIX(0, C);                                \
        if (__builtin_isnan(D))                                                \
          D = __builtin_copysign##SUFFIX(0, D);                                \
        Again = 1;                                                             \
      }                                                                        \
      if (__builtin_isinf(C) || __builtin_isinf(D)) {                          \
        C = __builtin_copysign##SUFFIX(__builtin_isinf(C) ? 1 : 0, C);         \
        D = __builtin_copysign##SUFFIX(__builtin_isinf(D) ? 1 : 0, D);         \
        if (__builtin_isnan(A))                                                \
          A = __builtin_copysign##SUFFIX(0, A);                                \
        if (__builtin_isnan(B))                                                \
          B = __builtin_copysign##SUFFIX(0, B);                                \
        Again = 1;                                                             \
      }                                                                        \
      if (!Again && (__builtin_isinf(AC) || __builtin_isinf(BD) ||             \
                     __builtin_isinf(AD) || __builtin_isinf(BC))) {            \
        if (__builtin_isnan(A))                                                \
          A = __builtin_copysign##SUFFIX(0, A);                                \
        if (__builtin_isnan(B))                                                \
          B = __builtin_copysign##SUFFIX(0, B);                                \
        if (__builtin_isnan(C))                                                \
          C = __builtin_copysign##SUFFIX(0, C);                                \
        if (__builtin_isnan(D))                                                \
          D = __builtin_copysign##SUFFIX(0, D);                                \
        Again = 1;                                                             \
      }                                                                        \
      if (Again) {                                                             \
        Real = __builtin_inf##SUFFIX() * (A * C - B * D);                      \
        Imaginary = __builtin_inf##SUFFIX() * (A * D + B * C);                 \
      }                                                                        \
    }                                                                          \
    return __builtin_complex(Real, Imaginary);                                 \
  }                                                                            \
                                                                               \
  _Complex FLOAT DIV(FLOAT A, FLOAT B, FLOAT C, FLOAT D) {                     \
    /* Scaling by a power of two keeps C*C + D*D from over- and underflow. */  \
    int Scale = 0;                                                             \
    FLOAT Log = __builtin_logb##SUFFIX(__builtin_fmax##SUFFIX(                 \
        __builtin_fabs##SUFFIX(C), __builtin_fabs##SUFFIX(D)));                \
    if (__builtin_isfinite(Log)) {                                             \
      Scale = (int)Log;                                                        \
      C = scalbn##SUFFIX(C, -Scale);                                           \
      D = scalbn##SUFFIX(D, -Scale);                                           \
    }                                                                          \
    FLOAT Norm = C * C + D * D;                                                \
    FLOAT Real = scalbn##SUFFIX((A * C + B * D) / Norm, -Scale);               \
    FLOAT Imaginary = scalbn##SUFFIX((B * C - A * D) / Norm, -Scale);          \
    if (__builtin_isnan(Real) && __builtin_isnan(Imaginary)) {                 \
      if (Norm == 0 && (!__builtin_isnan(A) || !__builtin_isnan(B))) {         \
        Real = __builtin_copysign##SUFFIX(__builtin_inf##SUFFIX(), C) * A;     \
        Imaginary =                                                            \
            __builtin_copysign##SUFFIX(__builtin_inf##SUFFIX(), C) * B;        \
      } else if ((__builtin_isinf(A) || __builtin_isinf(B)) &&                 \
                 __builtin_isfinite(C) && __builtin_isfinite(D)) {             \
        A = __builtin_copysign##SUFFIX(__builtin_isinf(A) ? 1 : 0, A);         \
        B = __builtin_copysign##SUFFIX(__builtin_isinf(B) ? 1 : 0, B);         \
        Real = __builtin_inf##SUFFIX() * (A * C + B * D);                      \
        Imaginary = __builtin_inf##SUFFIX() * (B * C - A * D);                 \
      } else if (__builtin_isinf(Log) && Log > 0 && __builtin_isfinite(A) &&   \
                 __builtin_isfinite(B)) {                                      \
        C = __builtin_copysign##SUFFIX(__builtin_isinf(C) ? 1 : 0, C);         \
        D = __builtin_copysign##SUFFIX(__builtin_isinf(D) ? 1 : 0, D);         \
        Real = 0 * (A * C + B * D);                                            \
        Imaginary = 0 * (B * C - A * D);                                       \
      }                                                                        \
    }                                                                          \
    return __builtin_complex(Real, Imaginary);                                 \
  }
FERRY_COMPLEX(__mulsc3, __divsc3, float, f)
FERRY_COMPLEX(__muldc3, __divdc3, double, )

//===----------------------------------------------------------------------===//
// The gamma function
//===----------------------------------------------------------------------===//

double exp(double), pow(double, double), sin(double), cos(double),
    floor(double), fabs(double);

/// sin(pi * X) for X >= 0.
static double sinPi(double X) {
  const double Pi = 3.14159265358979323846;
  X = 2 * (X / 2 - floor(X / 2));
  int Quarter = ((int)(X * 4) + 1) / 2;
  X = (X - Quarter * 0.5) * Pi;
  switch (Quarter) {
  case 1:
    return cos(X);
  case 2:
    return sin(-X);
  case 3:
    return -cos(X);
  default:
    return sin(X);
  }
}

/// Lanczos's approximation as a quotient of polynomials, with the coefficients
/// that Boost and musl use. Below 8 in X, beyond it in 1 / X.
static double lanczosSum(double X) {
  static const double Above[] = {
      23531376880.410759688572007674451636754734846804940,
      42919803642.649098768957899047001988850926355848959,
      35711959237.355668049440185451547166705960488635843,
      17921034426.037209699919755754458931112671403265390,
      6039542586.3520280050642916443072979210699388420708,
      1439720407.3117216736632230727949123939715485786372,
      248874557.86205415651146038641322942321632125127801,
      31426415.585400194380614231628318205362874684987640,
      2876370.6289353724412254090516208496135991145378768,
      186056.26539522349504029498971604569928220784236328,
      8071.6720023658162106380029022722506138218516325024,
      210.82427775157934587250973392071336271166969580291,
      2.5066282746310002701649081771338373386264310793408};
  static const double Below[] = {
      0,       39916800, 120543840, 150917976, 105258076, 45995730, 13339535,
      2637558, 357423,   32670,     1925,      66,        1};
  double A = 0, B = 0;
  if (X < 8)
    for (int I = 12; I >= 0; --I) {
      A = A * X + Above[I];
      B = B * X + Below[I];
    }
  else
    for (int I = 0; I <= 12; ++I) {
      A = A / X + Above[I];
      B = B / X + Below[I];
    }
  return A / B;
}

double tgamma(double X) {
  const double GMinusHalf = 5.524680040776729583740234375;
  const double Pi = 3.14159265358979323846;
  double Size = fabs(X);
  if (X != X || Size == __builtin_inf())
    return X < 0 ? __builtin_nan("") : X;
  if (Size < 0x1p-54)
    return 1 / X;
  if (X == floor(X)) {
    if (X < 0)
      return __builtin_nan("");
    if (X <= 23) {
      double Factorial = 1;
      for (int I = 2; I < X; ++I)
        Factorial *= I;
      return Factorial;
    }
  }
  if (Size >= 184) {
    if (X > 0)
      return __builtin_inf();
    return floor(X) * 0.5 == floor(floor(X) * 0.5) ? 0. : -0.;
  }
  // What Y loses by rounding is made good at the end.
  double Y = Size + GMinusHalf;
  double Lost =
      Size > GMinusHalf ? (Y - Size) - GMinusHalf : (Y - GMinusHalf) - Size;
  double Power = Size - 0.5, R = lanczosSum(Size) * exp(-Y);
  if (X < 0) {
    R = -Pi / (sinPi(Size) * Size * R);
    Lost = -Lost;
    Power = -Power;
  }
  R += Lost * (GMinusHalf + 0.5) * R / Y;
  // In two halves, since the power may overflow before the product.
  double Half = pow(Y, 0.5 * Power);
  return R * Half * Half;
}

float tgammaf(float X) { return (float)tgamma(X); }
