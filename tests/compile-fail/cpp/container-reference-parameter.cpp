// A kernel that takes a reference to a vector.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::vector<float> &y) { y[0] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter is 'std::vector<float> &', whose memory a device cannot manage
  // CHECK: container-reference-parameter.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
