// LU factors of many small matrices, with row exchanges: a block a matrix in
// shared memory, and a thread a matrix in an array of its own.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <algorithm>

constexpr int N = 12;

static void factorInBlock(std::span<float> Matrices, std::span<int> Pivots, std::span<int> Singular) {
  auto &A = ferry::shared<float[N][N + 1]>();
  auto &Pivot = ferry::shared<int>();
  int X = ferry::thread_idx().x, Y = ferry::thread_idx().y, Which = ferry::block_idx().x;
  float *Mine = &Matrices[std::size_t(Which) * N * N];
  A[Y][X] = Mine[Y * N + X];
  ferry::sync_threads();
  for (int K = 0; K < N; ++K) {
    if (X == 0 && Y == 0) {
      Pivot = K;
      for (int I = K + 1; I < N; ++I)
        if (std::fabs(A[I][K]) > std::fabs(A[Pivot][K]))
          Pivot = I;
      Pivots[Which * N + K] = Pivot;
    }
    ferry::sync_threads();
    if (A[Pivot][K] == 0) { // the same for the whole block
      if (X == 0 && Y == 0)
        Singular[Which] = 1;
      return;
    }
    ferry::sync_threads(); // all have seen the pivot that the exchange moves
    if (Y == 0 && Pivot != K) {
      float T = A[K][X];
      A[K][X] = A[Pivot][X];
      A[Pivot][X] = T;
    }
    ferry::sync_threads();
    if (X == K && Y > K)
      A[Y][K] /= A[K][K];
    ferry::sync_threads();
    if (X > K && Y > K)
      A[Y][X] -= A[Y][K] * A[K][X];
    ferry::sync_threads();
  }
  Mine[Y * N + X] = A[Y][X];
}

static void factor(float (&A)[N][N], int *Pivots, int &Singular) {
  for (int K = 0; K < N; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < N; ++I)
      if (std::fabs(A[I][K]) > std::fabs(A[Pivot][K]))
        Pivot = I;
    Pivots[K] = Pivot;
    if (A[Pivot][K] == 0) {
      Singular = 1;
      return;
    }
    for (int J = 0; J < N; ++J) {
      float T = A[K][J];
      A[K][J] = A[Pivot][J];
      A[Pivot][J] = T;
    }
    for (int I = K + 1; I < N; ++I) {
      A[I][K] /= A[K][K];
      for (int J = K + 1; J < N; ++J)
        A[I][J] -= A[I][K] * A[K][J];
    }
  }
}

static void factorInThread(std::span<float> Matrices, std::span<int> Pivots, std::span<int> Singular) {
  std::size_t I = ferry::global_id();
  float A[N][N];
  for (int K = 0; K < N * N; ++K)
    A[K / N][K % N] = Matrices[I * N * N + K];
  factor(A, &Pivots[I * N], Singular[I]);
  if (Singular[I])
    return;
  for (int K = 0; K < N * N; ++K)
    Matrices[I * N * N + K] = A[K / N][K % N];
}

int main() {
  const int Count = 50;
  std::vector<float> Given = randomFloats(Count * N * N, 4);
  for (int K = 0; K < N; ++K) // two rows of nothing
    Given[7 * N * N + 3 * N + K] = Given[7 * N * N + 5 * N + K] = 0;
  std::vector<float> Blocks = Given, Threads = Given;
  std::vector<int> BlockPivots(Count * N), ThreadPivots(Count * N), BlockSingular(Count), ThreadSingular(Count);
  ferry::launch<factorInBlock>(ferry::blocks(Count).threads(N, N), Blocks, BlockPivots, BlockSingular);
  ferry::launch<factorInThread>(ferry::over(Count), Threads, ThreadPivots, ThreadSingular);
  for (int M = 0; M < Count; ++M) {
    float A[N][N];
    int Pivots[N], Singular = 0;
    std::copy_n(&Given[M * N * N], N * N, &A[0][0]);
    factor(A, Pivots, Singular);
    CHECK(Singular == (M == 7));
    CHECK(BlockSingular[M] == Singular && ThreadSingular[M] == Singular);
    for (int K = 0; K < N && !Singular; ++K)
      CHECK(BlockPivots[M * N + K] == Pivots[K] && ThreadPivots[M * N + K] == Pivots[K]);
    for (int K = 0; K < N * N && !Singular; ++K) {
      CHECK(near(Blocks[M * N * N + K], A[K / N][K % N], 1e-3));
      CHECK(near(Threads[M * N * N + K], A[K / N][K % N], 1e-3));
    }
  }
  std::puts("factored"); // CHECK: factored
}
