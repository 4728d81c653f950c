// <cmath> and <complex> in kernels agree with the host to a unit in the last
// place; integer helpers of the compiler (128-bit division) work.
// RUN: %run-everywhere --output %t %s
// RUN: %run-everywhere --output %t.native --ways=-O0,-O3 %s -- -march=native
#include "Inputs/check.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

void functions(std::span<const double> X, std::span<double> Out) {
  std::size_t I = ferry::global_id();
  double V = X[I], *O = &Out[I * 20];
  O[0] = std::sin(V); O[1] = std::cos(V); O[2] = std::exp(V); O[3] = std::log(V); O[4] = std::sqrt(V);
  O[5] = std::pow(V, 1.5); O[6] = std::atan2(V, 2.0); O[7] = std::floor(V); O[8] = std::round(V);
  O[9] = std::fma(V, V, 1); O[10] = std::hypot(V, 3); O[11] = std::tanh(V); O[12] = std::cbrt(V);
  O[13] = std::fmod(V, 0.7); O[14] = std::fmax(V, 1); O[15] = std::copysign(V, -1); O[16] = std::erf(V);
  O[17] = std::tgamma(V); O[18] = std::ldexp(V, 3); O[19] = std::log1p(V);
}
void floats(std::span<const float> X, std::span<float> Out) {
  std::size_t I = ferry::global_id();
  float V = X[I], *O = &Out[I * 6];
  O[0] = std::sin(V); O[1] = sinf(V); O[2] = std::exp2(V); O[3] = std::pow(V, 2.5f); O[4] = std::trunc(V);
  O[5] = 1 / std::sqrt(V);
}
void complexes(std::span<std::complex<double>> Z) {
  std::complex<double> &V = Z[ferry::global_id()];
  V = V * V / (V + 1.0);
}
void wide(std::span<const __int128> A, std::span<__int128> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = A[I] / 1234567891011 + A[I] % 987654321987 * 3;
}
void counts(std::span<const unsigned> A, std::span<int> Out) {
  std::size_t I = ferry::global_id();
  Out[I] = std::popcount(A[I]) * 10000 + std::countl_zero(A[I]) * 100 + std::countr_zero(A[I]);
}

template <class T> bool close(T A, T B) {
  return A == B || (std::isnan(A) && std::isnan(B)) ||
         std::abs(A - B) <= 2 * std::numeric_limits<T>::epsilon() * std::max(std::abs(A), std::abs(B));
}

int main() {
  constexpr int N = 100;
  std::vector<double> X(N), Out(N * 20);
  std::vector<float> F(N), FOut(N * 6);
  std::vector<std::complex<double>> Z(N), Z0;
  std::vector<__int128> A(N), AOut(N);
  std::vector<unsigned> U(N);
  std::vector<int> C(N);
  for (int I = 0; I < N; ++I) {
    X[I] = F[I] = 0.05f * I + 0.01f;
    Z[I] = {X[I], 1 - X[I]};
    A[I] = (static_cast<__int128>(I - 50) << 90) + I * 12345678901234;
    U[I] = I * 2654435761u;
  }
  Z0 = Z;
  ferry::launch<functions>(ferry::over(N), X, Out);
  for (int I = 0; I < N; ++I) {
    volatile double Hidden = X[I];
    double V = Hidden;
    double E[] = {std::sin(V), std::cos(V), std::exp(V), std::log(V), std::sqrt(V), std::pow(V, 1.5),
                  std::atan2(V, 2.0), std::floor(V), std::round(V), std::fma(V, V, 1), std::hypot(V, 3), std::tanh(V),
                  std::cbrt(V), std::fmod(V, 0.7), std::fmax(V, 1), std::copysign(V, -1), std::erf(V), std::tgamma(V),
                  std::ldexp(V, 3), std::log1p(V)};
    for (int K = 0; K < 20; ++K)
      CHECK(close(Out[I * 20 + K], E[K]));
  }
  ferry::launch<floats>(ferry::over(N), F, FOut);
  for (int I = 0; I < N; ++I) {
    float V = F[I], E[] = {std::sin(V), sinf(V), std::exp2(V), std::pow(V, 2.5f), std::trunc(V), 1 / std::sqrt(V)};
    for (int K = 0; K < 6; ++K)
      CHECK(close(FOut[I * 6 + K], E[K]));
  }
  ferry::launch<complexes>(ferry::over(N), Z);
  for (int I = 0; I < N; ++I)
    CHECK(std::abs(Z[I] - Z0[I] * Z0[I] / (Z0[I] + 1.0)) < 1e-13);
  ferry::launch<wide>(ferry::over(N), A, AOut);
  for (int I = 0; I < N; ++I)
    CHECK(AOut[I] == A[I] / 1234567891011 + A[I] % 987654321987 * 3);
  ferry::launch<counts>(ferry::over(N), U, C);
  for (int I = 0; I < N; ++I)
    CHECK(C[I] == std::popcount(U[I]) * 10000 + std::countl_zero(U[I]) * 100 + std::countr_zero(U[I]));
}
