// Mechanics and numerics: trajectories of bodies, a reaction that diffuses, an
// elastic energy to second order, a Fourier transform, a descent that is
// differentiated as a whole.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t
// RUN: env FERRY_AD_RECOMPUTE=0 %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/differences.h"
#include <algorithm>
#include <array>
#include <complex>
#include <numbers>

using Span = std::span<const double>;

//===----------------------------------------------------------------------===//
// n bodies under gravity: velocity Verlet
//===----------------------------------------------------------------------===//

struct Body {
  std::array<double, 2> Place, Speed, Force;
  double Mass;
};

static void attract(std::vector<Body> &Bodies) {
  for (Body &B : Bodies)
    B.Force = {0, 0};
  for (std::size_t I = 0; I != Bodies.size(); ++I)
    for (std::size_t J = 0; J != I; ++J) {
      double DX = Bodies[J].Place[0] - Bodies[I].Place[0];
      double DY = Bodies[J].Place[1] - Bodies[I].Place[1];
      double R2 = DX * DX + DY * DY + 0.01;
      double K = Bodies[I].Mass * Bodies[J].Mass / (R2 * std::sqrt(R2));
      Bodies[I].Force[0] += K * DX;
      Bodies[I].Force[1] += K * DY;
      Bodies[J].Force[0] -= K * DX;
      Bodies[J].Force[1] -= K * DY;
    }
}

/// Where the first body is in the end, as a function of how all began.
static double trajectory(Span X) {
  constexpr double Step = 0.01;
  std::vector<Body> Bodies;
  for (std::size_t I = 0; I + 5 <= X.size(); I += 5)
    Bodies.push_back({{X[I], X[I + 1]}, {X[I + 2], X[I + 3]}, {0, 0}, X[I + 4]});
  attract(Bodies);
  for (int T = 0; T != 100; ++T) {
    for (Body &B : Bodies)
      for (int K = 0; K != 2; ++K) {
        B.Speed[K] += 0.5 * Step * B.Force[K] / B.Mass;
        B.Place[K] += Step * B.Speed[K];
      }
    attract(Bodies);
    for (Body &B : Bodies)
      for (int K = 0; K != 2; ++K)
        B.Speed[K] += 0.5 * Step * B.Force[K] / B.Mass;
  }
  return Bodies[0].Place[0] * Bodies[0].Place[0] + Bodies[0].Place[1];
}

//===----------------------------------------------------------------------===//
// Brusselator in one dimension, Runge-Kutta of fourth order
//===----------------------------------------------------------------------===//

using State = std::vector<double>;

static State change(const State &S, double A, double B, double Alpha) {
  std::size_t N = S.size() / 2;
  State D(S.size());
  double Scale = Alpha * static_cast<double>((N + 1) * (N + 1));
  for (std::size_t I = 0; I != N; ++I) {
    double U = S[I], V = S[N + I];
    double Left = I ? S[I - 1] : 1, Right = I + 1 < N ? S[I + 1] : 1;
    double LeftV = I ? S[N + I - 1] : 3, RightV = I + 1 < N ? S[N + I + 1] : 3;
    D[I] = A + U * U * V - (B + 1) * U + Scale * (Left - 2 * U + Right);
    D[N + I] = B * U - U * U * V + Scale * (LeftV - 2 * V + RightV);
  }
  return D;
}

static State moved(const State &S, double By, const State &D) {
  State Result(S);
  for (std::size_t I = 0; I != S.size(); ++I)
    Result[I] += By * D[I];
  return Result;
}

static double brusselator(Span X) {
  State S(X.begin() + 3, X.end());
  double Step = 0.02;
  for (int T = 0; T != 20; ++T) {
    State K1 = change(S, X[0], X[1], X[2]);
    State K2 = change(moved(S, Step / 2, K1), X[0], X[1], X[2]);
    State K3 = change(moved(S, Step / 2, K2), X[0], X[1], X[2]);
    State K4 = change(moved(S, Step, K3), X[0], X[1], X[2]);
    for (std::size_t I = 0; I != S.size(); ++I)
      S[I] += Step / 6 * (K1[I] + 2 * K2[I] + 2 * K3[I] + K4[I]);
  }
  double Sum = 0;
  for (double V : S)
    Sum += V * V;
  return Sum;
}

//===----------------------------------------------------------------------===//
// Neo-Hookean energy: stress and stiffness are its derivatives
//===----------------------------------------------------------------------===//

static constexpr double Mu = 0.8, Lambda = 1.3;

static double determinant(Span F) {
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
         F[2] * (F[3] * F[7] - F[4] * F[6]);
}

static double elastic(Span F) {
  double Trace = 0;
  for (double V : F)
    Trace += V * V;
  double Log = std::log(determinant(F));
  return Mu / 2 * (Trace - 3 - 2 * Log) + Lambda / 2 * Log * Log;
}

