// A captured container.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>



void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at capture-of-vector.cpp:{{[0-9:]+}}' captures something that is not trivially copyable; capture plain values, and pass arrays as arguments after the lambda, to std::span parameters
  // CHECK: capture-of-vector.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(ferry::over(4), [v](std::size_t i, std::span<float> y) { y[i] = v[i]; }, v);
}
// CHECK: 1 error generated.
