// out() of memory that is const.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float *y) { y[0] = 1; }

void run(std::vector<float> &v) {
  const std::vector<float> &c = v;
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': ferry::out(...) or ferry::inout(...) of memory that is const; write ferry::in(...)
  // CHECK: out-of-const.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), ferry::out(c));
}
// CHECK: 1 error generated.
