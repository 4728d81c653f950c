// parallel_for takes lambdas.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(std::size_t i, std::span<float> y) { y[i] = 1; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'void (unsigned long, std::span<float>)' is not a lambda; pass a lambda, or use ferry::launch<function>(...)
  // CHECK: function-to-parallel-for.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(ferry::over(4), k, v);
}
// CHECK: 1 error generated.
