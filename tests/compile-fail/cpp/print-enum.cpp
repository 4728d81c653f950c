// print takes numbers, not enumerations, strings and structs.
//
// RUN: %refused

#include <ferry/ferry.h>

enum class Colour { red };

void k(std::span<const Colour> x) {
  // CHECK: error: static assertion failed{{.*}}: ferry: print takes integers, float, double, bool, char and void pointers, not 'Colour'; convert the value, and write text into the format
  // CHECK: print-enum.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation {{.*}} requested here
  ferry::print("{}\n", x[0]);
}
// CHECK: 1 error generated.
