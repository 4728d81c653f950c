// Two kernels with one body are two kernels, also after the linker and LLVM have
// merged what is alike: errors name the right one, and on virtual both run.
// RUN: %run-everywhere --output %t %s
// RUN: %run-everywhere --output %t.icf --ways=-O2 %s -- -fuse-ld=lld -Wl,--icf=all
#include "Inputs/check.h"
#include <cassert>
#include <string>

void alpha(std::span<int> V, int Limit) {
  assert(Limit < 5);
  V[ferry::global_id()] += 1;
}
void beta(std::span<int> V, int Limit) {
  assert(Limit < 5);
  V[ferry::global_id()] += 1;
}
namespace one { void same(std::span<int> V) { V[ferry::global_id()] *= 3; } }
namespace two { void same(std::span<int> V) { V[ferry::global_id()] *= 3; } }
constexpr auto LambdaA = [](std::span<int> V) { V[ferry::global_id()] -= 1; };
constexpr auto LambdaB = [](std::span<int> V) { V[ferry::global_id()] -= 1; };

int main() {
  std::vector<int> V{1, 2};
  ferry::launch<alpha>(ferry::over(2), V, 1);
  ferry::launch<beta>(ferry::over(2), V, 1);
  CHECK(V[0] == 3 && V[1] == 4);
  ferry::launch<one::same>(ferry::over(2), V);
  ferry::launch<two::same>(ferry::over(2), V);
  CHECK(V[0] == 27 && V[1] == 36);
  ferry::launch<LambdaA>(ferry::over(2), V);
  ferry::launch<LambdaB>(ferry::over(2), V);
  CHECK(V[0] == 25 && V[1] == 34);

  std::string A = ferry::try_launch<alpha>(ferry::over(2), V, 9).message();
  std::string B = ferry::try_launch<beta>(ferry::over(2), V, 9).message();
  CHECK(A.find("kernel 'alpha'") != std::string::npos && A.find("cpp:10:") != std::string::npos);
  CHECK(B.find("kernel 'beta'") != std::string::npos && B.find("cpp:14:") != std::string::npos);
}
