// A 7-point stencil that marches through planes: the current plane's tile with
// its halo lies in shared memory, the ones above and below in registers that
// live across the loop's two barriers.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

constexpr int Width = 16, Height = 4;

static void stencil(std::span<const float> In, std::span<float> Out, int Nx, int Ny, int Nz) {
  auto &Plane = ferry::shared<float[Height + 2][Width + 2]>();
  int Tx = ferry::thread_idx().x + 1, Ty = ferry::thread_idx().y + 1;
  int X = ferry::block_idx().x * Width + Tx, Y = ferry::block_idx().y * Height + Ty;
  bool Inside = X < Nx - 1 && Y < Ny - 1;
  auto At = [&](int X, int Y, int Z) {
    return X < Nx && Y < Ny ? In[(Z * Ny + Y) * Nx + X] : 0.f;
  };
  float Below = At(X, Y, 0), Current = At(X, Y, 1);
  for (int Z = 1; Z < Nz - 1; ++Z) {
    float Above = At(X, Y, Z + 1);
    Plane[Ty][Tx] = Current;
    if (Tx == 1)
      Plane[Ty][0] = At(X - 1, Y, Z);
    if (Tx == Width)
      Plane[Ty][Width + 1] = At(X + 1, Y, Z);
    if (Ty == 1)
      Plane[0][Tx] = At(X, Y - 1, Z);
    if (Ty == Height)
      Plane[Height + 1][Tx] = At(X, Y + 1, Z);
    ferry::sync_threads();
    if (Inside)
      Out[(Z * Ny + Y) * Nx + X] = Below + Above + Plane[Ty][Tx - 1] + Plane[Ty][Tx + 1] +
                                   Plane[Ty - 1][Tx] + Plane[Ty + 1][Tx] - 6 * Current;
    ferry::sync_threads();
    Below = Current;
    Current = Above;
  }
}

int main() {
  const int Nx = 45, Ny = 19, Nz = 12;
  std::vector<float> In(Nx * Ny * Nz), Out(Nx * Ny * Nz, -1);
  for (std::size_t I = 0; I < In.size(); ++I)
    In[I] = float(I * 31 % 97);
  ferry::launch<stencil>(
      ferry::blocks((Nx - 2 + Width - 1) / Width, (Ny - 2 + Height - 1) / Height)
          .threads(Width, Height),
      In, Out, Nx, Ny, Nz);
  for (int Z = 0; Z < Nz; ++Z)
    for (int Y = 0; Y < Ny; ++Y)
      for (int X = 0; X < Nx; ++X) {
        int I = (Z * Ny + Y) * Nx + X;
        bool Inside = X > 0 && X < Nx - 1 && Y > 0 && Y < Ny - 1 && Z > 0 && Z < Nz - 1;
        float Wanted = Inside ? In[I - 1] + In[I + 1] + In[I - Nx] + In[I + Nx] + In[I - Nx * Ny] +
                                    In[I + Nx * Ny] - 6 * In[I]
                              : -1;
        CHECK(Out[I] == Wanted);
      }
  std::puts("marched"); // CHECK: marched
}
