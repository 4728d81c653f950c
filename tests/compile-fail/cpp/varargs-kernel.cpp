// A C variadic function.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(int, ...) {}

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'k' is not a function that a thread can call; launch a function without '...' and ref-qualifiers
  // CHECK: varargs-kernel.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(v.size()), 3);
}
// CHECK: 1 error generated.
