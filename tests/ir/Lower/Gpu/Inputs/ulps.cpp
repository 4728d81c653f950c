// How far the device libraries' functions are from the true result, in units in
// the last place. The kernels compute all functions of one or two arguments;
// compiled with -DHOST this is the program that runs them for many arguments and
// compares with a wider type's result. Bounds are those of docs/math.md: of
// CUDA's manual for libdevice, of the OpenCL standard for libclc.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ferry/markers.h>
#include <random>

// name, range of arguments, bounds: libdevice's float and double, libclc's
#define UNARY(F)                                                               \
  F(sin, -100, 100, 2, 2, 4, 4)                                                \
  F(cos, -100, 100, 2, 2, 4, 4)                                                \
  F(tan, -100, 100, 4, 2, 5, 5)                                                \
  F(asin, -1, 1, 2, 2, 4, 4)                                                   \
  F(acos, -1, 1, 2, 2, 4, 4)                                                   \
  F(atan, -50, 50, 2, 2, 5, 5)                                                 \
  F(sinh, -20, 20, 3, 2, 4, 4)                                                 \
  F(cosh, -20, 20, 2, 2, 4, 4)                                                 \
  F(tanh, -9, 9, 2, 2, 5, 5)                                                   \
  F(asinh, -100, 100, 3, 3, 4, 4)                                              \
  F(acosh, 1, 100, 4, 3, 4, 4)                                                 \
  F(atanh, -1, 1, 3, 2, 5, 5)                                                  \
  F(exp, -80, 80, 2, 2, 3, 3)                                                  \
  F(exp2, -120, 120, 2, 2, 3, 3)                                               \
  F(expm1, -20, 20, 2, 2, 3, 3)                                                \
  F(log, 0, 1000, 2, 2, 3, 3)                                                  \
  F(log2, 0, 1000, 2, 2, 3, 3)                                                 \
  F(log10, 0, 1000, 2, 2, 3, 3)                                                \
  F(log1p, -0.9, 1000, 2, 2, 2, 2)                                             \
  F(cbrt, -1000, 1000, 2, 2, 2, 2)                                             \
  F(sqrt, 0, 1000, 0.5, 0.5, 0.5, 0.5)                                         \
  F(erf, -4, 4, 2, 2, 16, 16)                                                  \
  F(erfc, -4, 8, 4, 5, 16, 16)                                                 \
  F(tgamma, 0.1, 20, 5, 10, 16, 16)
#define BINARY(F)                                                              \
  F(pow, 0, 20, 4, 2, 16, 16)                                                  \
  F(hypot, -50, 50, 3, 2, 4, 4)                                                \
  F(atan2, -50, 50, 3, 2, 6, 6)                                                \
  F(fmod, -50, 50, 0, 0, 0, 0)                                                 \
  F(remainder, -50, 50, 0, 0, 0, 0)                                            \
  F(fdim, -50, 50, 0.5, 0.5, 0.5, 0.5)

#define ONE(...) 1 +
constexpr int Unaries = UNARY(ONE) 0, Binaries = BINARY(ONE) 0;

template <class T> struct Block {
  T X[Unaries + Binaries], Y[Unaries + Binaries], R[Unaries + Binaries];
};

#ifndef HOST

extern "C" int __ferry_launch(...);

template <class T> static void kernel(const void *Raw) {
  Block<T> *B;
  std::memcpy(&B, Raw, sizeof(B));
  int I = 0;
#define COMPUTE(NAME, ...) B->R[I] = std::NAME(B->X[I]), ++I;
#define COMPUTE2(NAME, ...) B->R[I] = std::NAME(B->X[I], B->Y[I]), ++I;
  UNARY(COMPUTE)
  BINARY(COMPUTE2)
}

