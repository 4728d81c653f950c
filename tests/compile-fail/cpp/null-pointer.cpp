// nullptr has no size either.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(const float *x) { (void)x; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a bare pointer 'std::nullptr_t' says nothing
  // CHECK: null-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(v.size()), nullptr);
}
// CHECK: 1 error generated.
