// parallel_for's lambda takes the element's number first.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>



void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at lambda-without-index.cpp:{{[0-9:]+}}' does not take the element's number; make its first parameter std::size_t
  // CHECK: lambda-without-index.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(ferry::over(4), [](std::span<float> y) { y[0] = 1; }, v);
}
// CHECK: 1 error generated.
