// A kernel may ask for derivatives: they are expanded before it is outlined.
//
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s

#include <cstdio>
#include <ferry/autodiff.h>
#include <ferry/ferry.h>
#include <vector>

static double cube(double x) { return x * x * x; }

void slopes(std::span<const double> x, std::span<double> y) {
  std::size_t i = ferry::global_id();
  if (i < y.size())
    y[i] = ferry::derivative<cube>(x[i]) - std::get<0>(ferry::gradient<cube>(x[i])) / 4;
}

int main() {
  std::vector<double> x(100, 2.0), y(100);
  ferry::launch<slopes>(ferry::over(y.size()), x, y);
  for (double d : y)
    if (d != 9) {
      std::printf("got %g, want 9\n", d);
      return 1;
    }
}
