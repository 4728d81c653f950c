// Narrowing between floating-point types, constants included.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float a, std::span<float> y) { y[0] = a; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'double' to 'float' may change the value; write static_cast<float>(...)
  // CHECK: double-to-float.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), 2.0, v);
}
// CHECK: 1 error generated.
