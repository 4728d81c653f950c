// RUN: %refused
#include <cstdlib>
#include <ferry/ferry.h>
#include <memory>
#include <string>
#include <vector>

void allocates(std::span<int> V) {
  // CHECK-DAG: heap.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'allocates' cannot run on a device: calls operator new{{\[\]}}, which allocates memory{{.*}}; use fixed-size arrays, or pass memory in as an argument
  int *P = new int[V.size()];
  P[V[0]] = 1;
  V[0] = P[V[1]];
  V[1] = reinterpret_cast<long>(P);
}
void mallocs(std::span<int> V) {
  // CHECK-DAG: heap.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'mallocs' cannot run on a device: calls malloc, which allocates memory
  int *P = static_cast<int *>(std::malloc(V[0]));
  V[1] = reinterpret_cast<long>(P);
}
void growsVector(std::span<int> V) {
  // CHECK-DAG: heap.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'growsVector' cannot run on a device: {{.*}}which allocates memory{{.*}}growsVector → std::
  std::vector<int> Local(V[0]);
  V[1] = Local[V[2]];
}

int main() {
  int V[3] = {1, 2, 3};
  ferry::launch<allocates>(ferry::over(1), V);
  ferry::launch<mallocs>(ferry::over(1), V);
  ferry::launch<growsVector>(ferry::over(1), V);
}
