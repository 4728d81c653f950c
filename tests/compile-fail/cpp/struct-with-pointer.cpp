// A pointer in a private member of a base class, behind an array.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

class Base {
  const char *Name[2];
};
struct Derived : Base {
  int Number;
};
void k(Derived d, std::span<float> y) { y[0] = d.Number; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter type 'Derived' is or holds a pointer or reference; a device cannot follow it: pass the data that it points to as an argument of its own, to a std::span parameter
  // CHECK: struct-with-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), Derived(), v);
}
// CHECK: 1 error generated.
