// blocks() alone is no shape.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::span<float> y) { y[ferry::global_id()] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: blocks(...) alone does not say how many threads a block has; write ferry::blocks(...).threads(...)
  // CHECK: blocks-without-threads.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::blocks(4), v);
}
// CHECK: 1 error generated.
