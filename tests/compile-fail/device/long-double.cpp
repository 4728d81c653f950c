// RUN: %refused
#include <ferry/ferry.h>

void precise(std::span<double> V) {
  // CHECK: long-double.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'precise' cannot run on a device: uses long double{{.*}}; use double
  long double Sum = V[0];
  for (int I = 0; I < 100; ++I)
    Sum = Sum * 3 + 1;
  V[0] = static_cast<double>(Sum);
}

int main() {
  double V[1] = {1};
  ferry::launch<precise>(ferry::over(1), V);
}
