// A constant that its parameter cannot hold.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(unsigned char a, std::span<float> y) { y[0] = a; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int' to 'unsigned char' may change the value, and this is not a constant that fits
  // CHECK: large-constant.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), 256, v);
}
// CHECK: 1 error generated.
