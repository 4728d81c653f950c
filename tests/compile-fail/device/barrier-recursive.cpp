// RUN: %refused
#include <ferry/ferry.h>

static void down(std::span<int> V, int Depth) {
  if (Depth == 0)
    return;
  ferry::sync_threads();
  // CHECK: barrier-recursive.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'recursive' cannot run on a device: waits for other threads in a function that cannot be inlined, since it is recursive or called through a pointer
  V[Depth] += 1;
  down(V, Depth - 1);
  down(V, Depth / 2);
}
void recursive(std::span<int> V) { down(V, V[0]); }

int main() {
  int V[4] = {};
  ferry::launch<recursive>(ferry::blocks(1).threads(4), V);
}
