// A sum of booleans over a warp.
//
// RUN: %refused

#include <ferry/ferry.h>

void k(std::span<int> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: this warp function is for numbers of at most 8 bytes
  // CHECK: reduce-add-of-bool.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  y[0] = ferry::warp::reduce_add(y[1] > 0);
}
// CHECK: 1 error generated.
