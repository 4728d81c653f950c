// A sparse matrix in CSR times a vector: a thread a row, and a warp a row.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

struct Matrix {
  std::vector<int> Start, Column;
  std::vector<float> Value;
};

static void scalar(std::span<const int> Start, std::span<const int> Column,
                   std::span<const float> Value, std::span<const float> X, std::span<float> Y) {
  std::size_t Row = ferry::global_id();
  if (Row >= Y.size())
    return;
  float Sum = 0;
  for (int K = Start[Row]; K < Start[Row + 1]; ++K)
    Sum += Value[K] * X[Column[K]];
  Y[Row] = Sum;
}

static void vector(std::span<const int> Start, std::span<const int> Column,
                   std::span<const float> Value, std::span<const float> X, std::span<float> Y) {
  int Width = ferry::warp::size(), Lane = ferry::warp::lane();
  std::size_t Row = ferry::global_id() / Width;
  if (Row >= Y.size())
    return; // the whole warp
  float Sum = 0;
  for (int K = Start[Row] + Lane; K < Start[Row + 1]; K += Width)
    Sum += Value[K] * X[Column[K]];
  for (int Delta = Width / 2; Delta > 0; Delta /= 2)
    Sum += ferry::warp::shuffle_down(Sum, Delta);
  if (Lane == 0)
    Y[Row] = Sum;
}

int main() {
  const int Rows = 517;
  Matrix M;
  std::uint32_t State = 77;
  M.Start.push_back(0);
  for (int Row = 0; Row < Rows; ++Row) {
    int Count = Row % 50 == 0 ? 0 : nextRandom(State) % (Row % 9 == 0 ? 200 : 12);
    for (int K = 0; K < Count; ++K) {
      M.Column.push_back(nextRandom(State) % Rows);
      M.Value.push_back(float(nextRandom(State) % 16));
    }
    M.Start.push_back(M.Column.size());
  }
  std::vector<float> X(Rows), Wanted(Rows), Y(Rows, -1), Z(Rows, -1);
  for (float &V : X)
    V = float(nextRandom(State) % 16);
  for (int Row = 0; Row < Rows; ++Row)
    for (int K = M.Start[Row]; K < M.Start[Row + 1]; ++K)
      Wanted[Row] += M.Value[K] * X[M.Column[K]];
  ferry::launch<scalar>(ferry::blocks((Rows + 127) / 128).threads(128), M.Start, M.Column, M.Value,
                        X, Y);
  CHECK(Y == Wanted);
  // 64 threads a row are enough where a warp has fewer.
  ferry::launch<vector>(ferry::blocks((Rows * 64 + 127) / 128).threads(128), M.Start, M.Column,
                        M.Value, X, Z);
  CHECK(Z == Wanted);
  std::puts("multiplied"); // CHECK: multiplied
}
