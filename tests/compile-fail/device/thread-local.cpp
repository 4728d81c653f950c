// RUN: %refused
#include <ferry/ferry.h>

thread_local int PerThread = 3;
static thread_local int Hidden;
void usesThreadLocal(std::span<int> V) {
  // CHECK-DAG: thread-local.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'usesThreadLocal' cannot run on a device: uses the thread-local variable 'PerThread'; pass its value as an argument
  V[0] = ++PerThread;
}
int readHidden() {
  // CHECK-DAG: thread-local.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'below' cannot run on a device: uses the thread-local variable 'Hidden' (below → readHidden); pass its value as an argument
  return ++Hidden;
}
void below(std::span<int> V) { V[0] = readHidden(); }

int main() {
  int V[1];
  ferry::launch<usesThreadLocal>(ferry::over(1), V);
  ferry::launch<below>(ferry::over(1), V);
}
