// What the programs here compare with, and how they say that it differs.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ferry/enzyme.h>

inline int Failures = 0;

inline bool sameBits(double A, double B) {
  return (std::isnan(A) && std::isnan(B)) || std::memcmp(&A, &B, sizeof A) == 0;
}

/// The same number; zeros of either sign are the same.
inline void checkExact(const char *What, double Got, double Want) {
  if (sameBits(Got, Want) || Got == Want)
    return;
  std::printf("%s: got %.17g, want %.17g\n", What, Got, Want);
  ++Failures;
}

inline void checkNear(const char *What, double Got, double Want,
                      double Tolerance = 1e-9) {
  double Scale = std::fmax(1, std::fabs(Want));
  if (std::fabs(Got - Want) <= Tolerance * Scale)
    return;
  std::printf("%s: got %.17g, want %.17g\n", What, Got, Want);
  ++Failures;
}

inline int report() {
  std::puts(Failures ? "failed" : "passed");
  return Failures != 0;
}
