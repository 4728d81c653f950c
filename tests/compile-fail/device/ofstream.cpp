// RUN: %refused
#include <ferry/ferry.h>
#include <fstream>

void writes(std::span<int> V) {
  // CHECK: ofstream.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'writes' cannot run on a device: {{.*}}which does input or output{{.*}}; move the input or output out of the kernel
  std::ofstream Out("file");
  Out << V[0];
}

int main() {
  int V[1] = {};
  ferry::launch<writes>(ferry::over(1), V);
}
