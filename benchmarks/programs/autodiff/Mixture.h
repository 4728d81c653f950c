//===- Mixture.h - The likelihood of a Gaussian mixture ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The negative of what a Gaussian mixture model with a Wishart prior makes of a
// set of points, as defined by Srajer, Kukelova and Fitzgibbon ("A benchmark of
// selected algorithmic differentiation tools on some problems in computer
// vision and machine learning", 2018). Component k has a weight alpha_k, a mean
// and a lower triangular matrix whose diagonal is given by its logarithms.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_AUTODIFF_MIXTURE_H
#define FERRY_BENCHMARKS_AUTODIFF_MIXTURE_H

#include <cmath>
#include <vector>

inline double logSumExp(int N, const double *__restrict X) {
  double Most = X[0];
  for (int I = 1; I < N; ++I)
    if (Most < X[I])
      Most = X[I];
  double Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += std::exp(X[I] - Most);
  return Most + std::log(Sum);
}

inline double logGammaOfMany(double A, int P) {
  double Out = 0.25 * P * (P - 1) * std::log(3.14159265358979323846);
  for (int J = 1; J <= P; ++J)
    Out += std::lgamma(A + 0.5 * (1 - J));
  return Out;
}

/// `D` dimensions, `K` components, `N` points. `Shapes` has D logarithms and
/// D (D - 1) / 2 numbers below the diagonal, column by column, per component.
inline double mixture(int D, int K, int N, const double *__restrict Alphas,
                      const double *__restrict Means,
                      const double *__restrict Shapes,
                      const double *__restrict Points, double Gamma, int M,
                      double Constant) {
  int Size = D * (D + 1) / 2;
  std::vector<double> Diagonals(D * K), Sums(K), Centred(D), Turned(D),
      Terms(K);
  for (int C = 0; C < K; ++C) {
    Sums[C] = 0;
    for (int I = 0; I < D; ++I) {
      double Q = Shapes[C * Size + I];
      Sums[C] += Q;
      Diagonals[C * D + I] = std::exp(Q);
    }
  }
  double Total = 0;
  for (int P = 0; P < N; ++P) {
    for (int C = 0; C < K; ++C) {
      for (int I = 0; I < D; ++I)
        Centred[I] = Points[P * D + I] - Means[C * D + I];
      for (int I = 0; I < D; ++I)
        Turned[I] = Diagonals[C * D + I] * Centred[I];
      int At = C * Size + D;
      for (int I = 0; I < D; ++I)
        for (int J = I + 1; J < D; ++J)
          Turned[J] += Shapes[At++] * Centred[I];
      double Norm = 0;
      for (int I = 0; I < D; ++I)
        Norm += Turned[I] * Turned[I];
      Terms[C] = Alphas[C] + Sums[C] - 0.5 * Norm;
    }
    Total += logSumExp(K, Terms.data());
  }
  double Prior = 0;
  for (int C = 0; C < K; ++C) {
    double Frobenius = 0;
    for (int I = 0; I < D; ++I)
      Frobenius += Diagonals[C * D + I] * Diagonals[C * D + I];
    for (int I = D; I < Size; ++I)
      Frobenius += Shapes[C * Size + I] * Shapes[C * Size + I];
    Prior += 0.5 * Gamma * Gamma * Frobenius - M * Sums[C];
  }
  return Constant + Total - N * logSumExp(K, Alphas) + Prior;
}

/// What does not depend on the parameters.
inline double mixtureConstant(int D, int K, int N, double Gamma, int M) {
  int Degrees = D + M + 1;
  double Prior = Degrees * D * (std::log(Gamma) - 0.5 * std::log(2.0)) -
                 logGammaOfMany(0.5 * Degrees, D);
  return -N * D * 0.5 * std::log(2 * 3.14159265358979323846) - K * Prior;
}

#endif // FERRY_BENCHMARKS_AUTODIFF_MIXTURE_H
