// Elements whose bytes cannot be copied.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

#include <string>
void k(std::span<std::string> y) { y[0] = "x"; }

void run(std::vector<float> &v) {
  std::vector<std::string> names(3);
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter 'std::span<std::basic_string<char>>' has elements of type 'std::basic_string<char>', which is not trivially copyable; use elements whose bytes can be copied
  // CHECK: span-of-strings.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(v.size()), names);
}
// CHECK: 1 error generated.
