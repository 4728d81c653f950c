// A format of print that does not fit its values.
//
// RUN: %refused

#include <ferry/ferry.h>

void k(std::span<const float> x) {
  // CHECK: print-format.cpp:[[@LINE+2]]:{{[0-9]+}}: error: call to consteval function
  // CHECK: note: in call to 'theFormatIsWrong(&"there are more fields than values"[0])'
  ferry::print("{} {}\n", x[0]);
}
// CHECK: 1 error generated.
