// An argument too many, of parallel_for.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>



void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at too-many-arguments.cpp:{{[0-9:]+}}' takes 1 argument, 2 given
  // CHECK: too-many-arguments.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(
      ferry::over(4), [](std::size_t i, std::span<float> y) { y[i] = 1; }, v, 3);
}
// CHECK: 1 error generated.
