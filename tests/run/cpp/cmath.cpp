// Every function of <cmath> in a kernel, for float and double, on ordinary and
// special arguments: within two units in the last place of the truth, which is
// long double's; what is exact, or calls the C library, is as on the host. Every
// thread, device and -O level gives the same.
// RUN: %run-everywhere --output %t %s
// RUN: %run-everywhere --output %t.native --ways=-O0,-O3 %s -- -march=native
// RUN: %run-everywhere --output %t.fast --ways=-O3 %s -- -march=native -fno-math-errno -fveclib=libmvec
#include "Inputs/check.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// Rounded: may differ in the last places.
#define ROUNDED(F)                                                                                                     \
  F(std::exp(X)) F(std::exp2(X)) F(std::expm1(X)) F(std::log(X)) F(std::log2(X)) F(std::log10(X)) F(std::log1p(X))     \
  F(std::pow(X, Y)) F(std::cbrt(X)) F(std::hypot(X, Y))                                                                \
  F(std::sin(X)) F(std::cos(X)) F(std::tan(X)) F(std::asin(X)) F(std::acos(X)) F(std::atan(X)) F(std::atan2(X, Y))     \
  F(std::sinh(X)) F(std::cosh(X)) F(std::tanh(X)) F(std::asinh(X)) F(std::acosh(X)) F(std::atanh(X))                   \
  F(std::erf(X)) F(std::erfc(X))
#define EXACT(F)                                                                                                       \
  F(std::tgamma(X)) F(std::lgamma(X)) F(std::lerp(X, Y, T(0.25))) F(std::hypot(X, Y, T(1)))                            \
  F(std::fabs(X)) F(std::abs(X)) F(std::fmod(X, Y)) F(std::remainder(X, Y)) F(std::remquo(X, Y, &Quotient))            \
  F(T(Quotient & 7)) F(std::fma(X, Y, T(0.5))) F(std::fmax(X, Y)) F(std::fmin(X, Y)) F(std::fdim(X, Y))                \
  F(std::sqrt(X)) F(std::ceil(X)) F(std::floor(X)) F(std::trunc(X)) F(std::round(X)) F(std::nearbyint(X))              \
  F(std::rint(X)) F(T(std::lround(Small))) F(T(std::llround(Small))) F(T(std::lrint(Small))) F(T(std::llrint(Small)))  \
  F(std::frexp(X, &Exponent)) F(std::ldexp(X, 3)) F(std::ldexp(X, -1000)) F(std::modf(X, &Whole)) F(Whole)             \
  F(std::scalbn(X, -3)) F(std::scalbln(X, 100L)) F(T(std::ilogb(Small))) F(std::logb(X)) F(std::nextafter(X, Y))       \
  F(std::copysign(X, Y)) F(T(std::fpclassify(X))) F(T(std::isfinite(X))) F(T(std::isinf(X))) F(T(std::isnan(X)))       \
  F(T(std::isnormal(X))) F(T(std::signbit(X))) F(T(std::isgreater(X, Y))) F(T(std::isgreaterequal(X, Y)))              \
  F(T(std::isless(X, Y))) F(T(std::islessequal(X, Y))) F(T(std::islessgreater(X, Y))) F(T(std::isunordered(X, Y)))
#define COUNT(EXPRESSION) +1
constexpr std::size_t Rounded = 0 ROUNDED(COUNT), All = Rounded EXACT(COUNT);

#define STORE(EXPRESSION) *Out++ = EXPRESSION;
template <class T> [[gnu::always_inline]] inline void rounded(T X, T Y, T *Out) { ROUNDED(STORE) }
template <class T> [[gnu::always_inline]] inline void exact(T X, T Y, T *Out) {
  int Quotient = 0, Exponent = 0;
  T Whole = 0, Small = std::fabs(X) < 1e6 && X != 0 ? X : 1;
  EXACT(STORE)
}

template <class T> void functions(std::span<const T> X, std::span<const T> Y, std::span<T> Out) {
  std::size_t I = ferry::global_id();
  rounded<T>(X[I], Y[I], &Out[I * All]);
  exact<T>(X[I], Y[I], &Out[I * All + Rounded]);
}

