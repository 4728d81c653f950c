// Every function that has a rule: the derivative is that of a finite difference
// in long double.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/check.h"

/// The slope of F at X in the I-th of N arguments. Two steps of different width
/// cancel the error of the third order.
template <int N, class F>
static double difference(F f, const long double (&X)[N], int I) {
  auto At = [&](long double Step) {
    long double A[3] = {};
    for (int J = 0; J < N; ++J)
      A[J] = X[J] + (J == I ? Step : 0);
    if constexpr (N == 1)
      return f(A[0]);
    else if constexpr (N == 2)
      return f(A[0], A[1]);
    else
      return f(A[0], A[1], A[2]);
  };
  auto Slope = [&](long double H) { return (At(H) - At(-H)) / (2 * H); };
  return static_cast<double>((4 * Slope(1e-4L) - Slope(2e-4L)) / 3);
}

struct Pair {
  double First, Second;
};
struct Floats {
  float First, Second;
};
struct Triple {
  double First, Second, Third;
};

#define FUNCTION1(NAME, F)                                                     \
  template <class T> static T NAME(T x) { return F; }
#define FUNCTION2(NAME, F)                                                     \
  template <class T> static T NAME(T x, T y) { return F; }
#define FUNCTION3(NAME, F)                                                     \
  template <class T> static T NAME(T x, T y, T z) { return F; }

/// In both modes, for double and float.
#define CHECK1(NAME, X)                                                        \
  {                                                                            \
    long double A[] = {X};                                                     \
    double Want = difference(NAME<long double>, A, 0);                         \
    checkNear(#NAME " forward",                                                \
              __enzyme_fwddiff<double>((void *)NAME<double>, (double)(X), 1.0),\
              Want);                                                           \
    checkNear(#NAME " reverse",                                                \
              __enzyme_autodiff<double>((void *)NAME<double>, (double)(X)),    \
              Want);                                                           \
    checkNear(#NAME " reverse float",                                          \
              __enzyme_autodiff<float>((void *)NAME<float>, (float)(X)), Want, \
              1e-4);                                                           \
    checkNear(#NAME " forward float",                                          \
              __enzyme_fwddiff<float>((void *)NAME<float>, (float)(X), 1.0f),  \
              Want, 1e-4);                                                     \
  }
