// Values at points where a derivative has no limit or is infinite: they are
// exact.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/check.h"

static const double Infinity = INFINITY;

struct Pair {
  double First, Second;
};

static double root(double x) { return std::sqrt(x); }
static double magnitude(double x) { return std::fabs(x); }
static double power(double x, double y) { return std::pow(x, y); }
static double larger(double x, double y) { return std::fmax(x, y); }
static double smaller(double x, double y) { return std::fmin(x, y); }
static double divide(double x, double y) { return x / y; }
static double multiply(double x, double y) { return x * y; }
static double hypotenuse(double x, double y) { return std::hypot(x, y); }

/// A guard that compilers turn into a select.
static double unit(double v) {
  double n = std::sqrt(v * v);
  return n > 1e-12 ? v / n : v;
}
static double unitOf2(double x, double y) {
  double n = std::sqrt(x * x + y * y);
  return n > 1e-12 ? x / n : x;
}
static double squareMagnitude(double x) { return std::fabs(-(x * x)); }
static double slopeOfSquareMagnitude(double x) {
  return __enzyme_fwddiff<double>((void *)squareMagnitude, x, 1.0);
}
static double logSumExp(double a, double b) {
  double m = std::fmax(a, b);
  return m + std::log(std::exp(a - m) + std::exp(b - m));
}

#define EDGE1(F, X, D)                                                         \
  checkExact(#F "(" #X ") forward",                                            \
             __enzyme_fwddiff<double>((void *)F, (double)(X), 1.0), D);        \
  checkExact(#F "(" #X ") reverse",                                            \
             __enzyme_autodiff<double>((void *)F, (double)(X)), D)
#define EDGE2(F, X, Y, DX, DY)                                                 \
  checkExact(#F "(" #X ", " #Y ") forward 1",                                  \
             __enzyme_fwddiff<double>((void *)F, (double)(X), 1.0,             \
                                      (double)(Y), 0.0),                       \
             DX);                                                              \
  checkExact(#F "(" #X ", " #Y ") forward 2",                                  \
             __enzyme_fwddiff<double>((void *)F, (double)(X), 0.0,             \
                                      (double)(Y), 1.0),                       \
             DY);                                                              \
  G = __enzyme_autodiff<Pair>((void *)F, (double)(X), (double)(Y));            \
  checkExact(#F "(" #X ", " #Y ") reverse 1", G.First, DX);                    \
  checkExact(#F "(" #X ", " #Y ") reverse 2", G.Second, DY)

/// The adjoint 0 meets an infinite slope.
static double rootTimesZero(double x) { return 0 * std::sqrt(x); }
static double gradientOfSquareMagnitude(double x) {
  return __enzyme_autodiff<double>((void *)squareMagnitude, x);
}

int main() {
  Pair G;
  EDGE1(root, 0, Infinity);
  checkExact("root(0) with tangent 0",
             __enzyme_fwddiff<double>((void *)root, 0.0, 0.0), 0);
  EDGE1(magnitude, 0.0, 1);
  EDGE1(magnitude, -0.0, -1);
  EDGE2(power, 0, 2, 0, 0);
  EDGE2(power, 0, 1, 1, 0);
  EDGE2(power, 0, 0, 0, 0);
  EDGE2(power, 0, 0.5, Infinity, 0);
  EDGE2(power, -2, 3, 12, NAN);
  EDGE2(power, 3, 0, 0, std::log(3.0));
  EDGE2(larger, 2, 2, 1, 0);
  EDGE2(smaller, 2, 2, 1, 0);
  EDGE2(larger, 2, NAN, 1, 0);
  EDGE2(larger, NAN, 2, 0, 1);
  // Neither 1/y nor y * y can be represented.
  EDGE2(divide, 1e-300, 1e-310, 1 / 1e-310, -(1 / 1e-310) * (1e-300 / 1e-310));
  EDGE2(divide, 1e200, 1e200, 1 / 1e200, -1 / 1e200);
  EDGE2(multiply, Infinity, 0, 0, Infinity);
  EDGE2(hypotenuse, 0, 0, 0, 0);
  EDGE1(unit, 0, 1);
  EDGE2(unitOf2, 0, 0, 1, 0);
  EDGE1(slopeOfSquareMagnitude, 0, 2);
  EDGE1(gradientOfSquareMagnitude, 0, 2);
  checkExact("rootTimesZero(0)",
             __enzyme_autodiff<double>((void *)rootTimesZero, 0.0), 0);
  EDGE2(logSumExp, 1, 1, 0.5, 0.5);
  EDGE2(logSumExp, -2, -2, 0.5, 0.5);
  return report();
}