// Some that are exponentials or the like of one float each: plain loops over threads.
template <class T> void plain(std::span<const T> X, std::span<T> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = std::exp(std::sin(X[I])) + std::log(std::fabs(X[I]) + 1) * std::tanh(X[I]);
}
// And in a loop of the kernel's own.
template <class T> void rows(std::span<const T> X, std::span<T> Out, std::size_t Columns) {
  std::size_t I = ferry::global_id();
  for (std::size_t C = 0; C < Columns; ++C)
    Out[I * Columns + C] = std::cos(X[I * Columns + C]) * std::exp2(X[I * Columns + C]);
}

template <class T> bool same(T A, T B) {
  return std::isnan(A) ? std::isnan(B) : A == B && std::signbit(A) == std::signbit(B);
}
template <class T> bool close(T A, long double Truth) {
  T B = static_cast<T>(Truth);
  if (same(A, B))
    return true;
  if (!std::isfinite(A) || !std::isfinite(B) || std::signbit(A) != std::signbit(B))
    return false;
  T Unit = std::nextafter(std::fabs(B), std::numeric_limits<T>::infinity()) - std::fabs(B);
  return std::fabs(A - Truth) <= 2 * Unit;
}
// NaNs have no sign or payload to speak of.
template <class T> std::uint64_t hashOf(const std::vector<T> &Values) {
  std::uint64_t Hash = 0;
  for (T Value : Values) {
    std::uint64_t Bits = 0;
    if (!std::isnan(Value))
      std::memcpy(&Bits, &Value, sizeof Value);
    Hash = (Hash ^ Bits) * 0x100000001b3 + (Hash >> 32);
  }
  return Hash;
}

template <class T> void test(const char *Name) {
  using L = std::numeric_limits<T>;
  std::vector<T> Special = {T(0), T(1), T(2), T(0.5), T(0.75), T(10), T(1e-3), T(3.5), T(20), T(88.8), T(1e5), T(3e9),
                            L::min(), L::denorm_min(), L::max(), L::epsilon(), L::infinity(), L::quiet_NaN(), T(1.5707964)};
  std::vector<T> X, Y;
  for (T A : Special)
    for (T B : Special)
      for (int Signs = 0; Signs < 4; ++Signs) {
        X.push_back(Signs & 1 ? -A : A);
        Y.push_back(Signs & 2 ? -B : B);
      }
  for (int I = 0; I < 500; ++I) {
    X.push_back(T(I * 0.037 - 7.3));
    Y.push_back(T(5.1 - I * 0.019));
  }
  std::size_t N = X.size();
  std::vector<T> Out(N * All), Exact(All - Rounded);
  std::vector<long double> Truth(Rounded);
  ferry::launch<functions<T>>(ferry::over(N), X, Y, Out);
  for (std::size_t I = 0; I < N; ++I) {
    volatile T HiddenX = X[I], HiddenY = Y[I];
    rounded<long double>(HiddenX, HiddenY, Truth.data());
    exact<T>(HiddenX, HiddenY, Exact.data());
    for (std::size_t F = 0; F < All; ++F) {
      T Got = Out[I * All + F];
      bool Good = F < Rounded ? close(Got, Truth[F]) : same(Got, Exact[F - Rounded]);
      if (!Good)
        std::printf("%s: function %zu of %a, %a is %a, not %La\n", Name, F, double(X[I]), double(Y[I]), double(Got),
                    F < Rounded ? Truth[F] : Exact[F - Rounded]);
      CHECK(Good);
    }
  }

  // The same argument in every lane of a vector and in what is left over.
  std::vector<T> Few = {T(0.3), T(-2.5), T(1e10), T(7)}, Repeated(4 * 1003), Results(Repeated.size());
  for (std::size_t I = 0; I < Repeated.size(); ++I)
    Repeated[I] = Few[I / 1003];
  ferry::launch<plain<T>>(ferry::over(Repeated.size()), Repeated, Results);
  for (std::size_t I = 0; I < Results.size(); ++I)
    CHECK(same(Results[I], Results[I / 1003 * 1003]));
  std::printf("%s %016lx %016lx", Name, hashOf(Out), hashOf(Results));
  for (std::size_t I = 0; I < Repeated.size(); ++I)
    Repeated[I] = Few[I % 1003 % 4];
  ferry::launch<rows<T>>(ferry::over(4), Repeated, Results, 1003);
  for (std::size_t I = 0; I < Results.size(); ++I)
    CHECK(same(Results[I], Results[I % 1003 % 4]));
  std::printf(" %016lx\n", hashOf(Results));
}

int main() {
  test<float>("float");
  test<double>("double");
}
