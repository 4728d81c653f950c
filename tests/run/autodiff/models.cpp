// Statistical models, from their published definitions: a Gaussian mixture and
// bundle adjustment as in ADBench, an LSTM whose state is active, a network that
// learns.
//
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O0 %s -lm -o %t && %t
// RUN: %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t
// RUN: env FERRY_AD_RECOMPUTE=0 %clangxx -std=c++20 -I%include -fpass-plugin=%plugin -O3 %s -lm -o %t && %t

#include "Inputs/differences.h"
#include <algorithm>
#include <array>

using Span = std::span<const double>;

//===----------------------------------------------------------------------===//
// Gaussian mixture: log-likelihood with a Wishart prior
//===----------------------------------------------------------------------===//

static double logSumExp(Span X) {
  double Most = *std::max_element(X.begin(), X.end());
  double Sum = 0;
  for (double V : X)
    Sum += std::exp(V - Most);
  return Most + std::log(Sum);
}

/// x = L y, where L has exp(q) on its diagonal and the numbers of `Lower` below.
static void timesFactor(Span Diagonal, Span Lower, Span Y, std::vector<double> &X) {
  std::size_t D = Y.size(), Next = 0;
  for (std::size_t I = 0; I != D; ++I)
    X[I] = std::exp(Diagonal[I]) * Y[I];
  for (std::size_t C = 0; C != D; ++C)
    for (std::size_t R = C + 1; R != D; ++R)
      X[R] += Lower[Next++] * Y[C];
}

static const std::vector<double> Points = numbers(8 * 3, -1, 1, 7);

static double mixture(Span Parameters) {
  constexpr std::size_t D = 3, K = 4, Below = D * (D - 1) / 2;
  constexpr double Gamma = 1;
  constexpr int M = 0;
  Span Weights = Parameters.first(K), Means = Parameters.subspan(K, K * D);
  Span Factors = Parameters.subspan(K + K * D);
  std::vector<double> Terms(K), Difference(D), Scaled(D);
  double Likelihood = 0;
  for (std::size_t P = 0; P != Points.size() / D; ++P) {
    for (std::size_t C = 0; C != K; ++C) {
      Span Factor = Factors.subspan(C * (D + Below), D + Below);
      for (std::size_t I = 0; I != D; ++I)
        Difference[I] = Points[P * D + I] - Means[C * D + I];
      timesFactor(Factor.first(D), Factor.subspan(D), Difference, Scaled);
      double Square = 0, Log = 0;
      for (std::size_t I = 0; I != D; ++I) {
        Square += Scaled[I] * Scaled[I];
        Log += Factor[I];
      }
      Terms[C] = Weights[C] + Log - 0.5 * Square;
    }
    Likelihood += logSumExp(Terms);
  }
  double Prior = 0;
  for (std::size_t C = 0; C != K; ++C) {
    Span Factor = Factors.subspan(C * (D + Below), D + Below);
    for (std::size_t I = 0; I != D; ++I)
      Prior += 0.5 * Gamma * Gamma * std::exp(2 * Factor[I]) - M * Factor[I];
    for (std::size_t I = 0; I != Below; ++I)
      Prior += 0.5 * Gamma * Gamma * Factor[D + I] * Factor[D + I];
  }
  return Likelihood - static_cast<double>(Points.size() / D) * logSumExp(Weights) + Prior;
}

//===----------------------------------------------------------------------===//
// Bundle adjustment: how a camera sees a point
//===----------------------------------------------------------------------===//

struct Vector {
  double X, Y, Z;
};
static Vector cross(Vector A, Vector B) {
  return {A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X};
}
static double dot(const Vector &A, const Vector &B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}
static Vector plus(Vector A, double K, Vector B) {
  return {A.X + K * B.X, A.Y + K * B.Y, A.Z + K * B.Z};
}

static Vector rotate(Vector Axis, Vector P) {
  double Square = dot(Axis, Axis);
  if (Square == 0)
    return plus(P, 1, cross(Axis, P));
  double Angle = std::sqrt(Square), Cosine = std::cos(Angle), Sine = std::sin(Angle);
  Vector Unit = plus({0, 0, 0}, 1 / Angle, Axis);
  Vector Turned = plus({0, 0, 0}, Cosine, P);
  Turned = plus(Turned, Sine, cross(Unit, P));
  return plus(Turned, dot(Unit, P) * (1 - Cosine), Unit);
}

