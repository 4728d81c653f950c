//===- main.cpp - Gradients, and what they are the gradients of -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each benchmark exists twice: the function alone, and its gradient with
// respect to all parameters. Both answer the function's value. That gradients
// are right is checked before the first one is timed, against forward mode in
// one direction. Bundle adjustment has two gradients, the rows of a Jacobian;
// the time is that of one.
//
//===----------------------------------------------------------------------===//

#include "Serve.h"
#include "autodiff/Bundle.h"
#include "autodiff/Mixture.h"
#include "autodiff/Recurrent.h"
#include <cstdlib>
#include <random>

#include <ferry/enzyme.h>

static void check(const char *What, double Gradient, double Tangent) {
  if (std::fabs(Gradient - Tangent) <= 1e-9 * (1 + std::fabs(Tangent)))
    return;
  std::cerr << What << ": the gradient says " << Gradient
            << ", forward mode says " << Tangent << "\n";
  std::exit(1);
}

static std::vector<double> randomly(std::mt19937 &Chance, size_t N) {
  std::vector<double> Out(N);
  for (double &X : Out)
    X = std::normal_distribution<double>()(Chance);
  return Out;
}

static double dot(const std::vector<double> &A, const std::vector<double> &B) {
  double Sum = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Sum += A[I] * B[I];
  return Sum;
}

//===----------------------------------------------------------------------===//
// Gaussian mixture
//===----------------------------------------------------------------------===//

namespace {
struct Mixture {
  int D, K, N, M = 0;
  double Gamma = 1, Constant;
  std::vector<double> Alphas, Means, Shapes, Points;
  std::vector<double> DAlphas, DMeans, DShapes;

  Mixture(int D, int K, int N) : D(D), K(K), N(N) {
    std::mt19937 Chance(7);
    Alphas = randomly(Chance, K);
    Means = randomly(Chance, size_t(D) * K);
    Shapes = randomly(Chance, size_t(D) * (D + 1) / 2 * K);
    for (double &X : Shapes)
      X *= 0.3;
    Points = randomly(Chance, size_t(D) * N);
    Constant = mixtureConstant(D, K, N, Gamma, M);
    DAlphas.resize(Alphas.size());
    DMeans.resize(Means.size());
    DShapes.resize(Shapes.size());
  }
  double value() const {
    return mixture(D, K, N, Alphas.data(), Means.data(), Shapes.data(),
                   Points.data(), Gamma, M, Constant);
  }
  double gradient() {
    std::ranges::fill(DAlphas, 0);
    std::ranges::fill(DMeans, 0);
    std::ranges::fill(DShapes, 0);
    return __enzyme_autodiff<double>(
        (void *)mixture, enzyme_primal_return, D, K, N, enzyme_dup,
        Alphas.data(), DAlphas.data(), enzyme_dup, Means.data(), DMeans.data(),
        enzyme_dup, Shapes.data(), DShapes.data(), enzyme_const, Points.data(),
        enzyme_const, Gamma, M, enzyme_const, Constant);
  }
  void checkGradient() {
    std::mt19937 Chance(8);
    auto A = randomly(Chance, Alphas.size());
    auto U = randomly(Chance, Means.size());
    auto S = randomly(Chance, Shapes.size());
    double Tangent = __enzyme_fwddiff<double>(
        (void *)mixture, D, K, N, enzyme_dup, Alphas.data(), A.data(),
        enzyme_dup, Means.data(), U.data(), enzyme_dup, Shapes.data(), S.data(),
        enzyme_const, Points.data(), enzyme_const, Gamma, M, enzyme_const,
        Constant);
    gradient();
    check("mixture", dot(A, DAlphas) + dot(U, DMeans) + dot(S, DShapes),
          Tangent);
  }
};

//===----------------------------------------------------------------------===//
// Bundle adjustment
//===----------------------------------------------------------------------===//

struct Bundle {
  static constexpr int Cameras = 49, Points = 7776, Observations = 31843;
  std::vector<double> Camera, Point, Weights, Features;
  std::vector<int> WhichCamera, WhichPoint;
  /// Per row: camera, point, weight.
  static constexpr int RowSize = CameraSize + 3 + 1;
  std::vector<double> Jacobian, Errors;

