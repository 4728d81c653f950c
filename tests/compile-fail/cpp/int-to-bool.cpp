// A number is no truth value.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(bool a, std::span<float> y) { y[0] = a; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int' to 'bool' may change the value; write static_cast<bool>(...)
  // CHECK: int-to-bool.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), 1, v);
}
// CHECK: 1 error generated.
