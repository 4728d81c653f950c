// All pairs of bodies: a block loads a tile of them into shared memory, and each
// of its threads adds up their pull. The last tile and block are partial.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

struct Body {
  float X, Y, Z, Mass;
};
struct Vector {
  float X, Y, Z;
};

template <class T> struct Pull {
  T X = 0, Y = 0, Z = 0;
  void add(const Body &From, const Body &To) {
    T Dx = T(To.X) - From.X, Dy = T(To.Y) - From.Y, Dz = T(To.Z) - From.Z;
    T Square = Dx * Dx + Dy * Dy + Dz * Dz + T(0.01);
    T Inverse = T(1) / std::sqrt(Square);
    T Strength = To.Mass * Inverse * Inverse * Inverse;
    X += Strength * Dx;
    Y += Strength * Dy;
    Z += Strength * Dz;
  }
};

static void gravity(std::span<const Body> Bodies, std::span<Vector> Out) {
  auto &Tile = ferry::shared<Body[64]>();
  std::size_t I = ferry::global_id(), N = Bodies.size();
  unsigned T = ferry::thread_idx().x;
  Body Mine = I < N ? Bodies[I] : Body{};
  Pull<float> Sum;
  for (std::size_t First = 0; First < N; First += 64) {
    if (First + T < N)
      Tile[T] = Bodies[First + T];
    ferry::sync_threads();
    for (std::size_t J = 0; J < 64 && First + J < N; ++J)
      Sum.add(Mine, Tile[J]);
    ferry::sync_threads();
  }
  if (I < N)
    Out[I] = {Sum.X, Sum.Y, Sum.Z};
}

int main() {
  const std::size_t N = 413;
  std::vector<float> Random = randomFloats(4 * N, 9);
  std::vector<Body> Bodies(N);
  for (std::size_t I = 0; I < N; ++I)
    Bodies[I] = {Random[4 * I], Random[4 * I + 1], Random[4 * I + 2], 1 + Random[4 * I + 3]};
  std::vector<Vector> Out(N);
  ferry::launch<gravity>(ferry::blocks((N + 63) / 64).threads(64), Bodies, Out);
  for (std::size_t I = 0; I < N; ++I) {
    Pull<double> Sum;
    for (const Body &B : Bodies)
      Sum.add(Bodies[I], B);
    CHECK(near(Out[I].X, Sum.X, 1e-3) && near(Out[I].Y, Sum.Y, 1e-3) && near(Out[I].Z, Sum.Z, 1e-3));
  }
  std::puts("pulled"); // CHECK: pulled
}
