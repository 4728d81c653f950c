// over(): every index function against its formula, in one to three dimensions,
// for sizes that divide nothing.
// RUN: %run-everywhere --output %t %s
#include "Inputs/check.h"

struct Where {
  ferry::uint3 Thread, Block, BlockDim, GridDim;
  ferry::size3 Global;
  std::size_t Id;
  std::uint32_t Visits;
};

void record(std::span<Where> Out) {
  Where &W = Out[ferry::global_id()];
  W.Thread = ferry::thread_idx();
  W.Block = ferry::block_idx();
  W.BlockDim = ferry::block_dim();
  W.GridDim = ferry::grid_dim();
  W.Global = ferry::global_idx();
  W.Id = ferry::global_id();
  ++W.Visits;
}

void check(std::size_t NX, std::size_t NY, std::size_t NZ, const std::vector<Where> &Out) {
  for (std::size_t Z = 0, Id = 0; Z < NZ; ++Z)
    for (std::size_t Y = 0; Y < NY; ++Y)
      for (std::size_t X = 0; X < NX; ++X, ++Id) {
        const Where &W = Out[Id];
        CHECK(W.Visits == 1 && W.Id == Id && Id == (Z * NY + Y) * NX + X);
        CHECK(W.Global.x == X && W.Global.y == Y && W.Global.z == Z);
        ferry::uint3 D = W.BlockDim;
        CHECK(D.x && D.y && D.z && D.x * D.y * D.z <= 1024);
        CHECK(W.Thread.x < D.x && W.Thread.y < D.y && W.Thread.z < D.z);
        CHECK(W.Block.x * D.x + W.Thread.x == X && W.Block.y * D.y + W.Thread.y == Y &&
              W.Block.z * D.z + W.Thread.z == Z);
        CHECK(W.GridDim.x == (NX + D.x - 1) / D.x && W.GridDim.y == (NY + D.y - 1) / D.y &&
              W.GridDim.z == (NZ + D.z - 1) / D.z);
        // One shape for the whole launch.
        CHECK(sameBits(D, Out[0].BlockDim));
      }
}

int main() {
  for (std::size_t N : {1, 2, 255, 256, 257, 1000, 70001}) {
    std::vector<Where> Out(N);
    ferry::launch<record>(ferry::over(N), Out);
    check(N, 1, 1, Out);
  }
  std::size_t Shapes[][3] = {{1, 1, 1}, {5, 1, 1}, {1, 5, 1}, {1, 1, 5}, {33, 9, 1}, {31, 7, 1}, {1, 1000, 1},
                             {640, 3, 1}, {33, 5, 3}, {7, 11, 13}, {1, 1, 300}, {100, 1, 3}, {32, 8, 4}};
  for (auto [X, Y, Z] : Shapes) {
    std::vector<Where> Out(X * Y * Z);
    if (Z == 1) {
      ferry::launch<record>(ferry::over(X, Y), Out);
      check(X, Y, 1, Out);
      Out.assign(X * Y * Z, {});
    }
    ferry::launch<record>(ferry::over(X, Y, Z), Out);
    check(X, Y, Z, Out);
  }
  // A buffer larger than the shape: threads stop where the shape does.
  std::vector<Where> Out(1000);
  ferry::launch<record>(ferry::over(300), Out);
  for (std::size_t I = 0; I < 1000; ++I)
    CHECK(Out[I].Visits == (I < 300));
}
