// A const container where the kernel writes.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  const std::vector<float> &c = v;
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the elements of 'const std::vector<float>' are const, but the kernel's parameter is 'std::span<float>'; pass something that can be written, or make the parameter std::span<const float>
  // CHECK: const-container.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), c);
}
// CHECK: 1 error generated.
