// Softmax of rows: a warp a row with reductions in the warp, and a block a row,
// whose warps reduce on through shared memory.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <algorithm>

static float warpMost(float X) {
  for (unsigned Mask = ferry::warp::size() / 2; Mask > 0; Mask /= 2)
    X = std::fmax(X, ferry::warp::shuffle_xor(X, Mask));
  return X;
}

static void warpRows(std::span<const float> In, std::span<float> Out, unsigned Columns) {
  unsigned Width = ferry::warp::size(), Lane = ferry::warp::lane();
  std::size_t Row = ferry::global_id() / Width;
  if (Row >= In.size() / Columns)
    return; // the whole warp
  std::span<const float> X = In.subspan(Row * Columns, Columns);
  float Most = -INFINITY;
  for (unsigned C = Lane; C < Columns; C += Width)
    Most = std::fmax(Most, X[C]);
  Most = warpMost(Most);
  float Sum = 0;
  for (unsigned C = Lane; C < Columns; C += Width)
    Sum += std::exp(X[C] - Most);
  Sum = ferry::warp::reduce_add(Sum);
  for (unsigned C = Lane; C < Columns; C += Width)
    Out[Row * Columns + C] = std::exp(X[C] - Most) / Sum;
}

// What a block's warps found, in a warp; every thread gets the result.
template <class Op> static float blockReduce(float Mine, float Nothing, Op Reduce) {
  auto &Part = ferry::shared<float[64]>();
  unsigned T = ferry::thread_idx().x, Width = ferry::warp::size();
  Mine = Reduce(Mine);
  if (T % Width == 0)
    Part[T / Width] = Mine;
  ferry::sync_threads();
  unsigned Warps = (ferry::block_dim().x + Width - 1) / Width;
  if (T < Width) {
    float All = Reduce(T < Warps ? Part[T] : Nothing);
    if (T == 0)
      Part[0] = All;
  }
  ferry::sync_threads();
  float All = Part[0];
  ferry::sync_threads(); // Part is used again
  return All;
}

static void blockRows(std::span<const float> In, std::span<float> Out, unsigned Columns) {
  std::span<float> Kept = ferry::dynamic_shared<float>();
  unsigned T = ferry::thread_idx().x, N = ferry::block_dim().x;
  std::size_t First = std::size_t(ferry::block_idx().x) * Columns;
  float Most = -INFINITY;
  for (unsigned C = T; C < Columns; C += N) {
    Kept[C] = In[First + C];
    Most = std::fmax(Most, Kept[C]);
  }
  Most = blockReduce(Most, -INFINITY, warpMost);
  float Sum = 0;
  for (unsigned C = T; C < Columns; C += N)
    Sum += Kept[C] = std::exp(Kept[C] - Most);
  Sum = blockReduce(Sum, 0.f, [](float X) { return ferry::warp::reduce_add(X); });
  for (unsigned C = T; C < Columns; C += N)
    Out[First + C] = Kept[C] / Sum;
}

int main() {
  const unsigned Rows = 37, Columns = 301;
  std::vector<float> In = randomFloats(Rows * Columns, 1), A(In.size()), B(In.size());
  for (float &X : In)
    X *= 20;
  // 64 threads a row are enough where a warp has fewer.
  ferry::launch<warpRows>(ferry::blocks(Rows).threads(64), In, A, Columns);
  ferry::launch<blockRows>(ferry::blocks(Rows).threads(160).shared(Columns * sizeof(float)), In, B,
                           Columns);
  for (unsigned R = 0; R < Rows; ++R) {
    const float *X = &In[R * Columns];
    double Most = *std::max_element(X, X + Columns), Sum = 0;
    for (unsigned C = 0; C < Columns; ++C)
      Sum += std::exp(X[C] - Most);
    for (unsigned C = 0; C < Columns; ++C) {
      CHECK(near(A[R * Columns + C], std::exp(X[C] - Most) / Sum));
      CHECK(near(B[R * Columns + C], std::exp(X[C] - Most) / Sum));
    }
  }
  std::puts("normalised"); // CHECK: normalised
}