#define CHECK2(NAME, X, Y)                                                     \
  {                                                                            \
    long double A[] = {X, Y};                                                  \
    double D0 = difference(NAME<long double>, A, 0);                           \
    double D1 = difference(NAME<long double>, A, 1);                           \
    checkNear(#NAME " forward 1",                                              \
              __enzyme_fwddiff<double>((void *)NAME<double>, (double)(X), 1.0, \
                                       (double)(Y), 0.0),                      \
              D0);                                                             \
    checkNear(#NAME " forward 2",                                              \
              __enzyme_fwddiff<double>((void *)NAME<double>, (double)(X), 0.0, \
                                       (double)(Y), 1.0),                      \
              D1);                                                             \
    Pair G = __enzyme_autodiff<Pair>((void *)NAME<double>, (double)(X),        \
                                     (double)(Y));                             \
    checkNear(#NAME " reverse 1", G.First, D0);                                \
    checkNear(#NAME " reverse 2", G.Second, D1);                               \
    Floats H = __enzyme_autodiff<Floats>((void *)NAME<float>, (float)(X),      \
                                         (float)(Y));                          \
    checkNear(#NAME " reverse float 1", H.First, D0, 1e-4);                    \
    checkNear(#NAME " reverse float 2", H.Second, D1, 1e-4);                   \
    checkNear(#NAME " forward both",                                           \
              __enzyme_fwddiff<float>((void *)NAME<float>, (float)(X), 2.0f,   \
                                      (float)(Y), -1.0f),                      \
              2 * D0 - D1, 1e-4);                                              \
  }
#define CHECK3(NAME, X, Y, Z)                                                  \
  {                                                                            \
    long double A[] = {X, Y, Z};                                               \
    double Want = 3 * difference(NAME<long double>, A, 0) +                    \
                  2 * difference(NAME<long double>, A, 1) -                    \
                  difference(NAME<long double>, A, 2);                         \
    checkNear(#NAME " forward",                                                \
              __enzyme_fwddiff<double>((void *)NAME<double>, (double)(X), 3.0, \
                                       (double)(Y), 2.0, (double)(Z), -1.0),   \
              Want);                                                           \
    Triple G = __enzyme_autodiff<Triple>((void *)NAME<double>, (double)(X),    \
                                         (double)(Y), (double)(Z));            \
    checkNear(#NAME " reverse", 3 * G.First + 2 * G.Second - G.Third, Want);   \
  }

FUNCTION1(negate, -x)
FUNCTION2(add, x + y)
FUNCTION2(subtract, x - y)
FUNCTION2(multiply, x *y)
FUNCTION2(divide, x / y)
FUNCTION2(modulo, std::fmod(x, y))
FUNCTION2(rest, std::remainder(x, y))
FUNCTION3(fused, std::fma(x, y, z))
FUNCTION3(contracted, x *y + z)
FUNCTION1(root, std::sqrt(x))
FUNCTION1(cubeRoot, std::cbrt(x))
FUNCTION2(power, std::pow(x, y))
FUNCTION1(square, std::pow(x, 2))
FUNCTION1(integerPower, __builtin_powi(x, -3))
FUNCTION2(hypotenuse, std::hypot(x, y))
FUNCTION1(exponential, std::exp(x))
FUNCTION1(exponential2, std::exp2(x))
FUNCTION1(exponentialM1, std::expm1(x))
FUNCTION1(logarithm, std::log(x))
FUNCTION1(logarithm2, std::log2(x))
FUNCTION1(logarithm10, std::log10(x))
FUNCTION1(logarithm1P, std::log1p(x))
FUNCTION1(scale, std::ldexp(x, 3))
FUNCTION1(scale2, std::scalbn(x, -2))
FUNCTION1(sine, std::sin(x))
FUNCTION1(cosine, std::cos(x))
FUNCTION1(tangent, std::tan(x))
FUNCTION1(arcSine, std::asin(x))
FUNCTION1(arcCosine, std::acos(x))
FUNCTION1(arcTangent, std::atan(x))
FUNCTION2(angle, std::atan2(x, y))
FUNCTION1(sineH, std::sinh(x))
FUNCTION1(cosineH, std::cosh(x))
FUNCTION1(tangentH, std::tanh(x))
FUNCTION1(areaSine, std::asinh(x))
FUNCTION1(areaCosine, std::acosh(x))
FUNCTION1(areaTangent, std::atanh(x))
FUNCTION1(error, std::erf(x))
FUNCTION1(complement, std::erfc(x))
FUNCTION1(magnitude, std::fabs(x))
FUNCTION2(signOf, std::copysign(x, y))
FUNCTION2(larger, std::fmax(x, y))
FUNCTION2(smaller, std::fmin(x, y))
FUNCTION2(positive, std::fdim(x, y))
FUNCTION1(steps, x *std::floor(x) + std::ceil(x) + std::trunc(x) +
                     std::round(x) + std::rint(x) + std::nearbyint(x))
FUNCTION2(mixed, x > y ? std::sin(x * y) / y : std::exp(x - y) * x)
FUNCTION1(narrowed, static_cast<T>(static_cast<int>(x)) * x)

int main() {
  CHECK1(negate, 1.5)
  CHECK2(add, 1.5, 2.5)
  CHECK2(subtract, 1.5, 2.5)
  CHECK2(multiply, 1.5, -2.5)
  CHECK2(divide, 1.5, -2.5)
  CHECK2(modulo, 7.25, 2.5)
  CHECK2(modulo, -7.25, 2.5)
  CHECK2(rest, 6.5, 2.25)
  CHECK3(fused, 1.5, 2.5, -0.75)
  CHECK3(contracted, 1.5, 2.5, -0.75)
  CHECK1(root, 2.25)
  CHECK1(cubeRoot, 2.25)
  CHECK1(cubeRoot, -2.25)
  CHECK2(power, 1.75, 2.5)
  CHECK2(power, 0.25, -1.5)
  CHECK1(square, -1.25)
  CHECK1(integerPower, 1.5)
  CHECK2(hypotenuse, 3, -4)
  CHECK1(exponential, -0.75)
  CHECK1(exponential2, 1.25)
  CHECK1(exponentialM1, 0.125)
  CHECK1(logarithm, 2.5)
  CHECK1(logarithm2, 2.5)
  CHECK1(logarithm10, 2.5)
  CHECK1(logarithm1P, 0.125)
  CHECK1(scale, 1.5)
  CHECK1(scale2, 1.5)
  CHECK1(sine, 0.75)
  CHECK1(cosine, 0.75)
  CHECK1(tangent, 0.75)
  CHECK1(arcSine, -0.5)
  CHECK1(arcCosine, -0.5)
  CHECK1(arcTangent, 2.5)
  CHECK2(angle, 1.5, -2.5)
  CHECK2(angle, 2.5, 1.5)
  CHECK2(angle, -0.25, -3)
  CHECK1(sineH, 0.75)
  CHECK1(cosineH, 0.75)
  CHECK1(tangentH, 0.75)
  CHECK1(areaSine, -1.5)
  CHECK1(areaCosine, 1.5)
  CHECK1(areaTangent, 0.5)
  CHECK1(error, 0.5)
  CHECK1(complement, 0.5)
  CHECK1(magnitude, -1.5)
  CHECK2(signOf, 1.5, -2.5)
  CHECK2(signOf, -1.5, -2.5)
  CHECK2(larger, 1.5, 2.5)
  CHECK2(larger, 2.5, 1.5)
  CHECK2(smaller, 1.5, 2.5)
  CHECK2(smaller, 2.5, 1.5)
  CHECK2(positive, 2.5, 1.5)
  CHECK2(positive, 1.5, 2.5)
  CHECK1(steps, 2.25)
  CHECK2(mixed, 1.5, 2.5)
  CHECK2(mixed, 2.5, 1.5)
  CHECK1(narrowed, 2.25)
  return report();
}
