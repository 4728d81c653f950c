// A struct with a pointer is refused by reference, too.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

struct List {
  List *Next;
};
void k(const List &l, std::span<float> y) { y[0] = l.Next != nullptr; }

void run(std::vector<float> &v) {
  List l = {};
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter type 'const List &' is or holds a pointer or reference
  // CHECK: struct-with-pointer-by-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), l, v);
}
// CHECK: 1 error generated.
