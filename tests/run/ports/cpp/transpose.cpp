// A transpose through a tile of shared memory, padded by a column, with fewer
// threads than elements: each takes every eighth row.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

constexpr unsigned Tile = 32, Rows = 8;

static void transpose(std::span<const float> In, std::span<float> Out, unsigned Width,
                      unsigned Height) {
  auto &Part = ferry::shared<float[Tile][Tile + 1]>();
  auto [Tx, Ty, Tz] = ferry::thread_idx();
  auto [Bx, By, Bz] = ferry::block_idx();
  unsigned X = Bx * Tile + Tx, Y = By * Tile + Ty;
  for (unsigned J = 0; J < Tile; J += Rows)
    if (X < Width && Y + J < Height)
      Part[Ty + J][Tx] = In[(Y + J) * Width + X];
  ferry::sync_threads();
  X = By * Tile + Tx;
  Y = Bx * Tile + Ty;
  for (unsigned J = 0; J < Tile; J += Rows)
    if (X < Height && Y + J < Width)
      Out[(Y + J) * Height + X] = Part[Tx][Ty + J];
}

int main() {
  const unsigned Width = 100, Height = 77;
  std::vector<float> In = randomFloats(Width * Height, 1), Out(Width * Height);
  ferry::launch<transpose>(
      ferry::blocks((Width + Tile - 1) / Tile, (Height + Tile - 1) / Tile).threads(Tile, Rows), In,
      Out, Width, Height);
  for (unsigned Y = 0; Y < Height; ++Y)
    for (unsigned X = 0; X < Width; ++X)
      CHECK(Out[X * Height + Y] == In[Y * Width + X]);
  std::puts("transposed"); // CHECK: transposed
}
