// A generic lambda has no parameter types to go by.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

constexpr auto k = [](auto y) { y[0] = 1; };

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at generic-lambda.cpp:{{[0-9:]+}}' has no single call operator with known parameter types; write the types instead of auto
  // CHECK: generic-lambda.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), v);
}
// CHECK: 1 error generated.
