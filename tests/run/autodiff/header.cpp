// <ferry/autodiff.h>, and derivatives of derivatives.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/check.h"
#include <ferry/autodiff.h>

static double product(double x, double y) { return x * x * y; }
static float mixed(float x, int n, double y) noexcept {
  return static_cast<float>(x * n * y);
}
static double power(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i)
    r *= x;
  return r;
}
static double fifth(double x) { return power(x, 5); }

// Second derivatives in all orders of the modes; reverse mode inside has a tape.
static double forwardOnce(double x) { return ferry::derivative<fifth>(x); }
static double reverseOnce(double x) { return std::get<0>(ferry::gradient<fifth>(x)); }
static double forwardTwice(double x) { return ferry::derivative<forwardOnce>(x); }
static double exponential(double x) { return std::exp(2 * x); }
static double slope(double x) { return std::get<0>(ferry::gradient<exponential>(x)); }

int main() {
  auto [dx, dy] = ferry::gradient<product>(3.0, 4.0);
  checkExact("dx", dx, 24);
  checkExact("dy", dy, 9);
  auto Both = ferry::value_and_gradient<mixed>(2.f, 3, 4.0);
  static_assert(std::is_same_v<decltype(Both.gradient), std::tuple<float, double>>);
  checkExact("value", Both.value, 24);
  checkExact("float", std::get<0>(Both.gradient), 12);
  checkExact("double", std::get<1>(Both.gradient), 6);
  checkExact("converted argument", std::get<0>(ferry::gradient<product>(3, 4)), 24);
  checkExact("lambda", ferry::derivative<[](double x) { return x * x; }>(3.0), 6);
  checkExact("first", ferry::derivative<fifth>(2.0), 80);
  checkExact("forward over forward", ferry::derivative<forwardOnce>(2.0), 160);
  checkExact("forward over reverse", ferry::derivative<reverseOnce>(2.0), 160);
  checkExact("reverse over forward", std::get<0>(ferry::gradient<forwardOnce>(2.0)), 160);
  checkExact("third", ferry::derivative<forwardTwice>(2.0), 240);
  checkExact("fourth", std::get<0>(ferry::gradient<[](double x) {
               return ferry::derivative<forwardTwice>(x);
             }>(2.0)), 240);
  checkNear("reverse over reverse", std::get<0>(ferry::gradient<slope>(0.25)), 4 * std::exp(0.5), 1e-14);
  return report();
}
