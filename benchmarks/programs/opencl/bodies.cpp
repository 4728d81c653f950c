//===- bodies.cpp - Fluids, bodies and clouds of points, with OpenCL ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

static const char *Text = R"(
float relaxed(float F, float Weight, float Along, float Density, float Rest) {
  float Balance = Weight * Density * (Rest + 3 * Along + 4.5f * Along * Along);
  return F + RELAXATION * (Balance - F);
}
#define Relaxed(F, Weight, Along) relaxed(F, Weight, Along, Density, Rest)

kernel void latticeStep(global const float *In, global float *Out) {
  size_t W = SIDE, N = SIDE * SIDE;
  size_t X = get_global_id(0), Y = get_global_id(1);
  size_t I = Y * W + X;
  size_t Left = X == 0 ? W - 1 : X - 1, Right = X == W - 1 ? 0 : X + 1;
  size_t Down = Y == 0 ? W - 1 : Y - 1, Up = Y == W - 1 ? 0 : Y + 1;
  float F0 = In[I];
  float F1 = In[1 * N + Y * W + Left], F2 = In[2 * N + Down * W + X];
  float F3 = In[3 * N + Y * W + Right], F4 = In[4 * N + Up * W + X];
  float F5 = In[5 * N + Down * W + Left], F6 = In[6 * N + Down * W + Right];
  float F7 = In[7 * N + Up * W + Right], F8 = In[8 * N + Up * W + Left];
  float Density = F0 + F1 + F2 + F3 + F4 + F5 + F6 + F7 + F8;
  float Ux = (F1 + F5 + F8 - F3 - F6 - F7) / Density;
  float Uy = (F2 + F5 + F6 - F4 - F7 - F8) / Density;
  float Rest = 1 - 1.5f * (Ux * Ux + Uy * Uy);
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

kernel void gravity(global const float *X, global const float *Y,
                    global const float *Z, global const float *Mass,
                    global float *Ax, global float *Ay, global float *Az) {
  size_t I = get_global_id(0);
  float Xi = X[I], Yi = Y[I], Zi = Z[I], SumX = 0, SumY = 0, SumZ = 0;
  for (size_t J = 0; J < BODIES; ++J) {
    float Dx = X[J] - Xi, Dy = Y[J] - Yi, Dz = Z[J] - Zi;
    float Inverse = 1 / sqrt(Dx * Dx + Dy * Dy + Dz * Dz + SOFTENING);
    float Pull = Mass[J] * Inverse * Inverse * Inverse;
    SumX += Pull * Dx;
    SumY += Pull * Dy;
    SumZ += Pull * Dz;
  }
  Ax[I] = SumX;
  Ay[I] = SumY;
  Az[I] = SumZ;
}

kernel void nearest(global const float *Point, global const float *Centre,
                    global uint *Nearest) {
  size_t I = get_global_id(0);
  float Best = 1e30f;
  uint Which = 0;
  for (uint C = 0; C < CLUSTERS; ++C) {
    float Distance = 0;
    for (size_t D = 0; D < DIMENSIONS; ++D) {
      float Difference = Point[D * POINTS + I] - Centre[C * DIMENSIONS + D];
      Distance += Difference * Difference;
    }
    if (Distance < Best) {
      Best = Distance;
      Which = C;
    }
  }
  Nearest[I] = Which;
}
)";

static std::string constants() {
  return define("SIDE", LatticeSide) +
         define("RELAXATION", double(Relaxation)) + define("BODIES", Bodies) +
         define("SOFTENING", double(Softening)) + define("POINTS", Points) +
         define("CLUSTERS", Clusters) + define("DIMENSIONS", Dimensions);
}

static Answer runLattice() {
  std::vector<float> In = lattice(), Out(In.size());
  Buffer Bi(In), Bo(Out);
  Kernel K(Text, "latticeStep", constants());
  K.with(Bi, Bo);
  double Seconds = timeOf([&] { K.run({LatticeSide, LatticeSide}); });
  return {Seconds, sample(Out)};
}

static Answer runGravity() {
  System S;
  Buffer X(S.X), Y(S.Y), Z(S.Z), Mass(S.Mass), Ax(S.Ax), Ay(S.Ay), Az(S.Az);
  Kernel K(Text, "gravity", constants());
  K.with(X, Y, Z, Mass, Ax, Ay, Az);
  double Seconds = timeOf([&] { K.run({Bodies}); });
  return {Seconds, sample(S.Ax) + sample(S.Ay) + sample(S.Az)};
}

static Answer runNearest() {
  Cloud C;
  Buffer Point(C.Point), Centre(C.Centre), Nearest(C.Nearest);
  Kernel K(Text, "nearest", constants());
  K.with(Point, Centre, Nearest);
  double Seconds = timeOf([&] { K.run({Points}); });
  return {Seconds, sumOf(C.Nearest)};
}

Benchmarks bodies() {
  return {{"lbm", runLattice}, {"n-body", runGravity}, {"k-means", runNearest}};
}
