// An atomic operation on memory that cannot be written.
//
// RUN: %refused

#include <ferry/ferry.h>

void k(std::span<const int> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: this atomic operation is for variable integers of at most 8 bytes, float and double
  // CHECK: atomic-of-const.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::atomic_min(y[0], 1);
}
// CHECK: 1 error generated.
