// RUN: %refused
#include <cstdio>
#include <ferry/ferry.h>

void prints(int X) {
  // CHECK-DAG: printf.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'prints' cannot run on a device: calls printf, which does input or output; print with ferry::print or, in Rust, gpu::print!
  std::printf("%d\n", X);
}
void putsInTemplate(int) {
  // CHECK-DAG: printf.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'putsInTemplate' cannot run on a device: calls puts, which does input or output (putsInTemplate → {{.*lambda.*}})
  [](auto X) { std::puts(X); }("text");
}

int main() {
  ferry::launch<prints>(ferry::over(1), 1);
  ferry::launch<putsInTemplate>(ferry::over(1), 1);
}