void host(void *N) {
#define LAUNCH(TYPE, NAME)                                                     \
  __ferry_launch(                                                              \
      uint64_t(1), &kernel<TYPE>, NAME, uint64_t(sizeof(NAME) - 1), "k.cpp",   \
      uint64_t(5), uint64_t(1), uint64_t(1), uint64_t(FERRY_OVER),             \
      uint64_t(1), uint64_t(1), uint64_t(1), uint64_t(1), uint64_t(1),         \
      uint64_t(1), uint64_t(0), uint64_t(-1), uint64_t(1),                     \
      uint64_t(FERRY_FIELD_BUFFER | FERRY_FIELD_READ | FERRY_FIELD_WRITE), N,  \
      uint64_t(sizeof(Block<TYPE>)))
  LAUNCH(double, "in_double");
  LAUNCH(float, "in_float");
}

#else

#include "nvvm-on-cpu.h"

extern "C" {
uint32_t thread_x() { return 0; }
uint32_t thread_y() { return 0; }
uint32_t thread_z() { return 0; }
uint32_t block_x() { return 0; }
uint32_t block_y() { return 0; }
uint32_t block_z() { return 0; }
using Kernel = void(void *, void *N, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t, uint64_t, void *);
Kernel in_double, in_float;
}

struct Row {
  const char *Name;
  double Low, High, Bounds[4];
};
#define ROW(NAME, LOW, HIGH, A, B, C, D) {#NAME, LOW, HIGH, {A, B, C, D}},
static const Row Rows[] = {UNARY(ROW) BINARY(ROW)};

template <class Wide> static Wide truth(int I, Wide X, Wide Y) {
  int J = 0;
#define TRUTH(NAME, ...)                                                       \
  if (I == J++)                                                                \
    return std::NAME(X);
#define TRUTH2(NAME, ...)                                                      \
  if (I == J++)                                                                \
    return std::NAME(X, Y);
  UNARY(TRUTH)
  BINARY(TRUTH2)
  return 0;
}

template <class T, class Wide> static void measure(const char *Type, Kernel *K,
                                                   int Column) {
  std::mt19937 Random(12345);
  double Worst[Unaries + Binaries] = {};
  T At[Unaries + Binaries] = {};
  for (int Round = 0; Round < 20000; ++Round) {
    Block<T> B;
    for (int I = 0; I < Unaries + Binaries; ++I) {
      std::uniform_real_distribution<T> Of(Rows[I].Low, Rows[I].High);
      B.X[I] = Of(Random);
      B.Y[I] = Of(Random);
    }
    K(nullptr, &B, 1, 1, 1, 1, 1, 1, 0, nullptr);
    for (int I = 0; I < Unaries + Binaries; ++I) {
      Wide Wanted = truth<Wide>(I, B.X[I], B.Y[I]);
      T Near = std::fabs(T(Wanted));
      Wide Unit = Wide(std::nextafter(Near, T(INFINITY))) - Near;
      double Off = double(std::fabs(Wide(B.R[I]) - Wanted) / Unit);
      if (!(Off <= Worst[I]))
        Worst[I] = Off, At[I] = B.X[I];
    }
  }
  unsigned Bad = 0;
  for (int I = 0; I < Unaries + Binaries; ++I) {
    // Half a unit is correct rounding, whichever way ties go.
    bool Fine = Worst[I] <= Rows[I].Bounds[Column] + 0.001;
    Bad += !Fine;
    std::printf("%-6s %-10s %6.2f of %4.1f%s", Type, Rows[I].Name, Worst[I],
                Rows[I].Bounds[Column], Fine ? "\n" : "");
    if (!Fine)
      std::printf("  TOO FAR at %.17g\n", double(At[I]));
  }
  std::printf("%s: %s\n", Type, Bad ? "DIFFERENT" : "within bounds");
}

int main(int, char **Words) {
  int Column = std::strcmp(Words[1], "libdevice") ? 2 : 0;
  measure<float, double>("float", in_float, Column);
  measure<double, long double>("double", in_double, Column + 1);
}

#endif
