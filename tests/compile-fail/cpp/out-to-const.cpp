// out() where the kernel can only read.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(const float *x, std::span<float> y) { y[0] = x[0]; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': ferry::out(...) given for the kernel's parameter 'const float *', which cannot be written; write ferry::in(...)
  // CHECK: out-to-const.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), ferry::out(v), v);
}
// CHECK: 1 error generated.
