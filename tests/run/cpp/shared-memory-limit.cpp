// More shared memory than the device has: static alone, dynamic alone, and both
// together where each would do; the error names limit and request, nothing is run,
// and what just fits runs.
// RUN: %run-everywhere --ways=-O0,-O2 --output %t %s | FileCheck %s
#include "Inputs/check.h"
#include <string>

template <std::size_t Bytes> void kernel(std::span<int> x) {
  auto &Own = ferry::shared<char[Bytes]>();
  auto Dynamic = ferry::dynamic_shared<char>();
  unsigned I = ferry::thread_idx().x;
  for (std::size_t J = I; J < Bytes; J += 64)
    Own[J] = 1;
  for (std::size_t J = I; J < Dynamic.size(); J += 64)
    Dynamic[J] = 2;
  ferry::sync_threads();
  if (I == 0)
    x[0] = Own[Bytes - 1] + (Dynamic.empty() ? 0 : Dynamic[Dynamic.size() - 1]);
}
void dynamicAlone(std::span<int> x) {
  auto Dynamic = ferry::dynamic_shared<int>();
  Dynamic[ferry::thread_idx().x] = 1;
  x[ferry::thread_idx().x] = Dynamic[ferry::thread_idx().x];
}

static std::vector<int> X(64);
static void show(const ferry::status &S) {
  std::string Text = S ? "ran: " + std::to_string(X[0]) : S.message();
  if (auto At = Text.find("virtual:0"); At != std::string::npos)
    Text.replace(At, 9, "cpu");
  std::printf("%d %s\n", static_cast<int>(S.code()), Text.c_str());
  X[0] = 0;
}

int main() {
  auto Block = ferry::blocks(2).threads(64);
  // CHECK: 3 kernel 'kernel<204800ul>' launched at {{.*}}: a block asks for 204800 bytes of shared memory: cpu allows at most 65536
  show(ferry::try_launch<kernel<204800>>(Block, X));
  // CHECK-NEXT: 3 kernel 'kernel<40000ul>' launched at {{.*}}: a block asks for 30000 bytes of shared memory besides the kernel's own 40000: cpu allows at most 65536
  show(ferry::try_launch<kernel<40000>>(ferry::blocks(2).threads(64).shared(30000), X));
  // CHECK-NEXT: 3 kernel 'dynamicAlone' launched at {{.*}}: a block asks for 65537 bytes of shared memory: cpu allows at most 65536
  show(ferry::try_launch<dynamicAlone>(ferry::blocks(2).threads(64).shared(65537), X));
  // CHECK-NEXT: 3 kernel 'dynamicAlone' launched at {{.*}}: a block asks for 18446744073709551615 bytes of shared memory: cpu allows at most 65536
  show(ferry::try_launch<dynamicAlone>(ferry::blocks(2).threads(64).shared(~std::size_t(0)), X));
  // CHECK-NEXT: 0 ran: 1
  show(ferry::try_launch<kernel<65536>>(Block, X));
  // CHECK-NEXT: 0 ran: 3
  show(ferry::try_launch<kernel<40000>>(ferry::blocks(2).threads(64).shared(25536), X));
}
