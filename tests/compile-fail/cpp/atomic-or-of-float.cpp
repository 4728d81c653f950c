// A bitwise atomic operation on a float.
//
// RUN: %refused

#include <ferry/ferry.h>

void k(std::span<float> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: this atomic operation is for variable integers of at most 8 bytes
  // CHECK: atomic-or-of-float.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::atomic_or(y[0], 1.f);
}
// CHECK: 1 error generated.
