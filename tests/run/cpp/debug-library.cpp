// libstdc++'s own checks in a kernel report like an assert of the user's.
// RUN: %run-everywhere --output %t --ways='-O0 -D_GLIBCXX_DEBUG,-O2 -D_GLIBCXX_DEBUG,-O2 -D_GLIBCXX_ASSERTIONS' %s
#include "Inputs/check.h"
#include <algorithm>
#include <array>

void kernel(std::span<int> V) {
  std::size_t I = ferry::global_id();
  std::array<int, 4> A{3, 1, 2, int(I)};
  std::sort(A.begin(), A.end());
  V[I + (V[0] == 99 ? 100 : 0)] = A[2];
}

int main() {
  std::vector<int> V(8);
  ferry::launch<kernel>(ferry::over(8), V);
  CHECK(V[0] == 2 && V[7] == 3);
  V[0] = 99;
  ferry::status S = ferry::try_launch<kernel>(ferry::over(8), V);
  CHECK(!S && S.code() == ferry::errc::panic);
  CHECK(std::string(S.message()).find("assertion '__idx < size()' failed") !=
        std::string::npos);
}
