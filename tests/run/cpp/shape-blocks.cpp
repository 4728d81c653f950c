// blocks().threads(): every index function against its formula.
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
  W = {ferry::thread_idx(), ferry::block_idx(), ferry::block_dim(), ferry::grid_dim(),
       ferry::global_idx(), ferry::global_id(), W.Visits + 1};
}

void run(ferry::grid_shape Shape, ferry::uint3 G, ferry::uint3 B) {
  std::size_t NX = G.x * B.x, NY = G.y * B.y, NZ = G.z * B.z;
  std::vector<Where> Out(NX * NY * NZ);
  ferry::launch<record>(Shape, Out);
  for (std::size_t Z = 0, Id = 0; Z < NZ; ++Z)
    for (std::size_t Y = 0; Y < NY; ++Y)
      for (std::size_t X = 0; X < NX; ++X, ++Id) {
        const Where &W = Out[Id];
        CHECK(W.Visits == 1 && W.Id == Id);
        CHECK(W.Global.x == X && W.Global.y == Y && W.Global.z == Z);
        CHECK(sameBits(W.BlockDim, B) && sameBits(W.GridDim, G));
        CHECK(W.Thread.x == X % B.x && W.Thread.y == Y % B.y && W.Thread.z == Z % B.z);
        CHECK(W.Block.x == X / B.x && W.Block.y == Y / B.y && W.Block.z == Z / B.z);
      }
}

int main() {
  using ferry::blocks;
  run(blocks(1).threads(1), {1, 1, 1}, {1, 1, 1});
  run(blocks(7).threads(33), {7, 1, 1}, {33, 1, 1});
  run(blocks(3).threads(1024), {3, 1, 1}, {1024, 1, 1});
  run(blocks(2, 3).threads(5), {2, 3, 1}, {5, 1, 1});
  run(blocks(2).threads(5, 7), {2, 1, 1}, {5, 7, 1});
  run(blocks(2, 3).threads(5, 7), {2, 3, 1}, {5, 7, 1});
  run(blocks(2, 3, 4).threads(5, 2, 3), {2, 3, 4}, {5, 2, 3});
  run(blocks(1, 1, 4).threads(1, 1, 64), {1, 1, 4}, {1, 1, 64});
  run(blocks(5, 1, 2).threads(2, 16, 32), {5, 1, 2}, {2, 16, 32});
}
