//===- MathAccuracy.cpp - How far the CPU's functions are from the truth --===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares compiler/Lower/Cpu/Math with better libraries: float against the C
// library's double, double against libquadmath. Prints the greatest error of
// each function in units in the last place and where it is, and fails past 2 or
// where NaN, infinity or the sign of zero differ.
//
//   ferry-math-accuracy [--every=N] [name...]     every Nth float; N = 1 for
//   all of them
//
// A correctly rounded result counts as 0.5.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

using Quad = __float128;

// Functions of one argument, then those of two.
// clang-format off
#define ONE_ARGUMENT(F)                                                        \
  F(exp) F(exp2) F(exp10) F(expm1) F(log) F(log2) F(log10) F(log1p) F(sin)     \
  F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(asinh)       \
  F(acosh) F(atanh) F(cbrt) F(erf) F(erfc)
#define TWO_ARGUMENTS(F) F(pow) F(atan2) F(hypot)
// clang-format on

extern "C" {
#define DECLARE(NAME)                                                          \
  double __ferry_math_##NAME(double);                                          \
  float __ferry_math_##NAME##f(float);                                         \
  Quad NAME##q(Quad);
ONE_ARGUMENT(DECLARE)
#undef DECLARE
#define DECLARE(NAME)                                                          \
  double __ferry_math_##NAME(double, double);                                  \
  float __ferry_math_##NAME##f(float, float);                                  \
  Quad NAME##q(Quad, Quad);
TWO_ARGUMENTS(DECLARE)
#undef DECLARE
double exp10(double);
Quad exp10q(Quad X) { return powq(10, X); } // libquadmath has none
}

namespace {
template <class T> struct Limits;
template <> struct Limits<float> {
  using Bits = uint32_t;
  using Better = double;
  static constexpr int Digits = 24, MinExponent = -126;
};
template <> struct Limits<double> {
  using Bits = uint64_t;
  using Better = Quad;
  static constexpr int Digits = 53, MinExponent = -1022;
};

template <class T> T fromBits(typename Limits<T>::Bits B) {
  T X;
  std::memcpy(&X, &B, sizeof X);
  return X;
}
template <class T> typename Limits<T>::Bits bitsOf(T X) {
  typename Limits<T>::Bits B;
  std::memcpy(&B, &X, sizeof B);
  return B;
}

/// One unit in the last place of T at `X`, a finite number.
template <class T> double unit(typename Limits<T>::Better X) {
  double Magnitude = std::fabs(static_cast<double>(X));
  int Exponent =
      Magnitude == 0 ? Limits<T>::MinExponent : std::ilogb(Magnitude);
  return std::ldexp(1.0, std::max(Exponent, Limits<T>::MinExponent) -
                             (Limits<T>::Digits - 1));
}

constexpr double Wrong = 1e30;

template <class T> double error(T Got, typename Limits<T>::Better Want) {
  T Rounded = static_cast<T>(Want);
  if (Got == Rounded)
    return std::signbit(Got) == std::signbit(Rounded) ? 0.5 : Wrong;
  if (Want != Want || Got != Got)
    return Want != Want && Got != Got ? 0 : Wrong;
  if (Want == 0 || (Got == 0 && std::signbit(Got) != std::signbit(Rounded)))
    return Wrong;
  if (std::isinf(Rounded) || std::isinf(Got)) {
    // The greatest number in place of infinity or the reverse is one unit off.
    T Greatest = std::numeric_limits<T>::max();
    bool Close = std::signbit(Got) == std::signbit(Rounded) &&
                 std::fabs(Got) >= Greatest && std::fabs(Rounded) >= Greatest;
    return Close ? 1 : Wrong;
  }
  typename Limits<T>::Better Difference = Got - Want;
  return static_cast<double>(Difference < 0 ? -Difference : Difference) /
         unit<T>(Want);
}

template <class T> struct Worst {
  double Units = 0;
  T X = 0, Y = 0, Got = 0;
  void add(double Error, T AtX, T AtY, T Result) {
    if (Error > Units)
      *this = {Error, AtX, AtY, Result};
  }
};

uint64_t next(uint64_t &State) { // Steele, Lea, Flood: SplitMix
  uint64_t Z = State += 0x9e3779b97f4a7c15;
  Z = (Z ^ Z >> 30) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ Z >> 27) * 0x94d049bb133111eb;
  return Z ^ Z >> 31;
}

