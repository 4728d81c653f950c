// RUN: %refused
#include <ferry/ferry.h>

void inner(std::span<int> V) { V[0] = 1; }
void outer(std::span<int> V) {
  // CHECK: nested-launch.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'outer' cannot run on a device: {{.*}}launches a kernel{{.*}}; call the function directly
  ferry::launch<inner>(ferry::over(1), V);
}

int main() {
  int V[1];
  ferry::launch<outer>(ferry::over(1), V);
}
