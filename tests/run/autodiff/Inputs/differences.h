// Gradients of functions of many numbers against central differences.
#pragma once
#include "check.h"
#include <ferry/autodiff.h>
#include <random>
#include <string>

/// Numbers that are the same on every run.
inline std::vector<double> numbers(std::size_t Count, double Low, double High,
                                   unsigned Seed = 1) {
  std::mt19937 Engine(Seed);
  std::vector<double> X(Count);
  for (double &V : X)
    V = Low + (High - Low) * (Engine() / 4294967296.0);
  return X;
}

/// Each element of the gradient of F, which takes a span, in both modes.
template <auto F>
void checkGradient(const char *Name, std::vector<double> X,
                   double Tolerance = 1e-6) {
  std::vector<double> Gradient(X.size()), Again(X.size());
  double Value = ferry::value_and_gradient<F>(ferry::dup(X, Gradient)).value;
  checkNear((std::string(Name) + ": value").c_str(), Value, F(X), 1e-13);
  ferry::gradient<F>(ferry::dup(X, Again));
  for (std::size_t I = 0; I != X.size(); ++I) {
    std::string Where = Name + (" [" + std::to_string(I) + "]");
    std::vector<double> Tangent(X.size());
    Tangent[I] = 1;
    checkNear((Where + ", forward").c_str(), Gradient[I],
              ferry::derivative<F>(ferry::dup(X, Tangent)), 1e-10);
    checkExact((Where + ", again").c_str(), Again[I], Gradient[I]);
    double Step = 1e-5 * std::fmax(1, std::fabs(X[I])), Old = X[I];
    X[I] = Old + Step;
    double Up = F(X);
    X[I] = Old - Step;
    double Down = F(X);
    X[I] = Old;
    checkNear(Where.c_str(), Gradient[I], (Up - Down) / (2 * Step), Tolerance);
  }
}
