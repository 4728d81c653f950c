// Not every int is a float.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float a, std::span<float> y) { y[0] = a; }

void run(std::vector<float> &v) {
  int i = int(v.size());
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int' to 'float' may change the value; write static_cast<float>(...)
  // CHECK: int-to-float.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), i, v);
}
// CHECK: 1 error generated.
