// A temporary that the kernel would write.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(int &n) { n = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a temporary given for the kernel's parameter 'int &': what the kernel writes would be lost; pass a variable
  // CHECK: temporary-to-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(v.size()), 3);
}
// CHECK: 1 error generated.