/// The camera: rotation, centre, focal length, principal point, two coefficients
/// of radial distortion. Then the point and the weight.
static void reprojection(Span P, std::span<double> Error) {
  Vector Point{P[11], P[12], P[13]}, Centre{P[3], P[4], P[5]};
  Vector Seen = rotate({P[0], P[1], P[2]}, plus(Point, -1, Centre));
  double U = Seen.X / Seen.Z, V = Seen.Y / Seen.Z;
  double R2 = U * U + V * V;
  double Distortion = 1 + R2 * (P[9] + P[10] * R2);
  Error[0] = P[14] * (U * Distortion * P[6] + P[7] - 0.3);
  Error[1] = P[14] * (V * Distortion * P[6] + P[8] + 0.2);
  Error[2] = 1 - P[14] * P[14];
}

static void checkBundleAdjustment() {
  std::vector<double> P = numbers(15, 0.1, 0.9, 3);
  P[5] = -4;
  ferry::matrix<double> J = ferry::jacobian<reprojection>(P, 3);
  for (std::size_t C = 0; C != P.size(); ++C) {
    std::vector<double> Up(3), Down(3), Moved = P;
    Moved[C] = P[C] + 1e-6;
    reprojection(Moved, Up);
    Moved[C] = P[C] - 1e-6;
    reprojection(Moved, Down);
    for (std::size_t R = 0; R != 3; ++R)
      checkNear("bundle adjustment", J(R, C), (Up[R] - Down[R]) / 2e-6, 1e-7);
  }
}

//===----------------------------------------------------------------------===//
// LSTM: the loss of a sequence, the state is part of the input
//===----------------------------------------------------------------------===//

static double sigmoid(double X) { return 1 / (1 + std::exp(-X)); }

static void lstmCell(Span Weight, Span Bias, std::span<double> Hidden,
                     std::span<double> Cell, Span Input) {
  std::size_t H = Hidden.size();
  for (std::size_t I = 0; I != H; ++I) {
    double Forget = sigmoid(Input[I] * Weight[I] + Bias[I]);
    double In = sigmoid(Hidden[I] * Weight[H + I] + Bias[H + I]);
    double Out = sigmoid(Input[I] * Weight[2 * H + I] + Bias[2 * H + I]);
    double Change = std::tanh(Hidden[I] * Weight[3 * H + I] + Bias[3 * H + I]);
    Cell[I] = Cell[I] * Forget + In * Change;
    Hidden[I] = Out * std::tanh(Cell[I]);
  }
}

static const std::vector<double> Sequence = numbers(6 * 3, 0, 1, 9);

static double lstm(Span Parameters) {
  constexpr std::size_t H = 3, Layers = 2;
  constexpr std::size_t PerLayer = 8 * H;
  std::vector<double> State(Parameters.end() - 2 * Layers * H, Parameters.end());
  Span Extra = Parameters.subspan(Layers * PerLayer, 3 * H);
  double Loss = 0;
  int Count = 0;
  for (std::size_t T = 0; T + 1 < Sequence.size() / H; ++T) {
    std::vector<double> X(H);
    for (std::size_t I = 0; I != H; ++I)
      X[I] = Sequence[T * H + I] * Extra[I];
    for (std::size_t L = 0; L != Layers; ++L) {
      std::span<double> Of = std::span(State).subspan(2 * L * H, 2 * H);
      Span Weights = Parameters.subspan(L * PerLayer, PerLayer);
      lstmCell(Weights.first(4 * H), Weights.subspan(4 * H), Of.first(H), Of.last(H), X);
      X.assign(Of.begin(), Of.begin() + H);
    }
    std::vector<double> Predicted(H);
    for (std::size_t I = 0; I != H; ++I)
      Predicted[I] = X[I] * Extra[H + I] + Extra[2 * H + I];
    double Norm = std::log(2.0 + [&] {
      double Sum = 0;
      for (double V : Predicted)
        Sum += std::exp(V);
      return Sum;
    }());
    for (std::size_t I = 0; I != H; ++I, ++Count)
      Loss += Sequence[(T + 1) * H + I] * (Predicted[I] - Norm);
  }
  return -Loss / Count;
}

