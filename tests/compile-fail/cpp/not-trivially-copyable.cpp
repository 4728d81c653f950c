// A struct with a copy constructor of its own.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

struct S {
  S() = default;
  S(const S &) {}
};
void k(S, std::span<float> y) { y[0] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter type 'S' is not trivially copyable; pass a struct whose bytes can be copied
  // CHECK: not-trivially-copyable.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), S(), v);
}
// CHECK: 1 error generated.
