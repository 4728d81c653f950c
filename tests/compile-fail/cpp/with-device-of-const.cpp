// Memory that is const, given to be written.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void run(const std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: with_device: ferry::out(...) or ferry::inout(...) of memory that is const; write ferry::in(...)
  ferry::with_device(ferry::inout(v), [](const float *) {});
}
// CHECK: 1 error generated.
