// A pointer without a size.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float *y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a bare pointer 'float *' says nothing about how much memory it points to; write ferry::in(p, n), ferry::out(p, n) or ferry::inout(p, n) with the number of elements
  // CHECK: bare-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v.data());
}
// CHECK: 1 error generated.
