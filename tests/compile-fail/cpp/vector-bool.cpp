// vector<bool> has no bools in it.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<bool> y) { y[0] = true; }

void run(std::vector<float> &v) {
  std::vector<bool> flags(v.size());
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'std::vector<bool>' given for the kernel's parameter 'std::span<bool>'; pass a vector, array, span or C array, or ferry::inout(p, n)
  // CHECK: vector-bool.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), flags);
}
// CHECK: 1 error generated.
