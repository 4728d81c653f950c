// A number is no shape.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: a launch starts with its shape, not with 'unsigned long'; write ferry::over(n) or ferry::blocks(...).threads(...)
  // CHECK: number-as-shape.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(v.size(), v);
}
// CHECK: 1 error generated.
