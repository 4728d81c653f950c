// print formats as std::print does: every type that it takes, fills, widths,
// signs, bases and precisions, also those taken from arguments; each thread's
// lines in their order; nothing from threads that don't print.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s | FileCheck %s --strict-whitespace
#include "Inputs/check.h"
#include <climits>
#include <limits>

void formats(std::span<const double> D) {
  ferry::print("plain\n");
  ferry::print("{{}} }}{{\n");
  ferry::print("{} {} {} {} {}\n", 1, -2, 3u, LONG_MIN, ULONG_MAX);
  ferry::print("{} {} {} {}\n", static_cast<signed char>(-5), static_cast<unsigned char>(250),
               static_cast<short>(-300), static_cast<unsigned short>(65535));
  ferry::print("{} {} {}\n", true, false, 'x');
  ferry::print("{:d} {:x} {:c} {:s}\n", true, 'A', 66, false);
  ferry::print("[{:5}] [{:<5}] [{:>5}] [{:^5}] [{:*^7}] [{:05}] [{:+}] [{: }]\n", 42, 42, 42, 42, 42, -42, 42, 42);
  ferry::print("{:x} {:X} {:#x} {:#b} {:b} {:o} {:#o} {:#010x}\n", 255, 255, 255, 5, -5, 8, 8, 255);
  ferry::print("{} {} {} {}\n", D[0], static_cast<float>(D[0]), D[1], 1e300);
  ferry::print("{:.3f} {:.2e} {:g} {:a} {:10.4f}| {:+.1f} {:08.2f}\n", D[0], D[0], D[1], 1.0, D[0], D[0], -D[0]);
  ferry::print("{} {} {}\n", D[2], -D[2], D[3]);
  ferry::print("{1} {0} {1}\n", 10, 'y');
  ferry::print("[{:{}}] [{:.{}f}] [{:>{}.{}f}]\n", 7, 4, D[0], 2, D[0], 8, 3);
  ferry::print("{} {}\n", nullptr, static_cast<const void *>(nullptr));
  ferry::print("no newline, ");
  ferry::print("here it is\n");
}

void many(std::span<const int> V) {
  std::size_t I = ferry::global_id();
  if (V[I] < 0)
    ferry::print("v[{}] = {}\n", I, V[I]);
}

int main() {
  // CHECK:      {{^}}plain
  // CHECK-NEXT: {{^}}{} }{
  // CHECK-NEXT: {{^}}1 -2 3 -9223372036854775808 18446744073709551615
  // CHECK-NEXT: {{^}}-5 250 -300 65535
  // CHECK-NEXT: {{^}}true false x
  // CHECK-NEXT: {{^}}1 41 B false
  // CHECK-NEXT: {{^}}[   42] [42   ] [   42] [ 42  ] [**42***] [-0042] [+42] [ 42]
  // CHECK-NEXT: {{^}}ff FF 0xff 0b101 -101 10 010 0x000000ff
  // CHECK-NEXT: {{^}}3.14159 3.14159 1e-10 1e+300
  // CHECK-NEXT: {{^}}3.142 3.14e+00 1e-10 1p+0     3.1416| +3.1 -0003.14
  // CHECK-NEXT: {{^}}inf -inf nan
  // CHECK-NEXT: {{^}}y 10 y
  // CHECK-NEXT: {{^}}[   7] [3.14] [   3.142]
  // CHECK-NEXT: {{^}}0x0 0x0
  // CHECK-NEXT: {{^}}no newline, here it is
  std::vector<double> D = {3.14159, 1e-10, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()};
  ferry::launch<formats>(ferry::over(1), D);

  // CHECK-NEXT: {{^}}v[77] = -7
  // CHECK-NEXT: {{^}}end
  std::vector<int> V(100, 1);
  V[77] = -7;
  ferry::launch<many>(ferry::over(100), V);
  std::puts("end");
}
// CHECK-NOT: {{.}}
