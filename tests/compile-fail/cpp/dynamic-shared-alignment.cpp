// Dynamic shared memory of a type that needs more alignment than it has.
//
// RUN: %refused

#include <ferry/ferry.h>

struct alignas(64) Line {
  float v[16];
};
void k(std::span<float> y) {
  // CHECK: error: static assertion failed{{.*}}: ferry: dynamic_shared<T>() is aligned to 16 bytes, and T needs more
  // CHECK: dynamic-shared-alignment.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  y[0] = ferry::dynamic_shared<Line>()[0].v[3];
}
// CHECK: 1 error generated.
