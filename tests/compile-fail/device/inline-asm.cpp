// RUN: %refused
#include <ferry/ferry.h>

inline unsigned long timestamp() {
  unsigned Low, High;
  // CHECK: inline-asm.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel 'clocked' cannot run on a device: contains inline assembly (clocked → timestamp); write the operation in the source language
  asm volatile("rdtsc" : "=a"(Low), "=d"(High));
  return (static_cast<unsigned long>(High) << 32) | Low;
}
void clocked(std::span<unsigned long> V) { V[ferry::global_id()] = timestamp(); }

int main() {
  unsigned long V[1];
  ferry::launch<clocked>(ferry::over(1), V);
}
