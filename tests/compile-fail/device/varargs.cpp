// A variadic function without a body, and one whose body reads its arguments.
// RUN: %refused
#include <cstdarg>
#include <ferry/ferry.h>

extern "C" int logged(const char *Format, ...);
void callsVariadic(int X) {
  // CHECK-DAG: varargs.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'callsVariadic' cannot run on a device: calls the variadic function logged
  logged("%d", X);
}
[[gnu::noinline]] int sum(int Count, ...) {
  std::va_list List;
  // CHECK-DAG: varargs.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'sums' cannot run on a device: {{.*}}variable arguments{{.*}}sums → sum
  va_start(List, Count);
  int Sum = 0;
  while (Count--)
    Sum += va_arg(List, int);
  va_end(List);
  return Sum;
}
void sums(std::span<int> V) { V[0] = sum(3, V[0], V[1], V[2]); }

int main() {
  ferry::launch<callsVariadic>(ferry::over(1), 1);
  int V[3] = {1, 2, 3};
  ferry::launch<sums>(ferry::over(1), V);
}
