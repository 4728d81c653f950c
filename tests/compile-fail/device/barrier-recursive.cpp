// RUN: %refused
#include <ferry/ferry.h>

static void down(std::span<int> V, int Depth) {
  if (Depth == 0)
    return;
  ferry::sync_threads();
  // CHECK-DAG: barrier-recursive.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'recursive' cannot run on a device: waits for the other threads of its block in a function that cannot be inlined, since it is recursive or called through a pointer
  V[Depth] += 1;
  down(V, Depth - 1);
  down(V, Depth / 2);
}
static int sum(int Depth) {
  auto &S = ferry::shared<int[4]>();
  return Depth ? S[Depth] + sum(Depth - 1) * sum(Depth / 2) : 0;
  // CHECK-DAG: barrier-recursive.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'shares' cannot run on a device: uses a block's shared memory in a function that cannot be inlined
}
void shares(std::span<int> V) { V[0] = sum(V[1]); }
void recursive(std::span<int> V) { down(V, V[0]); }

int main() {
  int V[4] = {};
  ferry::launch<recursive>(ferry::blocks(1).threads(4), V);
  ferry::launch<shares>(ferry::blocks(1).threads(4), V);
}
