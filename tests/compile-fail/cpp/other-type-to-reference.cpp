// A reference to another type.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(long &n) { n = 1; }

void run(std::vector<float> &v) {
  int n = int(v.size());
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int' given for the kernel's parameter 'long &'; the types must be the same
  // CHECK: other-type-to-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), n);
}
// CHECK: 1 error generated.
