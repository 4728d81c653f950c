// Arrays that stay on a device when launches fail: a panic, a shape that no device
// takes, an argument of which there is too much. Data is what it was, or what the
// kernel has computed, and later launches work.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s
#include "Inputs/check.h"
#include <cassert>
#include <numeric>

void increment(std::span<int> A) { ++A[ferry::global_id()]; }
void failAt(std::span<int> A, int Where) {
  int I = static_cast<int>(ferry::global_id());
  if (I == Where)
    assert(I != Where);
  A[I] += 10;
}

int main() {
  std::vector<int> A(1000), Want(1000);
  std::iota(A.begin(), A.end(), 0);
  Want = A;
  for (int Round = 0; Round < 5; ++Round) {
    ferry::launch<increment>(ferry::over(1000), A);
    CHECK(!ferry::try_launch<increment>(ferry::blocks(1).threads(2000), A));
    CHECK(!ferry::try_launch<failAt>(ferry::over(1000), A, 999));
    for (int I = 0; I < 1000; ++I) {
      ++Want[I];
      // The others may have run or not.
      CHECK(A[I] == Want[I] || A[I] == Want[I] + 10);
      Want[I] = A[I];
    }
    CHECK(ferry::try_launch<failAt>(ferry::over(1000), A, -1));
    for (int &W : Want)
      W += 10;
    CHECK(A[500] == Want[500]);
  }
  CHECK(A == Want);
}
