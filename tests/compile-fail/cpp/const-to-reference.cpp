// A const variable that the kernel would write.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(int &n) { n = 1; }

void run(std::vector<float> &v) {
  const int n = int(v.size());
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': a const 'int' given for the kernel's parameter 'int &', which can be written; pass a variable, or make the parameter const
  // CHECK: const-to-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), n);
}
// CHECK: 1 error generated.
