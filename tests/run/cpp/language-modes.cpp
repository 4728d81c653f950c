// Without exceptions, without RTTI, in newer standards, with sections and hidden
// visibility, with hardening, for other processors.
// RUN: %run-everywhere --output %t.a --ways='-O2 -fno-exceptions -fno-rtti,-O0 -std=c++23,-O2 -std=c++26,-O2 -std=gnu++20 -fvisibility=hidden -ffunction-sections -fdata-sections' %s
// RUN: %run-everywhere --output %t.b --ways='-O2 -fno-pie -no-pie,-O2 -static-libstdc++ -static-libgcc,-O2 -fstack-protector-all -D_FORTIFY_SOURCE=2,-O1 -fno-inline,-Os,-Oz,-Ofast -Wno-deprecated' %s
// RUN: %run-everywhere --output %t.c --ways='-O2 -march=native,-O3 -mavx2,-O2 -flto -march=native,-O2 -fuse-ld=lld,-O2 -flto=thin' %s
#include "Inputs/check.h"

void saxpy(float A, std::span<const float> X, std::span<float> Y) {
  std::size_t I = ferry::global_id();
  if (I < Y.size())
    Y[I] += A * X[I];
}

int main() {
  std::vector<float> X(10000, 1), Y(10000, 2);
  ferry::status S = ferry::try_launch<saxpy>(ferry::over(10000), 2.f, X, Y);
  CHECK(S);
  ferry::launch<saxpy>(ferry::blocks(100).threads(128), 2.f, X, Y);
  for (float V : Y)
    CHECK(V == 6);
}
