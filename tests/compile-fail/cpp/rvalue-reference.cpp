// A kernel that wants to move.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(int &&n, std::span<float> y) { y[0] = n; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter is 'int &&'; take it by value
  // CHECK: rvalue-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), 3, v);
}
// CHECK: 1 error generated.
