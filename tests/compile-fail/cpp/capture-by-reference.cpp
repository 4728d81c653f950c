// A capture by reference is a host pointer.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>



void run(std::vector<float> &v) {
  float a = 2;
  // The variable is read to keep clang from dropping the capture.
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at capture-by-reference.cpp:{{[0-9:]+}}' captures a reference or pointer, which a device cannot follow; capture plain values by value, and pass arrays as arguments after the lambda, to std::span parameters
  // CHECK: capture-by-reference.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(ferry::over(4), [&a](std::size_t i, std::span<float> y) { y[i] = a; }, v);
}
// CHECK: 1 error generated.
