// Barriers: in for and while loops, in functions and lambdas, between parts that
// one thread runs, with loop counts from shared memory, after a return of whole
// blocks, and with values and arrays that live across them.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <array>
#include <numeric>

constexpr unsigned N = 128;

void treeSum(std::span<const int> In, std::span<int> Out) {
  auto &Sums = ferry::shared<int[N]>();
  unsigned T = ferry::thread_idx().x;
  Sums[T] = In[ferry::global_id()];
  ferry::sync_threads();
  for (unsigned Half = N / 2; Half > 0; Half /= 2) {
    if (T < Half)
      Sums[T] += Sums[T + Half];
    ferry::sync_threads();
  }
  if (T == 0)
    Out[ferry::block_idx().x] = Sums[0];
}

// Blelloch's scan: two loops of barriers, and parts for one thread.
void exclusiveScan(std::span<int> V) {
  auto &Tile = ferry::shared<int[N]>();
  unsigned T = ferry::thread_idx().x;
  Tile[T] = V[ferry::global_id()];
  unsigned Step = 1;
  while (Step < N) {
    ferry::sync_threads();
    unsigned At = (T + 1) * Step * 2 - 1;
    if (At < N)
      Tile[At] += Tile[At - Step];
    Step *= 2;
  }
  ferry::sync_threads();
  if (T == 0)
    Tile[N - 1] = 0;
  while (Step > 1) {
    Step /= 2;
    ferry::sync_threads();
    unsigned At = (T + 1) * Step * 2 - 1;
    if (At < N) {
      int Left = Tile[At - Step];
      Tile[At - Step] = Tile[At];
      Tile[At] += Left;
    }
  }
  ferry::sync_threads();
  V[ferry::global_id()] = Tile[T];
}

__attribute__((noinline)) int passOn(int Value, int *Tile, unsigned By) {
  unsigned T = ferry::thread_idx().x;
  ferry::sync_threads();
  Tile[T] = Value;
  ferry::sync_threads();
  return Tile[(T + By) % N];
}

void acrossCalls(std::span<int> Out, std::size_t Blocks) {
  if (ferry::block_idx().x >= Blocks)
    return;
  auto &Tile = ferry::shared<int[N]>();
  auto &Rounds = ferry::shared<int>();
  unsigned T = ferry::thread_idx().x;
  int History[4] = {int(T), int(T) * 2, int(T) * 3, int(T) * 5};
  double Weight = 0.5 * T;
  if (T == 17)
    Rounds = 3 + int(ferry::block_idx().x % 2);
  ferry::sync_threads();
  for (int R = 0; R < Rounds; ++R) {
    History[R] += passOn(History[(R + 1) % 4], Tile, unsigned(R) + 1);
    Weight += History[R];
  }
  auto Last = [&] {
    Tile[T] = History[0];
    ferry::sync_threads();
    return Tile[N - 1 - T];
  };
  ferry::sync_threads();
  Out[ferry::global_id()] = Last() + int(Weight * 2) + History[3];
}

std::vector<int> wantAcrossCalls(unsigned Block) {
  std::vector<std::array<int, 4>> H(N);
  std::vector<double> W(N);
  for (int T = 0; T < int(N); ++T) {
    H[T] = {T, T * 2, T * 3, T * 5};
    W[T] = 0.5 * T;
  }
  for (int R = 0; R < 3 + int(Block % 2); ++R) {
    std::vector<int> Tile(N);
    for (unsigned T = 0; T < N; ++T)
      Tile[T] = H[T][(R + 1) % 4];
    for (unsigned T = 0; T < N; ++T) {
      H[T][R] += Tile[(T + unsigned(R) + 1) % N];
      W[T] += H[T][R];
    }
  }
  std::vector<int> Out(N);
  for (unsigned T = 0; T < N; ++T)
    Out[T] = H[N - 1 - T][0] + int(W[T] * 2) + H[T][3];
  return Out;
}

