// What only the host can have may stand beside kernels, and in code that they
// never run: functions that choose their body by the processor, thread-locals
// that other files can see. A kernel that calls such a function gets the body
// for every processor.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

__attribute__((target_clones("avx2", "default"))) int triple(int X) { return X * 3; }
thread_local int PerThread = 3;
inline thread_local int Inline = 4;
int useThreadLocals() { return PerThread++ + Inline; }
int onHostOrDevice(int X, bool OnHost) { return OnHost ? useThreadLocals() + PerThread : X + 1; }

void run(std::span<int> V) {
  int &X = V[ferry::global_id()];
  X = triple(onHostOrDevice(X, false));
}

int main() {
  std::vector<int> V(100, 1);
  ferry::launch<run>(ferry::over(100), V);
  for (int X : V)
    CHECK(X == 6);
  CHECK(onHostOrDevice(0, true) == 11);
  CHECK(triple(2) == 6);
}
