// A 9-point stencil of radius 2 on tiles with a halo; the halo's corners and
// borders are loaded by some of the threads, and clamped at the grid's edge.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

constexpr int Width = 16, Height = 8, Radius = 2;

static int clamped(int I, int N) { return I < 0 ? 0 : I >= N ? N - 1 : I; }

static void stencil(std::span<const float> In, std::span<float> Out, int Nx, int Ny) {
  auto &Tile = ferry::shared<float[Height + 2 * Radius][Width + 2 * Radius]>();
  int Tx = ferry::thread_idx().x, Ty = ferry::thread_idx().y;
  int Left = ferry::block_idx().x * Width, Top = ferry::block_idx().y * Height;
  for (int Y = Ty; Y < Height + 2 * Radius; Y += Height)
    for (int X = Tx; X < Width + 2 * Radius; X += Width)
      Tile[Y][X] = In[clamped(Top + Y - Radius, Ny) * Nx + clamped(Left + X - Radius, Nx)];
  ferry::sync_threads();
  if (Left + Tx >= Nx || Top + Ty >= Ny)
    return;
  float Sum = 0;
  for (int D = -Radius; D <= Radius; ++D)
    Sum += Tile[Ty + Radius + D][Tx + Radius] + Tile[Ty + Radius][Tx + Radius + D];
  Out[(Top + Ty) * Nx + Left + Tx] = Sum;
}

int main() {
  const int Nx = 75, Ny = 43;
  std::vector<float> In(Nx * Ny), Out(Nx * Ny);
  for (int I = 0; I < Nx * Ny; ++I)
    In[I] = float(I * 37 % 101);
  ferry::launch<stencil>(
      ferry::blocks((Nx + Width - 1) / Width, (Ny + Height - 1) / Height).threads(Width, Height),
      In, Out, Nx, Ny);
  for (int Y = 0; Y < Ny; ++Y)
    for (int X = 0; X < Nx; ++X) {
      float Sum = 0;
      for (int D = -Radius; D <= Radius; ++D)
        Sum += In[clamped(Y + D, Ny) * Nx + X] + In[Y * Nx + clamped(X + D, Nx)];
      CHECK(Out[Y * Nx + X] == Sum);
    }
  std::puts("smoothed"); // CHECK: smoothed
}
