// Elements that are pointers.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float *> y) { *y[0] = 1; }

void run(std::vector<float> &v) {
  std::vector<float *> rows = {v.data()};
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter 'std::span<float *>' has elements of type 'float *', which is or holds a pointer or reference; a device cannot follow it
  // CHECK: span-of-pointers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), rows);
}
// CHECK: 1 error generated.
