// A matrix product by tiles in shared memory; the matrices are no multiple of
// the tile, so threads outside of them load zeros and still reach the barriers.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

constexpr int Tile = 16;

static void multiply(std::span<const float> A, std::span<const float> B,
                     std::span<float> C, int M, int N, int K) {
  auto &As = ferry::shared<float[Tile][Tile]>();
  auto &Bs = ferry::shared<float[Tile][Tile]>();
  int Tx = ferry::thread_idx().x, Ty = ferry::thread_idx().y;
  int Row = ferry::block_idx().y * Tile + Ty, Col = ferry::block_idx().x * Tile + Tx;
  float Sum = 0;
  for (int First = 0; First < K; First += Tile) {
    As[Ty][Tx] = Row < M && First + Tx < K ? A[Row * K + First + Tx] : 0;
    Bs[Ty][Tx] = Col < N && First + Ty < K ? B[(First + Ty) * N + Col] : 0;
    ferry::sync_threads();
    for (int I = 0; I < Tile; ++I)
      Sum += As[Ty][I] * Bs[I][Tx];
    ferry::sync_threads();
  }
  if (Row < M && Col < N)
    C[Row * N + Col] = Sum;
}

int main() {
  const int M = 70, N = 53, K = 41;
  std::vector<float> A = randomFloats(M * K, 1), B = randomFloats(K * N, 2), C(M * N, -1);
  ferry::launch<multiply>(
      ferry::blocks((N + Tile - 1) / Tile, (M + Tile - 1) / Tile).threads(Tile, Tile), A, B, C,
      M, N, K);
  for (int I = 0; I < M; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int L = 0; L < K; ++L)
        Sum += double(A[I * K + L]) * B[L * N + J];
      CHECK(near(C[I * N + J], Sum));
    }
  std::puts("multiplied"); // CHECK: multiplied
}
