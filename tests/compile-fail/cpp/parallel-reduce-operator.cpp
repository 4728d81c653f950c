// An operator of a reduction for values of another type.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <string>

float run() {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at parallel-reduce-operator.cpp:{{.*}}' has an operator that does not take two values of type 'float' and return one
  // CHECK: parallel-reduce-operator.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  return ferry::parallel_reduce(
      ferry::over(3), 0.f, [](std::string a, std::string) { return a; },
      [](std::size_t i) { return static_cast<float>(i); });
}
// CHECK: 1 error generated.
