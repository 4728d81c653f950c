//===- bodies.cpp - Fluids, bodies and clouds of points, with OpenMP ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include <cmath>

// The columns at the left and right border are done apart, so that the loop
// between them reads consecutive elements.
static void latticeStep(const float *In, float *Out) {
  constexpr std::size_t W = LatticeSide, N = LatticeCount;
#pragma omp parallel for
  for (std::size_t Y = 0; Y < W; ++Y) {
    std::size_t Down = Y == 0 ? W - 1 : Y - 1, Up = Y == W - 1 ? 0 : Y + 1;
    auto Cell = [=](std::size_t X, std::size_t Left,
                    std::size_t Right) __attribute__((always_inline)) {
      std::size_t I = Y * W + X;
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
    };
    Cell(0, W - 1, 1);
#pragma omp simd
    for (std::size_t X = 1; X < W - 1; ++X)
      Cell(X, X - 1, X + 1);
    Cell(W - 1, W - 2, 0);
  }
}

// Vectors of bodies I; a body J acts on all of them.
static void gravity(System &S) {
  constexpr std::size_t Block = 64;
  const float *X = S.X.data(), *Y = S.Y.data(), *Z = S.Z.data(),
              *Mass = S.Mass.data();
#pragma omp parallel for
  for (std::size_t First = 0; First < Bodies; First += Block) {
    float SumX[Block] = {}, SumY[Block] = {}, SumZ[Block] = {};
    for (std::size_t J = 0; J < Bodies; ++J)
#pragma omp simd
      for (std::size_t B = 0; B < Block; ++B) {
        float Dx = X[J] - X[First + B], Dy = Y[J] - Y[First + B],
              Dz = Z[J] - Z[First + B];
        float Inverse = 1 / std::sqrt(Dx * Dx + Dy * Dy + Dz * Dz + Softening);
        float Pull = Mass[J] * Inverse * Inverse * Inverse;
        SumX[B] += Pull * Dx;
        SumY[B] += Pull * Dy;
        SumZ[B] += Pull * Dz;
      }
    std::copy_n(SumX, Block, &S.Ax[First]);
    std::copy_n(SumY, Block, &S.Ay[First]);
    std::copy_n(SumZ, Block, &S.Az[First]);
  }
}

// Points are taken 256 at a time, so that their distances stay in the cache.
static void nearest(Cloud &C) {
  constexpr std::size_t Block = 256;
  const float *Point = C.Point.data(), *Centre = C.Centre.data();
  std::uint32_t *Nearest = C.Nearest.data();
#pragma omp parallel for
  for (std::size_t First = 0; First < Points; First += Block) {
#pragma omp simd
    for (std::size_t I = First; I < First + Block; ++I) {
      float Best = 1e30f;
      std::uint32_t Which = 0;
#pragma clang loop unroll(full)
      for (std::uint32_t K = 0; K < Clusters; ++K) {
        float Distance = 0;
#pragma clang loop unroll(full)
        for (std::size_t D = 0; D < Dimensions; ++D) {
          float Difference = Point[D * Points + I] - Centre[K * Dimensions + D];
          Distance += Difference * Difference;
        }
        Which = Distance < Best ? K : Which;
        Best = Distance < Best ? Distance : Best;
      }
      Nearest[I] = Which;
    }
  }
}

static Answer runLattice() {
  std::vector<float> In = lattice(), Out(In.size());
  double Seconds = timeOf([&] { latticeStep(In.data(), Out.data()); });
  return {Seconds, sample(Out)};
}

static Answer runGravity() {
  System S;
  double Seconds = timeOf([&] { gravity(S); });
  return {Seconds, sample(S.Ax) + sample(S.Ay) + sample(S.Az)};
}

static Answer runNearest() {
  Cloud C;
  double Seconds = timeOf([&] { nearest(C); });
  return {Seconds, sumOf(C.Nearest)};
}

Benchmarks bodies() {
  return {{"lbm", runLattice}, {"n-body", runGravity}, {"k-means", runNearest}};
}
