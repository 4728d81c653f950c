// A pointer where the kernel takes a span.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a bare pointer 'float *' says nothing about how much memory it points to; write ferry::in(p, n)
  // CHECK: bare-pointer-to-span.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v.data());
}
// CHECK: 1 error generated.
