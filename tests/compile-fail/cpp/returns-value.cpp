// A kernel that returns something.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

float k(std::span<float> y) { return y[0]; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'k' returns 'float'; make it return void and write its result to a std::span or T & parameter
  // CHECK: returns-value.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
