// A histogram of bytes: each block counts in shared memory and adds its counts
// to the result. A second kernel counts with std::atomic_ref.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <atomic>

static void histogram(std::span<const std::uint8_t> In, std::span<std::uint32_t> Bins) {
  auto &Mine = ferry::shared<std::uint32_t[256]>();
  unsigned T = ferry::thread_idx().x, N = ferry::block_dim().x;
  for (unsigned I = T; I < 256; I += N)
    Mine[I] = 0;
  ferry::sync_threads();
  std::size_t Stride = std::size_t(N) * ferry::grid_dim().x;
  for (std::size_t I = ferry::global_id(); I < In.size(); I += Stride)
    ferry::atomic_add(Mine[In[I]], 1);
  ferry::sync_threads();
  for (unsigned I = T; I < 256; I += N)
    if (Mine[I])
      ferry::atomic_add(Bins[I], Mine[I]);
}

static void histogramRef(std::span<const std::uint8_t> In, std::span<std::uint64_t> Bins) {
  auto &Mine = ferry::shared<std::uint64_t[16][16]>();
  auto [X, Y, Z] = ferry::thread_idx();
  Mine[Y][X] = 0;
  ferry::sync_threads();
  for (std::size_t I = ferry::global_id(); I < In.size(); I += 256 * ferry::grid_dim().x)
    std::atomic_ref(Mine[In[I] / 16][In[I] % 16]).fetch_add(1, std::memory_order_relaxed);
  ferry::sync_threads();
  std::atomic_ref(Bins[Y * 16 + X]) += Mine[Y][X];
}

int main() {
  std::vector<std::uint8_t> In(50001);
  std::uint32_t State = 5;
  for (auto &X : In)
    X = nextRandom(State) % 250 * (nextRandom(State) % 3) / 2;
  std::vector<std::uint32_t> Bins(256), Wanted(256);
  for (auto X : In)
    ++Wanted[X];
  ferry::launch<histogram>(ferry::blocks(7).threads(96), In, Bins);
  CHECK(Bins == Wanted);
  std::vector<std::uint64_t> Wide(256);
  ferry::launch<histogramRef>(ferry::blocks(5).threads(16, 16), In, Wide);
  for (int I = 0; I < 256; ++I)
    CHECK(Wide[I] == Wanted[I]);
  std::puts("counted"); // CHECK: counted
}
