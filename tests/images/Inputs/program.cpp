#include <cassert>
#include <cmath>
#include <cstdio>
#include <ferry/ferry.h>
#include <vector>
static const float Table[4] = {1, 2, 3, 4};
static int Runs = 0;
void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  assert(I < Y.size());
  Y[I] += A * X[I] + std::sin(X[I]) * 0 + Table[I % 4] * 0;
  if (I == 0)
    ++Runs;
}
int main() {
  std::vector<float> X(1000, 1), Y(1000, 2);
  ferry::launch<saxpy>(ferry::over(1000), 2.f, X, Y);
  ferry::launch<saxpy>(ferry::blocks(4).threads(250), 2.f, X, Y);
  std::printf("%g %d\n", Y[999], Runs);
}
