// FERRY_CHECK names checks, and works on cpu; what it cannot do is an error of
// the launch. An empty one is none.
// RUN: %run-everywhere --output %t --devices=cpu --env FERRY_CHECK=race,typo %s | FileCheck %s --check-prefix=WORD
// RUN: %run-everywhere --output %t --devices=virtual --env FERRY_CHECK=race %s | FileCheck %s --check-prefix=DEVICE
// RUN: %run-everywhere --output %t --env FERRY_CHECK= %s | FileCheck %s --check-prefix=EMPTY
#include "Inputs/show.h"

void kernel(std::span<int> x) { x[ferry::global_id()] = 1; }

// WORD: 4 kernel 'kernel' launched at {{.*}}: FERRY_CHECK names 'typo', which is no check: there are race, bounds, barrier, uninit and coherence
// DEVICE: 4 kernel 'kernel' launched at {{.*}}: FERRY_CHECK works on cpu, and this launch is for virtual:0: choose cpu with FERRY_DEVICE=cpu, or unset FERRY_CHECK
// EMPTY: 0 fine
int main() {
  std::vector<int> X(64);
  show(ferry::try_launch<kernel>(ferry::over(64), X));
}
