// in() where the kernel can write.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float *y) { y[0] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': ferry::in(...) given for the kernel's parameter 'float *', which can be written; write ferry::inout(...) or ferry::out(...), or make the parameter point to const
  // CHECK: in-to-written.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), ferry::in(v));
}
// CHECK: 1 error generated.
