// Elements that mean nothing on a device.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

void run(std::vector<float *> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: the elements of a resident must be trivially copyable and hold no pointers or references
  // CHECK: resident-of-pointers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::resident r(v);
}
// CHECK: 1 error generated.
