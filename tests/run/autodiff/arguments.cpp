// <ferry/autodiff.h>: containers, spans, structs, pointers and constants as
// arguments; directional derivatives; Jacobians, Hessians, and these times vectors.
//
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O1 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O2 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/check.h"
#include <array>
#include <ferry/autodiff.h>
struct Spring { double K, Rest; };
static double norm(const std::vector<double> &X) { double S = 0; for (double V : X) S += V * V; return S; }
static double dot(std::span<const double> X, std::span<const double> Y, double K) { double S = 0; for (std::size_t I = 0; I != X.size(); ++I) S += X[I] * Y[I]; return S * K; }
static void scale(std::span<const double> X, std::vector<double> &Y, double A) { for (std::size_t I = 0; I != X.size(); ++I) Y[I] = A * X[I] * X[I]; }
static double energy(const Spring &S, double X, int N) { double E = 0.5 * S.K * (X - S.Rest) * (X - S.Rest); return E * N; }
static double byValue(Spring S, double &X) { X *= S.K; return X * S.Rest; }
static double pointers(const double *X, double *Y, std::size_t N) { for (std::size_t I = 0; I != N; ++I) Y[I] = X[I] * X[I]; return Y[0] + Y[N-1]; }
static double nested(const std::vector<std::vector<double>> &M) { double S = 0; for (auto &R : M) for (double V : R) S += V * V * V; return S; }
static double rosenbrock(std::span<const double> X) { double S = 0; for (std::size_t I = 0; I + 1 < X.size(); ++I) { double A = X[I + 1] - X[I] * X[I], B = 1 - X[I]; S += 100 * A * A + B * B; } return S; }
static std::vector<double> polar(std::span<const double> X) { return {std::hypot(X[0], X[1]), std::atan2(X[1], X[0]), X[0] * X[1]}; }
static std::array<double, 2> fixed(std::span<const double> X) noexcept { return {X[0] * X[1] * X[2], X[2] * X[2]}; }
static void stored(std::span<const double> X, std::span<double> Y) { for (std::size_t I = 0; I != Y.size(); ++I) Y[I] = X[I] * X[I + 1]; }
int main() {
  std::vector<double> X{1, 2, 3}, DX(3);
  ferry::gradient<norm>(ferry::dup(X, DX));
  checkExact("norm", DX[2], 6);
  std::array<double, 3> Y{4, 5, 6};
  DX.assign(3, 0);
  auto [V, G] = ferry::value_and_gradient<dot>(ferry::dup(X, DX), ferry::constant(Y), 2.0);
  checkExact("dot", V, 64); checkExact("k", std::get<0>(G), 32); checkExact("dx", DX[1], 10);
  std::vector<double> Z(3), DZ{1, 0, 2}; DX.assign(3, 0);
  auto [DA] = ferry::gradient<scale>(ferry::dup(X, DX), ferry::dup(Z, DZ), 3.0);
  checkExact("da", DA, 19); checkExact("dx", DX[2], 36); checkExact("dz", DZ[0], 0); checkExact("z", Z[2], 27);
  Spring S{2, 1}, DS{};
  auto [DP] = ferry::gradient<energy>(ferry::dup(S, DS), 3.0, 2);
  checkExact("dp", DP, 8); checkExact("dk", DS.K, 4); checkExact("dr", DS.Rest, -8);
  double P = 3, PD = 0; DS = {};
  ferry::gradient<byValue>(ferry::dup(S, DS), ferry::dup(P, PD));
  checkExact("p", P, 6); checkExact("pd", PD, 2); checkExact("dk", DS.K, 3); checkExact("drest", DS.Rest, 6);
  double DYs[3] = {};
  DX.assign(3, 0);
  double Ys[3] = {};
  ferry::gradient<pointers>(ferry::dup(X.data(), DX.data()), ferry::dup(Ys, DYs), std::size_t(3));
  checkExact("pointers", DX[2], 6); checkExact("pointers", DX[1], 0);
  std::vector<std::vector<double>> M{{1, 2}, {3}}, DM{{0, 0}, {0}};
  ferry::gradient<nested>(ferry::dup(M, DM));
  checkExact("nested", DM[1][0], 27);
  checkExact("directional", ferry::derivative<dot>(ferry::dup(X, Y), ferry::constant(Y), 1.0), 77);
  checkExact("partial", ferry::derivative<[](double A, double B) { return A * B; }>(ferry::dup(3.0, 1.0), 4.0), 4);
  std::vector<double> T{1, 1, 1};
  ferry::derivative<scale>(ferry::dup(X, T), ferry::dup(Z, DZ), 1.0);
  checkExact("tangent", DZ[2], 6);
  auto H = ferry::hessian<rosenbrock>(std::vector{1.0, 1.0});
  checkExact("h00", H(0, 0), 802); checkExact("h01", H(0, 1), -400); checkExact("h11", H(1, 1), 200);
  auto HV = ferry::hvp<rosenbrock>(std::array{1.0, 1.0}, std::vector{1.0, 2.0});
  checkExact("hv", HV[0], 2); checkExact("hv", HV[1], 0);
  auto J = ferry::jacobian<polar>(std::array{3.0, 4.0});
  checkNear("j00", J(0, 0), 0.6); checkNear("j11", J(1, 1), 0.12); checkExact("j21", J(2, 1), 3);
  auto K = ferry::jacobian<fixed>(std::vector{2.0, 3.0, 4.0});
  checkExact("k00", K(0, 0), 12); checkExact("k12", K(1, 2), 8);
  auto L = ferry::jacobian<stored>(std::vector{2.0, 3.0, 4.0}, 2);
  checkExact("l", L(1, 1), 4); checkExact("l", L(0, 2), 0); checkExact("l", L(1, 2), 3);
  bool Thrown = false;
  try { std::vector<double> Short(2); ferry::gradient<norm>(ferry::dup(X, Short)); } catch (const std::invalid_argument &E) { Thrown = std::string(E.what()) == "ferry: a shadow has length 2, but what it belongs to has length 3"; }
  checkExact("thrown", Thrown, 1);
  return report();
}
