// What a block of threads does together needs blocks of the user's own.
// RUN: %refused
#include <ferry/ferry.h>

void waits(std::span<int> V) {
  V[ferry::global_id()] = 1;
  ferry::sync_threads();
  // CHECK: barrier-over.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'waits' cannot run on a device: waits for the other threads of its block, and over(...) has no blocks of its own; launch it with blocks(...).threads(...)
}

void shares(std::span<int> V) {
  auto &S = ferry::shared<int[4]>();
  S[0] = V[0];
  // CHECK: barrier-over.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'shares' cannot run on a device: uses a block's shared memory, and over(...) has no blocks of its own; launch it with blocks(...).threads(...)
  V[1] = S[0];
}

void votes(std::span<int> V) {
  V[0] = ferry::warp::ballot(true) != 0;
  // CHECK: barrier-over.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'votes' cannot run on a device: asks the other threads of its warp, and over(...) has no blocks of its own; launch it with blocks(...).threads(...)
}

int main() {
  int V[4] = {};
  ferry::launch<waits>(ferry::over(4), V);
  ferry::launch<shares>(ferry::over(4), V);
  ferry::launch<votes>(ferry::over(4), V);
  ferry::parallel_for(
      ferry::over(4),
      [](std::size_t I, std::span<int> V) {
        V[I] = 1;
        ferry::sync_threads();
        // CHECK: barrier-over.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}waits for the other threads of its block
      },
      V);
}
