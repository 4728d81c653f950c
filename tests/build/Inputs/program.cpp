#include <cassert>
#include <cstdio>
#include <ferry/ferry.h>
#include <vector>
void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  assert(I < Y.size());
  Y[I] += A * X[I];
}
int main() {
  std::vector<float> X(10000, 1), Y(10000, 2);
  ferry::status S = ferry::try_launch<saxpy>(ferry::over(10000), 2.f, X, Y);
  std::printf("%s %g %s\n", S ? ferry::device_name(ferry::current_device()).c_str() : "error", Y[9999], S.message().c_str());
  return S ? Y[9999] != 4 : 3;
}
