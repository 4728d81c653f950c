// A kernel that opens a file two calls down: the chain, and the user's line.
// RUN: %refused
#include <cstdio>
#include <ferry/ferry.h>

int g(int X) {
  // CHECK: fopen.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'kernel' cannot run on a device: calls fopen, which does input or output (kernel → f → g); move the input or output out of the kernel
  std::FILE *F = std::fopen("data", "r");
  return F ? X : 0;
}
int f(int X) { return g(X) + 1; }
void kernel(std::span<int> V) { V[ferry::global_id()] = f(3); }

int main() {
  int V[1];
  ferry::launch<kernel>(ferry::over(1), V);
}