// A value that all threads agree on, found in a loop and kept over barriers of
// which some are on one way out of a loop only.
void agreed(std::span<double> Out) {
  unsigned T = ferry::thread_idx().x, Count = ferry::block_dim().x;
  auto &Slots = ferry::shared<short[32]>();
  auto &Firsts = ferry::shared<unsigned[32]>();
  short Last = 7;
  for (unsigned First = 0; First < Count; First += 32) {
    if (T - First < 32)
      Slots[T - First] = static_cast<short>(T + 1);
    ferry::sync_threads();
    Last = Slots[(Count - 1) % 32];
    ferry::sync_threads();
  }
  unsigned Mine = ferry::warp::shuffle(T, 0);
  for (unsigned Width = 2; Width < ferry::warp::size(); Width *= 2)
    Mine = ferry::warp::shuffle(Mine, 0);
  if (ferry::warp::lane() == 0)
    Firsts[T / ferry::warp::size()] = Mine;
  ferry::sync_threads();
  unsigned Sum = Firsts[0];
  for (unsigned I = 1; I * ferry::warp::size() < Count; ++I)
    Sum += Firsts[I];
  ferry::sync_threads();
  Out[ferry::global_id()] = Last + 1000. * Sum;
}

void dimensions(std::span<int> Out) {
  auto &Cube = ferry::shared<int[4][4][8]>();
  auto [X, Y, Z] = ferry::thread_idx();
  Cube[Z][Y][X] = int(X + 10 * Y + 100 * Z);
  ferry::sync_threads();
  Out[ferry::global_id()] = Cube[3 - Z][3 - Y][7 - X];
}

int main() {
  constexpr unsigned Blocks = 9;
  std::vector<int> In(N * Blocks), Out(Blocks);
  std::iota(In.begin(), In.end(), -50);
  ferry::launch<treeSum>(ferry::blocks(Blocks).threads(N), In, Out);
  for (unsigned B = 0; B < Blocks; ++B)
    CHECK(Out[B] == std::accumulate(In.begin() + B * N, In.begin() + (B + 1) * N, 0));

  std::vector<int> V = In;
  ferry::launch<exclusiveScan>(ferry::blocks(Blocks).threads(N), V);
  for (unsigned B = 0; B < Blocks; ++B) {
    int Sum = 0;
    for (unsigned I = B * N; I < (B + 1) * N; ++I) {
      CHECK(V[I] == Sum);
      Sum += In[I];
    }
  }

  std::vector<int> Across(N * Blocks, -1);
  ferry::launch<acrossCalls>(ferry::blocks(Blocks).threads(N), Across, std::size_t(Blocks - 2));
  for (unsigned B = 0; B < Blocks; ++B) {
    std::vector<int> Want = wantAcrossCalls(B);
    for (unsigned T = 0; T < N; ++T)
      CHECK(Across[B * N + T] == (B < Blocks - 2 ? Want[T] : -1));
  }

  for (unsigned Count : {1u, 2u, 40u}) {
    std::vector<double> Agreed(Count * 3);
    ferry::launch<agreed>(ferry::blocks(3).threads(Count), Agreed);
    for (double V : Agreed)
      CHECK(V == Count + (Count > 32 ? 32000 : 0) || (Count > 32 && V == Count));
  }

  std::vector<int> Cubes(2 * 3 * 2 * 128);
  ferry::launch<dimensions>(ferry::blocks(2, 3, 2).threads(8, 4, 4), Cubes);
  for (unsigned Z = 0; Z < 8; ++Z)
    for (unsigned Y = 0; Y < 12; ++Y)
      for (unsigned X = 0; X < 16; ++X)
        CHECK(Cubes[(Z * 12 + Y) * 16 + X] == int(7 - X % 8 + 10 * (3 - Y % 4) + 100 * (3 - Z % 4)));
}
