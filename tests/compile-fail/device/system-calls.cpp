// Threads, clocks, locks and the environment.
// RUN: %refused
#include <chrono>
#include <cstdlib>
#include <ferry/ferry.h>
#include <mutex>

static std::mutex Mutex;
void locks(std::span<int> V) {
  // CHECK-DAG: system-calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'locks' cannot run on a device: calls pthread_mutex_lock
  std::lock_guard Lock(Mutex);
  V[0] += 1;
}
void clocks(std::span<long> V) {
  // CHECK-DAG: system-calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'clocks' cannot run on a device: calls std::chrono::
  V[0] = std::chrono::steady_clock::now().time_since_epoch().count();
}
void environment(std::span<int> V) {
  // CHECK-DAG: system-calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'environment' cannot run on a device: calls getenv
  V[0] = std::getenv("HOME") != nullptr;
}

int main() {
  int V[1] = {};
  long L[1] = {};
  ferry::launch<locks>(ferry::over(1), V);
  ferry::launch<clocks>(ferry::over(1), L);
  ferry::launch<environment>(ferry::over(1), V);
}
