// An argument is missing.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float a, std::span<float> y) { y[0] = a; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'k' takes 2 arguments, 1 given
  // CHECK: too-few-arguments.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
