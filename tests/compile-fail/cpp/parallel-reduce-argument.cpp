// Arguments of a reduction are counted from the first after the lambda.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <functional>
#include <vector>

float run(const std::vector<double> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'lambda at {{.*}}': 'std::vector<double>' given for the kernel's parameter 'std::span<const float>'; the element types must be the same
  // CHECK: parallel-reduce-argument.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  return ferry::parallel_reduce(
      ferry::over(3), 0.f, std::plus<>(),
      [](std::size_t i, std::span<const float> v) { return v[i]; }, v);
}
// CHECK: 1 error generated.
