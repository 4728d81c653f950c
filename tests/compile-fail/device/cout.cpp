// RUN: %refused
#include <ferry/ferry.h>
#include <iostream>

void says(std::span<int> V) {
  // CHECK: cout.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'says' cannot run on a device: {{.*}}which does input or output
  std::cout << V[0];
}

int main() {
  int V[1] = {};
  ferry::launch<says>(ferry::over(1), V);
}
