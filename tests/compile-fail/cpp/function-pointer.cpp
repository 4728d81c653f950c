// A function pointer means nothing on a device.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void k(float (*f)(float), std::span<float> y) { y[0] = f(1); }

void run(std::vector<float> &v) {
  float (&square)(float) = *+[](float x) { return x * x; };
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': the kernel's parameter 'float (*)(float)' is a function pointer, which means nothing on a device; make the function a template parameter of the kernel
  // CHECK: function-pointer.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), square, v);
}
// CHECK: 1 error generated.
