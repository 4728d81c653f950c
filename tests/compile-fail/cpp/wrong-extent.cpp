// An array that is longer than the parameter says.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<int, 3> y) { y[0] = 1; }

void run(std::vector<float> &v) {
  int four[4] = {int(v.size())};
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int[4]' has 4 elements, but the kernel's parameter 'std::span<int, 3>' takes 3
  // CHECK: wrong-extent.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(3), four);
}
// CHECK: 1 error generated.
