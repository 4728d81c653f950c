// A vector of other elements.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  std::vector<double> d(v.size());
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'std::vector<double>' given for the kernel's parameter 'std::span<float>'; the element types must be the same
  // CHECK: wrong-element-type.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), d);
}
// CHECK: 1 error generated.