  Bundle() {
    std::mt19937 Chance(9);
    Camera = randomly(Chance, size_t(Cameras) * CameraSize);
    for (int C = 0; C < Cameras; ++C) {
      Camera[C * CameraSize + 5] -= 12; // the points are before it
      for (int I : {0, 1, 2, 9, 10})
        Camera[C * CameraSize + I] *= 0.01;
    }
    Point = randomly(Chance, size_t(Points) * 3);
    Weights = randomly(Chance, Observations);
    Features = randomly(Chance, size_t(Observations) * 2);
    for (int I = 0; I < Observations; ++I) {
      WhichCamera.push_back(I % Cameras);
      WhichPoint.push_back(I % Points);
    }
    Jacobian.resize(size_t(Observations) * 2 * RowSize);
    Errors.resize(size_t(Observations) * 2);
  }
  double sum() const {
    double Sum = 0;
    for (double E : Errors)
      Sum += E * E;
    return Sum;
  }
  double value() {
    for (int I = 0; I < Observations; ++I)
      reprojection(&Camera[WhichCamera[I] * CameraSize],
                   &Point[WhichPoint[I] * 3], &Weights[I], &Features[I * 2],
                   &Errors[I * 2]);
    return sum();
  }
  /// One row of the Jacobian.
  void row(int I, int Row) {
    double *Out = &Jacobian[(size_t(I) * 2 + Row) * RowSize];
    std::fill(Out, Out + RowSize, 0);
    double Seed[2] = {Row == 0 ? 1.0 : 0.0, Row == 0 ? 0.0 : 1.0};
    __enzyme_autodiff<void>(
        (void *)reprojection, enzyme_dup, &Camera[WhichCamera[I] * CameraSize],
        Out, enzyme_dup, &Point[WhichPoint[I] * 3], Out + CameraSize,
        enzyme_dup, &Weights[I], Out + CameraSize + 3, enzyme_const,
        &Features[I * 2], enzyme_dup, &Errors[I * 2], Seed);
  }
  double gradient() {
    for (int I = 0; I < Observations; ++I) {
      row(I, 0);
      row(I, 1);
    }
    return sum();
  }
  void checkGradient() {
    std::mt19937 Chance(10);
    gradient();
    for (int I = 0; I < 1000; ++I) {
      auto Direction = randomly(Chance, RowSize);
      double Error[2], Tangent[2] = {};
      __enzyme_fwddiff<void>(
          (void *)reprojection, enzyme_dup,
          &Camera[WhichCamera[I] * CameraSize], Direction.data(), enzyme_dup,
          &Point[WhichPoint[I] * 3], &Direction[CameraSize], enzyme_dup,
          &Weights[I], &Direction[CameraSize + 3], enzyme_const,
          &Features[I * 2], enzyme_dup, Error, Tangent);
      for (int Row = 0; Row < 2; ++Row) {
        auto Begin = Jacobian.begin() + (I * 2 + Row) * RowSize;
        check("bundle adjustment",
              dot(std::vector<double>(Begin, Begin + RowSize), Direction),
              Tangent[Row]);
      }
    }
  }
};

//===----------------------------------------------------------------------===//
// Recurrent network
//===----------------------------------------------------------------------===//

struct Recurrent {
  static constexpr int Layers = 2, Length = 1024, B = 14;
  std::vector<double> Main, Extra, State, Sequence;
  std::vector<double> DMain, DExtra, DState, Scratch;

  Recurrent() {
    std::mt19937 Chance(11);
    Main = randomly(Chance, size_t(8) * Layers * B);
    Extra = randomly(Chance, size_t(3) * B);
    State = randomly(Chance, size_t(2) * Layers * B);
    Sequence = randomly(Chance, size_t(Length) * B);
    DMain.resize(Main.size());
    DExtra.resize(Extra.size());
    DState.resize(State.size());
  }
  double value() {
    Scratch = State;
    return recurrent(Layers, Length, B, Main.data(), Extra.data(),
                     Scratch.data(), Sequence.data());
  }
  double gradient() {
    std::ranges::fill(DMain, 0);
    std::ranges::fill(DExtra, 0);
    std::ranges::fill(DState, 0);
    Scratch = State;
    return __enzyme_autodiff<double>(
        (void *)recurrent, enzyme_primal_return, Layers, Length, B, enzyme_dup,
        Main.data(), DMain.data(), enzyme_dup, Extra.data(), DExtra.data(),
        enzyme_dup, Scratch.data(), DState.data(), enzyme_const,
        Sequence.data());
  }
  void checkGradient() {
    std::mt19937 Chance(12);
    auto M = randomly(Chance, Main.size()), E = randomly(Chance, Extra.size()),
         S = randomly(Chance, State.size());
    auto Start = S;
    Scratch = State;
    double Tangent = __enzyme_fwddiff<double>(
        (void *)recurrent, Layers, Length, B, enzyme_dup, Main.data(), M.data(),
        enzyme_dup, Extra.data(), E.data(), enzyme_dup, Scratch.data(),
        S.data(), enzyme_const, Sequence.data());
    gradient();
    check("recurrent network",
          dot(M, DMain) + dot(E, DExtra) + dot(Start, DState), Tangent);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The benchmarks
//===----------------------------------------------------------------------===//

template <class Problem>
static void add(std::map<std::string, std::function<Answer()>> &All,
                const std::string &Name, Problem &P, int Times,
                int Gradients = 1) {
  auto Measure = [Times](auto Run, int Parts) {
    double Result = 0;
    double Seconds = timeOf([&] {
      for (int I = 0; I < Times; ++I)
        Result = Run();
    });
    return Answer{Seconds / Times / Parts, Result};
  };
  All[Name] = [&P, Measure] { return Measure([&] { return P.value(); }, 1); };
  All[Name + " gradient"] = [&P, Measure, Gradients,
                             Checked = false]() mutable {
    if (!Checked)
      P.checkGradient();
    Checked = true;
    return Measure([&] { return P.gradient(); }, Gradients);
  };
}

int main() {
  Mixture Small(10, 25, 1000), Large(20, 50, 1000);
  Bundle Adjustment;
  Recurrent Network;
  std::map<std::string, std::function<Answer()>> All;
  add(All, "mixture d10 k25", Small, 5);
  add(All, "mixture d20 k50", Large, 1);
  add(All, "bundle", Adjustment, 5, 2);
  add(All, "recurrent", Network, 20);
  serve(All);
}
