// The user's macros neither disturb the headers nor get lost.
// RUN: %run-everywhere --output %t --ways='-O2 -DN=1000 -DT=float -DK=7.f -DX=1 -DF -DR=2' %s
#include <complex.h>
#include <ferry/ferry.h>
#include <vector>

#ifndef I
#error "<complex.h>'s macro is lost"
#endif

void scale(T Factor, std::span<T> Values) { Values[ferry::global_id()] *= Factor; }

int main() {
  std::vector<T> Values(N, X);
  ferry::launch<scale>(ferry::over(N), K, Values);
  return Values[N - 1] != K;
}
