// The elements of a temporary are gone before the resident is.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: a resident of a temporary: its elements would be gone before the resident is; make it of a variable
  // CHECK: resident-of-temporary.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::resident r{std::vector<float>(v)};
  (void)r;
}
void spans(std::vector<float> &v) {
  ferry::resident r(std::span(v).first(1)); // does not own them
  (void)r;
}
// CHECK: 1 error generated.
