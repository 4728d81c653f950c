// An operator that does not combine two values to one.
//
// RUN: %refused

#include <ferry/ferry.h>

void k(std::span<float> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: the operator of a block function takes two values and returns one of the same type
  // CHECK: block-reduce-operator.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  y[0] = ferry::block::reduce(y[1], [](float a) { return a; });
}
// CHECK: 1 error generated.
