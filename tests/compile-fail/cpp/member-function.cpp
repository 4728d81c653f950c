// A member function has no object on a device.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

struct S {
  void k(std::span<float> y) { y[0] = 1; }
};

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'S::k' is a member function; launch a static one, or a lambda that takes the object as a parameter
  // CHECK: member-function.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<&S::k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
