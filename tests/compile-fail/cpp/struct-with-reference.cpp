// A reference member is a pointer too.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

struct Holder {
  const int (&Numbers)[3];
};
void k(Holder h, std::span<float> y) { y[0] = h.Numbers[0]; }

void run(std::vector<float> &v) {
  int numbers[3] = {};
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter type 'Holder' is or holds a pointer or reference
  // CHECK: struct-with-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), Holder{numbers}, v);
}
// CHECK: 1 error generated.
