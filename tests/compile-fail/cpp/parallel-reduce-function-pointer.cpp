// A function as the operator of a reduction: its address means nothing elsewhere.
//
// RUN: %refused

#include <ferry/ferry.h>

float add(float a, float b) { return a + b; }

float run() {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at {{.*}}' has an operator of type 'float (*)(float, float)'; pass a lambda, or a function object such as std::plus<>()
  // CHECK: parallel-reduce-function-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  return ferry::parallel_reduce(
      ferry::over(3), 0.f, &add,
      [](std::size_t i) { return static_cast<float>(i); });
}
// CHECK: 1 error generated.
