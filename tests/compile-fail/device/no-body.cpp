// An external function without a body: the chain and the user's line, and what
// to do; a lambda's chain too.
// RUN: %refused
#include <ferry/ferry.h>

int elsewhere(int);
namespace lib {
int g(int X) {
  // CHECK-DAG: no-body.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'kernel' cannot run on a device: calls elsewhere, whose body is not in this file (kernel → f → lib::g); define it in a header, or compile and link all files with -flto
  return elsewhere(X);
}
} // namespace lib
[[gnu::noinline]] int f(int X) { return lib::g(X) + 1; }
void kernel(std::span<int> V) { V[ferry::global_id()] = f(3); }

int main() {
  int V[1];
  ferry::launch<kernel>(ferry::over(1), V);
  ferry::parallel_for(ferry::over(1), [](std::size_t I, std::span<int> V) {
    // CHECK-DAG: no-body.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'lambda at no-body.cpp:[[#@LINE-1]]:{{[0-9]+}}' cannot run on a device: calls elsewhere, whose body is not in this file; define
    V[I] = elsewhere(1);
  }, V);
}
