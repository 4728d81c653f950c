// Black and Scholes' formula for European options, a grid-stride loop over them.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

template <class T> static T normal(T D) {
  const T A1 = T(0.31938153), A2 = T(-0.356563782), A3 = T(1.781477937);
  const T A4 = T(-1.821255978), A5 = T(1.330274429);
  T K = T(1) / (T(1) + T(0.2316419) * std::fabs(D));
  T Tail = T(0.39894228040143267794) * std::exp(T(-0.5) * D * D) *
           (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  return D > 0 ? T(1) - Tail : Tail;
}

template <class T>
static void prices(T S, T X, T Years, T Rate, T Volatility, T &Call, T &Put) {
  T Root = std::sqrt(Years);
  T D1 = (std::log(S / X) + (Rate + T(0.5) * Volatility * Volatility) * Years) /
         (Volatility * Root);
  T D2 = D1 - Volatility * Root;
  T Discounted = X * std::exp(-Rate * Years);
  Call = S * normal(D1) - Discounted * normal(D2);
  Put = Discounted * (T(1) - normal(D2)) - S * (T(1) - normal(D1));
}

static void blackScholes(std::span<const float> S, std::span<const float> X,
                         std::span<const float> Years, float Rate, float Volatility,
                         std::span<float> Call, std::span<float> Put) {
  std::size_t Stride = std::size_t(ferry::block_dim().x) * ferry::grid_dim().x;
  for (std::size_t I = ferry::global_id(); I < S.size(); I += Stride)
    prices(S[I], X[I], Years[I], Rate, Volatility, Call[I], Put[I]);
}

int main() {
  const std::size_t N = 5003;
  std::vector<float> S = randomFloats(N, 1), X = randomFloats(N, 2), Years = randomFloats(N, 3);
  std::vector<float> Call(N), Put(N);
  for (std::size_t I = 0; I < N; ++I) {
    S[I] = 17.5f + 12.5f * S[I];
    X[I] = 50 + 49 * X[I];
    Years[I] = 5.1f + 4.9f * Years[I];
  }
  ferry::launch<blackScholes>(ferry::blocks(9).threads(128), S, X, Years, 0.02f, 0.3f, Call, Put);
  for (std::size_t I = 0; I < N; ++I) {
    double C, P;
    prices<double>(S[I], X[I], Years[I], 0.02f, 0.3f, C, P);
    CHECK(near(Call[I], C, 1e-4) && near(Put[I], P, 1e-4));
  }
  std::puts("priced"); // CHECK: priced
}
