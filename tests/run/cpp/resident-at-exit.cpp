// A resident of static storage ends with the program, and its elements come home; one
// that never ends is reported, and its memory is left alone.
//
// RUN: %ferrycxx -O2 %s -o %t
// RUN: env FERRY_DEVICE=virtual %t 2>&1 | FileCheck %s
// RUN: env FERRY_DEVICE=cpu %t 2>&1 | FileCheck %s --check-prefix=CPU
// CHECK-DAG: at exit: 2
// CHECK-DAG: ferry: 4000 bytes that kernels have written are lost on device virtual:0: the resident made at {{.*}}resident-at-exit.cpp:[[#]] never ended
// CPU-NOT: ferry:
// CPU: at exit: 2
// CPU-NOT: ferry:

#include <cstdio>
#include <ferry/ferry.h>
#include <vector>

static void add(std::span<int> V) { V[ferry::global_id()] += 1; }

struct Checked {
  std::vector<int> Values = std::vector<int>(1000, 1);
  ~Checked() { std::printf("at exit: %d\n", Values[5]); }
};

Checked A;
std::vector<int> &B = *new std::vector<int>(1000, 1);
ferry::resident a(A.Values);

int main() {
  auto *Leaked = new ferry::resident(B);
  ferry::launch<add>(ferry::over(1000), a);
  ferry::launch<add>(ferry::over(1000), *Leaked);
}
