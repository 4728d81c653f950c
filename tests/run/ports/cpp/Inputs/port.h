// What the ports share: a check that names its line, a comparison of floats,
// and numbers to work on.
#ifndef PORT_H
#define PORT_H
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ferry/ferry.h>
#include <span>
#include <vector>

#define CHECK(...)                                                             \
  do {                                                                         \
    if (!(__VA_ARGS__)) {                                                      \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__,    \
                   #__VA_ARGS__);                                              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

/// Close enough for sums whose order or rounding differs.
inline bool near(double A, double B, double Tolerance = 1e-5) {
  return std::fabs(A - B) <= Tolerance * (1 + std::fabs(B));
}

inline std::uint32_t nextRandom(std::uint32_t &State) {
  State ^= State << 13;
  State ^= State >> 17;
  State ^= State << 5;
  return State;
}

/// Between -1 and 1.
inline std::vector<float> randomFloats(std::size_t N, std::uint32_t Seed) {
  std::uint32_t State = Seed * 2654435761u + 1;
  std::vector<float> V(N);
  for (float &X : V)
    X = float(nextRandom(State) >> 8) * 0x1p-23f - 1;
  return V;
}
#endif
