// What a kernel writes to a temporary is lost.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a temporary 'std::vector<float>' given for the kernel's parameter 'std::span<float>': what the kernel writes would be lost; pass a variable, or make the parameter std::span<const float>
  // CHECK: temporary-container.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), std::vector<float>(v));
}
// CHECK: 1 error generated.
