// A gradient that is zero for all inputs is worth a warning that names the argument;
// one that is zero at times, and a result in memory, are not.
//
// RUN: %clangxx -std=c++20 -g -I%include -fpass-plugin=%plugin -O0 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %clangxx -std=c++20 -g -I%include -fpass-plugin=%plugin -O3 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <ferry/autodiff.h>

static double compared(double x, double y) { return x * (y > 0 ? 2 : 3); }
static double rounded(const double *x, const double *w, double *out, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * static_cast<int>(w[i]);
    out[i] = x[i];
  }
  return s;
}
static double unused(double x, const double *) { return x; }
static double atTimes(double x, double y) { return x > 0 ? x : y; }
static double through(const double *x, double *work) {
  work[0] = x[0];
  double copy[2] = {work[0], 1};
  return copy[0] * copy[1];
}
static double index(std::span<const double> x, double y) {
  return x[static_cast<std::size_t>(y)];
}

void run(double *x, double *d) {
  __enzyme_autodiff<void>((void *)compared, 1.0, 2.0);
  // CHECK: zero-gradient.cpp:[[@LINE-1]]:3: warning: the gradient of 'compared' in 'y' is zero: nothing that depends on it reaches the result; pass it as a constant, or see whether it goes through an integer
  __enzyme_autodiff<void>((void *)rounded, x, d, x, d, x, d, 2);
  // CHECK: zero-gradient.cpp:[[@LINE-1]]:3: warning: the gradient of 'rounded' in 'w' is zero
  __enzyme_autodiff<void>((void *)unused, 1.0, x, d);
  // CHECK: zero-gradient.cpp:[[@LINE-1]]:3: warning: the gradient of 'unused' in argument 2 is zero
  __enzyme_autodiff<void>((void *)compared, 1.0, enzyme_const, 2.0);
  __enzyme_autodiff<void>((void *)atTimes, 1.0, 2.0);
  __enzyme_autodiff<void>((void *)through, x, d, x, d);
  ferry::gradient<index>(ferry::dup(std::span(x, 2), std::span(d, 2)), 1.0);
  // CHECK: zero-gradient.cpp:26:{{[0-9]+}}: warning: the gradient of 'index' in 'y' is zero
}
// CHECK: 4 warnings generated.
