// An atomic operation on something that is no number.
//
// RUN: %refused

#include <ferry/ferry.h>

struct Pair {
  int a, b;
};
void k(std::span<Pair> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: this atomic operation is for variable integers of at most 8 bytes, float and double
  // CHECK: atomic-of-struct.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::atomic_add(y[0], {1, 2});
}
// CHECK: 1 error generated.