/// The inverse, transposed.
static std::array<double, 9> cofactors(Span F) {
  std::array<double, 9> C;
  for (int R = 0; R != 3; ++R)
    for (int K = 0; K != 3; ++K) {
      int R1 = (R + 1) % 3, R2 = (R + 2) % 3, K1 = (K + 1) % 3, K2 = (K + 2) % 3;
      C[3 * R + K] = (F[3 * R1 + K1] * F[3 * R2 + K2] - F[3 * R1 + K2] * F[3 * R2 + K1]) /
                     determinant(F);
    }
  return C;
}

static void checkElastic() {
  std::vector<double> F{1.1, 0.2, 0, -0.1, 0.9, 0.3, 0.05, 0, 1.2}, Stress(9);
  ferry::gradient<elastic>(ferry::dup(F, Stress));
  std::array<double, 9> G = cofactors(F);
  double Log = std::log(determinant(F));
  ferry::matrix<double> H = ferry::hessian<elastic>(F);
  for (int A = 0; A != 9; ++A) {
    checkNear("stress", Stress[A], Mu * (F[A] - G[A]) + Lambda * Log * G[A], 1e-13);
    for (int B = 0; B != 9; ++B) {
      // d G_ij / d F_kl = -G_il G_kj
      double Turned = G[3 * (A / 3) + B % 3] * G[3 * (B / 3) + A % 3];
      double Want = Mu * (A == B) + (Mu - Lambda * Log) * Turned + Lambda * G[A] * G[B];
      checkNear("stiffness", H(A, B), Want, 1e-12);
    }
  }
}

//===----------------------------------------------------------------------===//
// Fourier transform
//===----------------------------------------------------------------------===//

static void transform(std::vector<std::complex<double>> &X) {
  std::size_t N = X.size();
  for (std::size_t I = 1, J = 0; I != N; ++I) {
    std::size_t Bit = N >> 1;
    for (; J & Bit; Bit >>= 1)
      J ^= Bit;
    J ^= Bit;
    if (I < J)
      std::swap(X[I], X[J]);
  }
  for (std::size_t Length = 2; Length <= N; Length *= 2) {
    double Angle = -2 * std::numbers::pi / static_cast<double>(Length);
    std::complex<double> Root(std::cos(Angle), std::sin(Angle));
    for (std::size_t Start = 0; Start != N; Start += Length) {
      std::complex<double> W(1);
      for (std::size_t I = 0; I != Length / 2; ++I) {
        std::complex<double> Even = X[Start + I], Odd = X[Start + I + Length / 2] * W;
        X[Start + I] = Even + Odd;
        X[Start + I + Length / 2] = Even - Odd;
        W *= Root;
      }
    }
  }
}

/// A sum over the spectrum that is not the same for all frequencies.
static double spectrum(Span X) {
  std::vector<std::complex<double>> Values(X.begin(), X.end());
  transform(Values);
  double Sum = 0;
  for (std::size_t I = 0; I != Values.size(); ++I)
    Sum += static_cast<double>(I) * std::norm(Values[I]) + std::arg(Values[I] + 20.0);
  return Sum;
}

//===----------------------------------------------------------------------===//
// Steps of a descent to B X = A, and how they depend on the matrix and the start
//===----------------------------------------------------------------------===//

static double descent(Span P) {
  constexpr std::size_t N = 3;
  Span B = P.first(N * N), A = P.subspan(N * N, N * N);
  double Rate = P[2 * N * N];
  std::vector<std::vector<double>> X(N, std::vector<double>(N, 0.1));
  double Error = 0;
  for (int Round = 0; Round != 8; ++Round) {
    auto Residual = X;
    Error = 0;
    for (std::size_t I = 0; I != N; ++I)
      for (std::size_t J = 0; J != N; ++J) {
        Residual[I][J] = -A[N * I + J];
        for (std::size_t K = 0; K != N; ++K)
          Residual[I][J] += B[N * I + K] * X[K][J];
        Error += Residual[I][J] * Residual[I][J];
      }
    for (std::size_t I = 0; I != N; ++I)
      for (std::size_t J = 0; J != N; ++J)
        for (std::size_t K = 0; K != N; ++K)
          X[I][J] -= Rate * B[N * K + I] * Residual[K][J];
  }
  return Error;
}

int main() {
  checkGradient<trajectory>("trajectory", {0.97, -0.24, 0.47, 0.43, 1.1, -0.97, 0.24, 0.47,
                                           0.43, 0.9, 0.1, 0.05, -0.93, -0.86, 1});
  std::vector<double> Start = numbers(3 + 2 * 8, 0.5, 1.5);
  Start[0] = 1, Start[1] = 3, Start[2] = 0.02;
  checkGradient<brusselator>("Brusselator", Start);
  checkElastic();
  checkGradient<spectrum>("spectrum", numbers(16, -1, 1));
  std::vector<double> P = numbers(19, -1, 1);
  P[18] = 0.1;
  checkGradient<descent>("descent", P);
  return report();
}
