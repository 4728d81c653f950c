//===- bodies.cpp - Fluids, bodies and clouds of points, with Ferry -----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>
#include <ferry/ferry.h>

// One step of a lattice with periodic borders, pulling from the neighbours.
static void latticeStep(std::span<const float> In, std::span<float> Out) {
  constexpr std::size_t W = LatticeSide, N = LatticeCount;
  auto [X, Y, Z] = ferry::global_idx();
  std::size_t I = Y * W + X;
  std::size_t Left = X == 0 ? W - 1 : X - 1, Right = X == W - 1 ? 0 : X + 1;
  std::size_t Down = Y == 0 ? W - 1 : Y - 1, Up = Y == W - 1 ? 0 : Y + 1;
  // D2Q9: rest, the four axes, the four diagonals.
  float F0 = In[I];
  float F1 = In[1 * N + Y * W + Left], F2 = In[2 * N + Down * W + X];
  float F3 = In[3 * N + Y * W + Right], F4 = In[4 * N + Up * W + X];
  float F5 = In[5 * N + Down * W + Left], F6 = In[6 * N + Down * W + Right];
  float F7 = In[7 * N + Up * W + Right], F8 = In[8 * N + Up * W + Left];
  float Density = F0 + F1 + F2 + F3 + F4 + F5 + F6 + F7 + F8;
  float Ux = (F1 + F5 + F8 - F3 - F6 - F7) / Density;
  float Uy = (F2 + F5 + F6 - F4 - F7 - F8) / Density;
  float Rest = 1 - 1.5f * (Ux * Ux + Uy * Uy);
  auto Relaxed = [&](float F, float Weight, float Along) {
    float Balance =
        Weight * Density * (Rest + 3 * Along + 4.5f * Along * Along);
    return F + Relaxation * (Balance - F);
  };
  Out[I] = Relaxed(F0, 4.f / 9, 0);
  Out[1 * N + I] = Relaxed(F1, 1.f / 9, Ux);
  Out[2 * N + I] = Relaxed(F2, 1.f / 9, Uy);
  Out[3 * N + I] = Relaxed(F3, 1.f / 9, -Ux);
  Out[4 * N + I] = Relaxed(F4, 1.f / 9, -Uy);
  Out[5 * N + I] = Relaxed(F5, 1.f / 36, Ux + Uy);
  Out[6 * N + I] = Relaxed(F6, 1.f / 36, Uy - Ux);
  Out[7 * N + I] = Relaxed(F7, 1.f / 36, -Ux - Uy);
  Out[8 * N + I] = Relaxed(F8, 1.f / 36, Ux - Uy);
}

static void gravity(std::span<const float> X, std::span<const float> Y,
                    std::span<const float> Z, std::span<const float> Mass,
                    std::span<float> Ax, std::span<float> Ay,
                    std::span<float> Az) {
  std::size_t I = ferry::global_id();
  float Xi = X[I], Yi = Y[I], Zi = Z[I], SumX = 0, SumY = 0, SumZ = 0;
  for (std::size_t J = 0; J < X.size(); ++J) {
    float Dx = X[J] - Xi, Dy = Y[J] - Yi, Dz = Z[J] - Zi;
    float Inverse = 1 / std::sqrt(Dx * Dx + Dy * Dy + Dz * Dz + Softening);
    float Pull = Mass[J] * Inverse * Inverse * Inverse;
    SumX += Pull * Dx;
    SumY += Pull * Dy;
    SumZ += Pull * Dz;
  }
  Ax[I] = SumX;
  Ay[I] = SumY;
  Az[I] = SumZ;
}

// The step of k-means that takes the time: every point finds its centre.
static void nearest(std::span<const float> Point, std::span<const float> Centre,
                    std::span<std::uint32_t> Nearest) {
  std::size_t I = ferry::global_id();
  float Best = 1e30f;
  std::uint32_t Which = 0;
  for (std::uint32_t C = 0; C < Clusters; ++C) {
    float Distance = 0;
    for (std::size_t D = 0; D < Dimensions; ++D) {
      float Difference = Point[D * Points + I] - Centre[C * Dimensions + D];
      Distance += Difference * Difference;
    }
    if (Distance < Best) {
      Best = Distance;
      Which = C;
    }
  }
  Nearest[I] = Which;
}

static Answer runLattice() {
  std::vector<float> In = lattice(), Out(In.size());
  double Seconds = timeOf([&] {
    ferry::launch<latticeStep>(ferry::over(LatticeSide, LatticeSide), In, Out);
  });
  return {Seconds, sample(Out)};
}

static Answer runGravity() {
  System S;
  double Seconds = timeOf([&] {
    ferry::launch<gravity>(ferry::over(Bodies), S.X, S.Y, S.Z, S.Mass, S.Ax,
                           S.Ay, S.Az);
  });
  return {Seconds, sample(S.Ax) + sample(S.Ay) + sample(S.Az)};
}

static Answer runNearest() {
  Cloud C;
  double Seconds = timeOf([&] {
    ferry::launch<nearest>(ferry::over(Points), C.Point, C.Centre, C.Nearest);
  });
  return {Seconds, sumOf(C.Nearest)};
}

Benchmarks bodies() {
  return {{"lbm", runLattice}, {"n-body", runGravity}, {"k-means", runNearest}};
}