//===----------------------------------------------------------------------===//
// A network with a hidden layer learns which points lie in a ring
//===----------------------------------------------------------------------===//

struct Network {
  std::vector<std::array<double, 2>> Inner;
  std::vector<double> InnerBias, Outer;
  double OuterBias = 0;
};

static double score(const Network &N, const std::array<double, 2> &X) {
  double Sum = N.OuterBias;
  for (std::size_t I = 0; I != N.Inner.size(); ++I)
    Sum += N.Outer[I] * std::tanh(N.Inner[I][0] * X[0] + N.Inner[I][1] * X[1] + N.InnerBias[I]);
  return Sum;
}

static double loss(const Network &N, std::span<const std::array<double, 2>> Points,
                   const std::vector<int> &Labels) {
  double Sum = 0;
  for (std::size_t I = 0; I != Points.size(); ++I) {
    double S = score(N, Points[I]);
    // log(1 + exp(-s)), without overflow
    double Margin = Labels[I] ? S : -S;
    Sum += std::fmax(-Margin, 0.0) + std::log1p(std::exp(-std::fabs(Margin)));
  }
  return Sum / static_cast<double>(Points.size());
}

static void checkLearning() {
  constexpr std::size_t Hidden = 12, Count = 200;
  std::vector<double> Random = numbers(2 * Count + 4 * Hidden, -1, 1, 5);
  std::vector<std::array<double, 2>> Points(Count);
  std::vector<int> Labels(Count);
  for (std::size_t I = 0; I != Count; ++I) {
    Points[I] = {2 * Random[2 * I], 2 * Random[2 * I + 1]};
    Labels[I] = std::hypot(Points[I][0], Points[I][1]) < 1.2;
  }
  Network N{std::vector<std::array<double, 2>>(Hidden), std::vector<double>(Hidden),
            std::vector<double>(Hidden)};
  for (std::size_t I = 0; I != Hidden; ++I) {
    const double *R = &Random[2 * Count + 4 * I];
    N.Inner[I] = {2 * R[0], 2 * R[1]};
    N.InnerBias[I] = R[2];
    N.Outer[I] = R[3];
  }
  double First = loss(N, Points, Labels), Last = 0;
  Network Speed{std::vector<std::array<double, 2>>(Hidden), std::vector<double>(Hidden),
                std::vector<double>(Hidden)};
  for (int Round = 0; Round != 400; ++Round) {
    Network D{std::vector<std::array<double, 2>>(Hidden), std::vector<double>(Hidden),
              std::vector<double>(Hidden)};
    Last = ferry::value_and_gradient<loss>(ferry::dup(N, D), ferry::constant(Points),
                                           ferry::constant(Labels)).value;
    auto Step = [](double &X, double &V, double Slope) {
      V = 0.9 * V - 0.2 * Slope;
      X += V;
    };
    for (std::size_t I = 0; I != Hidden; ++I) {
      Step(N.Inner[I][0], Speed.Inner[I][0], D.Inner[I][0]);
      Step(N.Inner[I][1], Speed.Inner[I][1], D.Inner[I][1]);
      Step(N.InnerBias[I], Speed.InnerBias[I], D.InnerBias[I]);
      Step(N.Outer[I], Speed.Outer[I], D.Outer[I]);
    }
    Step(N.OuterBias, Speed.OuterBias, D.OuterBias);
  }
  int Right = 0;
  for (std::size_t I = 0; I != Count; ++I)
    Right += (score(N, Points[I]) > 0) == (Labels[I] != 0);
  checkExact("learned", Last < First / 3 && Right > 0.95 * Count, 1);
}

int main() {
  std::vector<double> P = numbers(4 + 4 * 3 + 4 * 6, -0.5, 0.5);
  checkGradient<mixture>("mixture", P);
  checkBundleAdjustment();
  checkGradient<lstm>("lstm", numbers(2 * 24 + 9 + 12, -0.5, 0.5, 2));
  checkLearning();
  // At a tie of all, the gradient is shared.
  std::vector<double> Tie{1.5, 1.5}, DTie(2);
  ferry::gradient<logSumExp>(ferry::dup(Tie, DTie));
  checkExact("tie", DTie[0], 0.5);
  checkExact("tie", DTie[1], 0.5);
  checkGradient<logSumExp>("log-sum-exp", numbers(9, -3, 3));
  return report();
}
