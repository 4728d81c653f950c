//===- Recurrent.h - The loss of a recurrent network ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loss of a long short-term memory network with diagonal weights that
// predicts the next character of a text, as defined in ADBench (Microsoft
// Research, 2019). The state goes from one character to the next and is
// differentiated like everything else.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_AUTODIFF_RECURRENT_H
#define FERRY_BENCHMARKS_AUTODIFF_RECURRENT_H

#include <cmath>
#include <vector>

inline double sigmoid(double X) { return 1 / (1 + std::exp(-X)); }

/// One layer: `Hidden` and `Cell` go on to their next values.
inline void layer(int B, const double *__restrict Weight,
                  const double *__restrict Bias, double *__restrict Hidden,
                  double *__restrict Cell, const double *__restrict Input) {
  for (int I = 0; I < B; ++I) {
    double Forget = sigmoid(Input[I] * Weight[I] + Bias[I]);
    double In = sigmoid(Hidden[I] * Weight[B + I] + Bias[B + I]);
    double Out = sigmoid(Input[I] * Weight[2 * B + I] + Bias[2 * B + I]);
    double Change = std::tanh(Hidden[I] * Weight[3 * B + I] + Bias[3 * B + I]);
    Cell[I] = Cell[I] * Forget + In * Change;
    Hidden[I] = Out * std::tanh(Cell[I]);
  }
}

/// What the network with `Layers` layers makes of one character.
inline void predict(int Layers, int B, const double *__restrict Main,
                    const double *__restrict Extra, double *__restrict State,
                    const double *__restrict Input, double *__restrict Output) {
  for (int I = 0; I < B; ++I)
    Output[I] = Input[I] * Extra[I];
  for (int L = 0; L < Layers; ++L) {
    double *Hidden = State + 2 * L * B;
    layer(B, Main + 8 * L * B, Main + (8 * L + 4) * B, Hidden, Hidden + B,
          L ? State + 2 * (L - 1) * B : Output);
  }
  const double *Last = State + 2 * (Layers - 1) * B;
  for (int I = 0; I < B; ++I)
    Output[I] = Last[I] * Extra[B + I] + Extra[2 * B + I];
}

/// `Length` characters of `B` numbers each. `State` is overwritten.
inline double recurrent(int Layers, int Length, int B,
                        const double *__restrict Main,
                        const double *__restrict Extra,
                        double *__restrict State,
                        const double *__restrict Sequence) {
  double Total = 0;
  std::vector<double> Predicted(B);
  for (int T = 0; T + 1 < Length; ++T) {
    predict(Layers, B, Main, Extra, State, Sequence + T * B, Predicted.data());
    double Sum = 2;
    for (int I = 0; I < B; ++I)
      Sum += std::exp(Predicted[I]);
    double Norm = std::log(Sum);
    for (int I = 0; I < B; ++I)
      Total += Sequence[(T + 1) * B + I] * (Predicted[I] - Norm);
  }
  return -Total / (B * (Length - 1));
}

#endif // FERRY_BENCHMARKS_AUTODIFF_RECURRENT_H
