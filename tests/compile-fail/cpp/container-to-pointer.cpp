// A container knows its size, but not what a pointer parameter does with it.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float *y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'std::vector<float>' given for the kernel's parameter 'float *'; write ferry::in(p, n), ferry::out(p, n) or ferry::inout(p, n) with the number of elements, or make the parameter a std::span
  // CHECK: container-to-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
