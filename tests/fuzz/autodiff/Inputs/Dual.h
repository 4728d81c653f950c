// A number with its derivative, for the reference: the generated functions are
// templates and run on double, which Ferry differentiates, and on this.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ferry/enzyme.h>

struct Dual {
  double V = 0, D = 0;
  Dual() = default;
  Dual(double V, double D = 0) : V(V), D(D) {}
  Dual &operator+=(Dual B) { return *this = {V + B.V, D + B.D}; }
  Dual &operator-=(Dual B) { return *this = {V - B.V, D - B.D}; }
  Dual &operator*=(Dual B) { return *this = {V * B.V, D * B.V + V * B.D}; }
};
inline Dual operator-(Dual A) { return {-A.V, -A.D}; }
inline Dual operator+(Dual A, Dual B) { return A += B; }
inline Dual operator-(Dual A, Dual B) { return A -= B; }
inline Dual operator*(Dual A, Dual B) { return A *= B; }
inline Dual operator/(Dual A, Dual B) {
  return {A.V / B.V, (A.D - A.V / B.V * B.D) / B.V};
}
inline bool operator<(Dual A, Dual B) { return A.V < B.V; }
inline bool operator>(Dual A, Dual B) { return A.V > B.V; }
inline Dual sin(Dual A) { return {std::sin(A.V), std::cos(A.V) * A.D}; }
inline Dual cos(Dual A) { return {std::cos(A.V), -std::sin(A.V) * A.D}; }
inline Dual exp(Dual A) { return {std::exp(A.V), std::exp(A.V) * A.D}; }
inline Dual log(Dual A) { return {std::log(A.V), A.D / A.V}; }
inline Dual tanh(Dual A) {
  double T = std::tanh(A.V);
  return {T, (1 - T * T) * A.D};
}
inline Dual atan(Dual A) { return {std::atan(A.V), A.D / (1 + A.V * A.V)}; }
inline Dual sqrt(Dual A) {
  double R = std::sqrt(A.V);
  return {R, A.D / (2 * R)};
}
inline Dual fabs(Dual A) { return A.V < 0 ? -A : A; }
inline Dual fmax(Dual A, Dual B) { return A.V >= B.V ? A : B; }
inline Dual fmin(Dual A, Dual B) { return A.V <= B.V ? A : B; }
inline Dual pow(Dual A, Dual B) {
  double R = std::pow(A.V, B.V);
  return {R, B.V * std::pow(A.V, B.V - 1) * A.D + R * std::log(A.V) * B.D};
}
using std::atan;
using std::cos;
using std::exp;
using std::fabs;
using std::fmax;
using std::fmin;
using std::log;
using std::pow;
using std::sin;
using std::sqrt;
using std::tanh;

/// The integer part of a number's value, from 0 to N - 1.
inline int pick(double V, int N) {
  double F = std::fabs(V);
  return F < 1e6 ? static_cast<int>(F * 3) % N : 0;
}
inline int pick(Dual A, int N) { return pick(A.V, N); }

constexpr int Inputs = 4;
struct Lanes {
  double Lane[Inputs];
};

/// Compares all derivatives of one function, which both arguments are.
template <double F(double *), Dual G(Dual *)> void check(int Seed) {
  double X[Inputs], Want[Inputs], Largest = 1;
  for (int I = 0; I < Inputs; ++I)
    X[I] = 0.3 + 0.37 * I + 0.01 * (Seed % 13);
  for (int I = 0; I < Inputs; ++I) {
    Dual Y[Inputs];
    for (int J = 0; J < Inputs; ++J)
      Y[J] = Dual(X[J], I == J);
    Want[I] = G(Y).D;
    Largest = std::fmax(Largest, std::fabs(Want[I]));
  }
  auto Compare = [&](const char *Mode, int I, double Got) {
    if (!(std::fabs(Got - Want[I]) <= 1e-9 * Largest))
      std::printf("seed %d %s %d: got %.17g, want %.17g\n", Seed, Mode, I, Got, Want[I]);
  };
  double Y[Inputs], DY[Inputs][Inputs];
  for (int I = 0; I < Inputs; ++I) {
    std::memcpy(Y, X, sizeof X);
    std::memset(DY[0], 0, sizeof DY[0]);
    DY[0][I] = 1;
    Compare("forward", I, __enzyme_fwddiff<double>((void *)F, enzyme_dup, Y, DY[0]));
  }
  std::memcpy(Y, X, sizeof X);
  std::memset(DY, 0, sizeof DY);
  for (int I = 0; I < Inputs; ++I)
    DY[I][I] = 1;
  Lanes L = __enzyme_fwddiff<Lanes>((void *)F, enzyme_width, 4, enzyme_dup, Y, DY[0], DY[1], DY[2], DY[3]);
  for (int I = 0; I < Inputs; ++I)
    Compare("lane", I, L.Lane[I]);
}
/// The same for reverse mode, which what is recursive does not have.
template <double F(double *), Dual G(Dual *)> void checkReverse(int Seed) {
  double X[Inputs], Gradient[Inputs] = {}, Y[Inputs];
  for (int I = 0; I < Inputs; ++I)
    Y[I] = X[I] = 0.3 + 0.37 * I + 0.01 * (Seed % 13);
  __enzyme_autodiff<void>((void *)F, enzyme_dup, Y, Gradient);
  double Largest = 1, Want[Inputs];
  for (int I = 0; I < Inputs; ++I) {
    Dual Z[Inputs];
    for (int J = 0; J < Inputs; ++J)
      Z[J] = Dual(X[J], I == J);
    Want[I] = G(Z).D;
    Largest = std::fmax(Largest, std::fabs(Want[I]));
  }
  for (int I = 0; I < Inputs; ++I)
    if (!(std::fabs(Gradient[I] - Want[I]) <= 1e-9 * Largest))
      std::printf("seed %d reverse %d: got %.17g, want %.17g\n", Seed, I, Gradient[I], Want[I]);
}
