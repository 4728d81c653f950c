// Atomics of more than eight bytes need locks or instructions that devices lack.
// RUN: %refused
#include <ferry/ferry.h>
#include <atomic>

struct Pair {
  long A, B;
};
void pairs(std::span<Pair> V) {
  // CHECK: error: {{.*}}kernel 'pairs' cannot run on a device: {{.*}}of more than eight bytes{{.*}}; use atomics of at most eight bytes
  V[0] = std::atomic_ref<Pair>(V[1]).load();
}

int main() {
  Pair V[2];
  ferry::launch<pairs>(ferry::over(1), V);
}
