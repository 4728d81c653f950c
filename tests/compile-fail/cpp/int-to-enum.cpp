// An int is no enumerator.
//
// RUN: %refused

#include <ferry/ferry.h>

#include <vector>

enum class Mode { Off, On };
void k(Mode m, std::span<float> y) { y[0] = m == Mode::On; }

void run(std::vector<float> &v) {
  // CHECK: error: static assertion failed{{.*}}: ferry: argument 1 of kernel 'k': 'int' given for the kernel's parameter 'Mode'; write static_cast<Mode>(...)
  // CHECK: int-to-enum.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::launch<k>(ferry::over(4), 1, v);
}
// CHECK: 1 error generated.
