// Blelloch's scan: a tree up and down in dynamic shared memory, for every block;
// then the same over the blocks' sums, which are added.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"

// The stride over banks of the classic code, to spread elements.
static unsigned padded(unsigned I) { return I + I / 32; }

static void scanBlocks(std::span<const int> In, std::span<int> Out, std::span<int> Sums) {
  std::span<int> Part = ferry::dynamic_shared<int>();
  unsigned T = ferry::thread_idx().x, N = 2 * ferry::block_dim().x;
  std::size_t First = std::size_t(ferry::block_idx().x) * N;
  for (unsigned I : {2 * T, 2 * T + 1})
    Part[padded(I)] = First + I < In.size() ? In[First + I] : 0;

  unsigned Offset = 1;
  for (unsigned D = N / 2; D > 0; D /= 2) {
    ferry::sync_threads();
    if (T < D) {
      unsigned A = padded(Offset * (2 * T + 1) - 1), B = padded(Offset * (2 * T + 2) - 1);
      Part[B] += Part[A];
    }
    Offset *= 2;
  }
  if (T == 0) {
    Sums[ferry::block_idx().x] = Part[padded(N - 1)];
    Part[padded(N - 1)] = 0;
  }
  for (unsigned D = 1; D < N; D *= 2) {
    Offset /= 2;
    ferry::sync_threads();
    if (T < D) {
      unsigned A = padded(Offset * (2 * T + 1) - 1), B = padded(Offset * (2 * T + 2) - 1);
      int Left = Part[A];
      Part[A] = Part[B];
      Part[B] += Left;
    }
  }
  ferry::sync_threads();
  for (unsigned I : {2 * T, 2 * T + 1})
    if (First + I < Out.size())
      Out[First + I] = Part[padded(I)];
}

static void addSums(std::span<int> Out, std::span<const int> Sums, unsigned PerBlock) {
  std::size_t I = ferry::global_id();
  Out[I] += Sums[I / PerBlock];
}

int main() {
  const unsigned Threads = 128, PerBlock = 2 * Threads, N = 10007;
  const unsigned Blocks = (N + PerBlock - 1) / PerBlock;
  std::vector<int> In(N), Out(N), Sums(Blocks), Before(Blocks), Total(1);
  std::uint32_t State = 3;
  for (int &X : In)
    X = int(nextRandom(State) % 100) - 50;
  const std::size_t Bytes = (padded(PerBlock - 1) + 1) * sizeof(int);
  ferry::launch<scanBlocks>(ferry::blocks(Blocks).threads(Threads).shared(Bytes), In, Out, Sums);
  ferry::launch<scanBlocks>(ferry::blocks(1).threads(Threads).shared(Bytes), Sums, Before, Total);
  ferry::launch<addSums>(ferry::over(N), Out, Before, PerBlock);
  int Sum = 0;
  for (unsigned I = 0; I < N; ++I) {
    CHECK(Out[I] == Sum);
    Sum += In[I];
  }
  CHECK(Total[0] == Sum);
  std::puts("scanned"); // CHECK: scanned
}
