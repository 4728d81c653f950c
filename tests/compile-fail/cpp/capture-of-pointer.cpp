// A captured pointer.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>



void run(std::vector<float> &v) {
  float *p = v.data();
  // CHECK: error: static assertion failed{{.*}}: ferry: kernel 'lambda at capture-of-pointer.cpp:{{[0-9:]+}}' captures a reference or pointer
  // CHECK: capture-of-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::parallel_for(ferry::over(4), [p](std::size_t i) { p[i] = 1; });
}
// CHECK: 1 error generated.
