// One kernel for double and one for float that call every function of <cmath>
// with a row in the table of Math.cpp. Compiled with -DHOST it is the program
// that compares the kernels' results with the host's own.

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <ferry/markers.h>

template <class T> struct Numbers {
  T X, Y;
  T Results[96];
};

template <class T> static inline void compute(Numbers<T> &N) {
  T X = N.X, Y = N.Y, *R = N.Results;
  for (T V : {std::sin(X),  std::cos(X),       std::tan(X),    std::asin(X),
              std::acos(X), std::atan(X),      std::sinh(X),   std::cosh(X),
              std::tanh(X), std::asinh(X),     std::acosh(X),  std::atanh(X),
              std::exp(X),  std::exp2(X),      std::expm1(X),  std::log(X),
              std::log2(X), std::log10(X),     std::log1p(X),  std::logb(X),
              std::cbrt(X), std::sqrt(X),      std::fabs(X),   std::erf(X),
              std::erfc(X), std::tgamma(X),    std::lgamma(X), std::round(X),
              std::rint(X), std::nearbyint(X), std::trunc(X),  std::ceil(X),
              std::floor(X)})
    *R++ = V;
  for (T V : {std::pow(X, Y), std::hypot(X, Y), std::fmod(X, Y),
              std::remainder(X, Y), std::fdim(X, Y), std::atan2(X, Y),
              std::nextafter(X, Y), std::fmin(X, Y), std::fmax(X, Y),
              std::copysign(X, Y), std::fma(X, Y, X), std::ldexp(X, 3),
              std::scalbn(X, -2), std::scalbln(X, 5l)})
    *R++ = V;
  int Exponent, Quotient, Sign;
  T Whole, Sine, Cosine;
  *R++ = std::frexp(X, &Exponent);
  *R++ = std::isfinite(X) ? Exponent : 0;
  *R++ = std::modf(X, &Whole);
  *R++ = Whole;
  *R++ = std::remquo(X, Y, &Quotient);
  *R++ = std::isfinite(X) ? Quotient & 7 : 0;
  if constexpr (sizeof(T) == 8) {
    sincos(X, &Sine, &Cosine);
    *R++ = lgamma_r(X, &Sign);
    *R++ = __builtin_powi(X, -3);
  } else {
    sincosf(X, &Sine, &Cosine);
    *R++ = lgammaf_r(X, &Sign);
    *R++ = __builtin_powif(X, -3);
  }
  *R++ = Sine;
  *R++ = Cosine;
  *R++ = std::isnan(X) ? 0 : Sign;
  if (std::fabs(X) < 1e15 && X != 0) {
    *R++ = std::ilogb(X);
    *R++ = std::lround(X);
    *R++ = std::llrint(X);
  }
  std::complex<T> A(X, Y), B(Y, 2 * X), C = A * B / (A + B);
  for (T V : {C.real(), C.imag(), std::abs(A), std::arg(A)})
    *R++ = V;
}

#ifndef HOST

extern "C" int __ferry_launch(...);

template <class T> static void kernel(const void *Block) {
  Numbers<T> *N;
  std::memcpy(&N, Block, sizeof(N));
  compute(*N);
}

void host(void *N) {
#define LAUNCH(TYPE, NAME)                                                     \
  __ferry_launch(                                                              \
      uint64_t(1), &kernel<TYPE>, NAME, uint64_t(sizeof(NAME) - 1), "k.cpp",   \
      uint64_t(5), uint64_t(1), uint64_t(1), uint64_t(FERRY_OVER),             \
      uint64_t(1), uint64_t(1), uint64_t(1), uint64_t(1), uint64_t(1),         \
      uint64_t(1), uint64_t(0), uint64_t(-1), uint64_t(1),                     \
      uint64_t(FERRY_FIELD_BUFFER | FERRY_FIELD_READ | FERRY_FIELD_WRITE), N,  \
      uint64_t(784))
  LAUNCH(double, "in_double");
  LAUNCH(float, "in_float");
}

#else

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

template <class T>
static void compare(const char *Title, Kernel K, T Tolerance) {
  unsigned Differences = 0;
  for (double X : {0.3, -0.3, 1.7, -2.6, 12.5, -7.25, 0.0, -0.0, 1e-5, 1e5,
                   1e10, -1e-10, double(INFINITY), double(NAN), 0.5, 2.5, -3.5})
    for (double Y : {1.3, -0.7, 3.0}) {
      Numbers<T> Here{T(X), T(Y), {}}, There = Here;
      compute(Here);
      K(nullptr, &There, 1, 1, 1, 1, 1, 1, 0, nullptr);
      for (unsigned I = 0; I != std::size(Here.Results); ++I) {
        T A = Here.Results[I], B = There.Results[I];
        bool Alike = A == B || (std::isnan(A) && std::isnan(B)) ||
                     std::fabs(A - B) <= Tolerance * std::fabs(A);
        if (!Alike && ++Differences <= 10)
          std::printf("%s: result %u of (%g, %g) is %g instead of %g\n", Title,
                      I, X, Y, double(B), double(A));
      }
    }
  std::printf("%s: %s\n", Title, Differences ? "DIFFERENT" : "all alike");
}

int main() {
  compare<double>("double", in_double, 1e-14);
  compare<float>("float", in_float, 1e-6f);
}

#endif