/// Arguments of all sizes, mostly where functions are interesting.
template <class T> T argument(uint64_t &State) {
  using Bits = typename Limits<T>::Bits;
  Bits Any = static_cast<Bits>(next(State));
  uint64_t How = next(State) % 16;
  T X = fromBits<T>(Any);
  if (How < 2)
    return X;
  static constexpr T Special[] = {0,
                                  1,
                                  2,
                                  0.5,
                                  10,
                                  0.25,
                                  3,
                                  100,
                                  710,
                                  745,
                                  88,
                                  104,
                                  28,
                                  27,
                                  0.875,
                                  0.625,
                                  std::numeric_limits<T>::infinity(),
                                  std::numeric_limits<T>::quiet_NaN(),
                                  std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max(),
                                  std::numeric_limits<T>::denorm_min(),
                                  std::numeric_limits<T>::epsilon(),
                                  static_cast<T>(0.70710678118654752440),
                                  static_cast<T>(1.4142135623730951),
                                  static_cast<T>(0.41421356237309503),
                                  static_cast<T>(2.414213562373095)};
  if (How == 2) {
    T S = Special[next(State) % std::size(Special)];
    Bits Near = bitsOf(S) + static_cast<Bits>(next(State) % 5) - 2;
    T Y = fromBits<T>(Near);
    return next(State) & 1 ? Y : -Y;
  }
  int Shift = sizeof(T) * 8 - Limits<T>::Digits;
  T Mantissa =
      1 + (Any >> Shift) * std::ldexp(T(1), 1 - Limits<T>::Digits - 0) / 2;
  T Sign = next(State) & 1 ? 1 : -1;
  if (How == 3) // near multiples of pi/2
    return static_cast<T>(
        Sign * 1.57079632679489661923 *
        static_cast<double>(next(State) >> (24 + next(State) % 38)));
  int Exponent = How < 10 ? static_cast<int>(next(State) % 16) - 8
                          : static_cast<int>(next(State) % 80) - 60;
  return Sign * std::ldexp(Mantissa, Exponent);
}

bool Failed = false;

template <class T> void report(const char *Name, const Worst<T> &W, bool Two) {
  bool Bad = W.Units > 2;
  Failed |= Bad;
  std::printf("%-7s %8.4f  at %a", Name, W.Units, static_cast<double>(W.X));
  if (Two)
    std::printf(", %a", static_cast<double>(W.Y));
  std::printf(" gives %a%s\n", static_cast<double>(W.Got),
              Bad ? "  FAILED" : "");
  std::fflush(stdout);
}

template <class T, class F> Worst<T> inParallel(F Body) {
  unsigned N = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst<T>> Results(N);
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I != N; ++I)
    Threads.emplace_back([&, I] { Body(I, N, Results[I]); });
  for (std::thread &Each : Threads)
    Each.join();
  return *std::max_element(
      Results.begin(), Results.end(),
      [](const auto &A, const auto &B) { return A.Units < B.Units; });
}

/// Every so many of all floats, and those that are interesting.
void allFloats(const char *Name, float (*F)(float), double (*Better)(double),
               uint64_t Every) {
  auto Try = [&](float X, Worst<float> &W) {
    float Got = F(X);
    W.add(error<float>(Got, Better(X)), X, 0, Got);
  };
  report(Name,
         inParallel<float>([&](unsigned Part, unsigned Parts, Worst<float> &W) {
           for (uint64_t I = Part * Every; I < 1ull << 32; I += Parts * Every)
             Try(fromBits<float>(static_cast<uint32_t>(I)), W);
           uint64_t State = Part;
           for (int I = 0; I < 100000; ++I)
             Try(argument<float>(State), W);
         }),
         false);
}

template <class T, class F, class B>
void random(const char *Name, F Function, B Better, uint64_t Count, bool Two) {
  report(Name, inParallel<T>([&](unsigned Part, unsigned Parts, Worst<T> &W) {
           uint64_t State = Part * 0x123456789 + 1;
           for (uint64_t I = 0; I < Count / Parts; ++I) {
             T X = argument<T>(State), Y = argument<T>(State);
             T Got = Function(X, Y);
             W.add(error<T>(Got, Better(X, Y)), X, Y, Got);
           }
         }),
         Two);
}
} // namespace

int main(int Argc, char **Argv) {
#if FERRY_FMA
  if (!__builtin_cpu_supports("fma"))
    return 77; // CTest: skipped
#endif
  uint64_t Every = 4099;
  std::vector<std::string> Names;
  for (int I = 1; I < Argc; ++I)
    if (!std::strncmp(Argv[I], "--every=", 8))
      Every = std::max(1ull, std::strtoull(Argv[I] + 8, nullptr, 10));
    else
      Names.push_back(Argv[I]);
  auto Wanted = [&](const char *Name) {
    return Names.empty() || std::count(Names.begin(), Names.end(), Name);
  };
  // Random arguments, a few more than functions of one float get.
  uint64_t Samples = std::max<uint64_t>((1ull << 32) / Every / 16, 200000);

#define ONE(NAME)                                                              \
  if (Wanted(#NAME "f"))                                                       \
    allFloats(                                                                 \
        #NAME "f", __ferry_math_##NAME##f, [](double X) { return NAME(X); },   \
        Every);                                                                \
  if (Wanted(#NAME))                                                           \
    random<double>(                                                            \
        #NAME, [](double X, double) { return __ferry_math_##NAME(X); },        \
        [](Quad X, Quad) { return NAME##q(X); }, Samples, false);
#define TWO(NAME)                                                              \
  if (Wanted(#NAME "f"))                                                       \
    random<float>(                                                             \
        #NAME "f", __ferry_math_##NAME##f,                                     \
        [](double X, double Y) { return NAME(X, Y); }, Samples, true);         \
  if (Wanted(#NAME))                                                           \
    random<double>(                                                            \
        #NAME, __ferry_math_##NAME,                                            \
        [](Quad X, Quad Y) { return NAME##q(X, Y); }, Samples, true);
  ONE_ARGUMENT(ONE)
  TWO_ARGUMENTS(TWO)
  return Failed;
}
