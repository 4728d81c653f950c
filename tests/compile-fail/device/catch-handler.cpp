// RUN: %refused
#include <ferry/ferry.h>

struct Bad {};
[[gnu::noinline]] void check(int X) {
  if (X > 3)
    throw Bad();
}
void catches(std::span<int> V) {
  try {
    check(V[0]);
  // CHECK: catch-handler.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}kernel 'catches' cannot run on a device: {{.*}}catch handler
  } catch (const Bad &) {
    V[0] = -1;
  }
}

int main() {
  int V[1] = {5};
  ferry::launch<catches>(ferry::over(1), V);
}
