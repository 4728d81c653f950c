// A shuffle of more than 32 bytes.
//
// RUN: %refused

#include <ferry/ferry.h>

struct Large {
  double v[5];
};
void k(std::span<Large> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: warp functions hand on values of 32 bytes at most; use shared memory
  // CHECK: shuffle-of-large-struct.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  y[0] = ferry::warp::shuffle(y[1], 0);
}
// CHECK: 1 error generated.
