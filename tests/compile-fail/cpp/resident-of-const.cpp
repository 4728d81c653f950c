// A resident that is only read, where the kernel writes.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  ferry::resident<const float> r(v);
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the elements of 'std::span<const float>' are const, but the kernel's parameter is 'std::span<float>'; pass something that can be written, or make the parameter std::span<const float>
  // CHECK: resident-of-const.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), r);
}
// CHECK: 1 error generated.
