// Dynamic shared memory: its size comes from the launch, every type sees the same
// bytes, it lies apart from shared(), and too much of it is an error that names
// the limit and what was asked for.
// RUN: %run-everywhere --output %t --ways=-O0,-O3 %s
#include "Inputs/check.h"
#include <string>

void reversed(std::span<float> V) {
  std::span<float> Tile = ferry::dynamic_shared<float>();
  unsigned T = ferry::thread_idx().x, N = ferry::block_dim().x;
  Tile[T] = V[ferry::global_id()];
  ferry::sync_threads();
  V[ferry::global_id()] = Tile[N - 1 - T];
}

void sizes(std::span<std::size_t> Out) {
  Out[0] = ferry::dynamic_shared<char>().size();
  Out[1] = ferry::dynamic_shared<int>().size();
  Out[2] = ferry::dynamic_shared<double>().size();
  Out[3] = static_cast<void *>(ferry::dynamic_shared<char>().data()) ==
           static_cast<void *>(ferry::dynamic_shared<double>().data());
  Out[4] = reinterpret_cast<std::uintptr_t>(ferry::dynamic_shared<char>().data()) % 16;
}

struct Pair {
  int A, B;
};
void apart(std::span<int> Out) {
  unsigned T = ferry::thread_idx().x;
  auto &Fixed = ferry::shared<int[32]>();
  auto Pairs = ferry::dynamic_shared<Pair>();
  Fixed[T] = int(T);
  Pairs[T] = {100 + int(T), 200};
  ferry::sync_threads();
  Out[T] = Fixed[31 - T] + Pairs[(T + 1) % 32].A + Pairs[T].B;
}

int main() {
  for (unsigned N : {1u, 32u, 100u, 1024u}) {
    std::vector<float> V(N * 3);
    for (unsigned I = 0; I < V.size(); ++I)
      V[I] = float(I);
    ferry::launch<reversed>(ferry::blocks(3).threads(N).shared(N * sizeof(float)), V);
    for (unsigned I = 0; I < V.size(); ++I)
      CHECK(V[I] == float(I / N * N + N - 1 - I % N));
  }

  std::vector<std::size_t> S(5);
  for (std::size_t Bytes : {0ul, 3ul, 64ul, 1023ul, 32768ul}) {
    ferry::launch<sizes>(ferry::blocks(1).threads(1).shared(Bytes), S);
    CHECK(S[0] == Bytes && S[1] == Bytes / 4 && S[2] == Bytes / 8 && S[3] == 1 && S[4] == 0);
  }

  std::vector<int> Out(32);
  ferry::launch<apart>(ferry::blocks(1).threads(32).shared(32 * sizeof(Pair)), Out);
  for (int T = 0; T < 32; ++T)
    CHECK(Out[T] == 31 - T + 100 + (T + 1) % 32 + 200);

  ferry::status Failed = ferry::try_launch<sizes>(ferry::blocks(1).threads(1).shared(200 << 20), S);
  CHECK(Failed.code() == ferry::errc::invalid_shape);
  CHECK(Failed.message().find("209715200 bytes of shared memory") != std::string::npos);
  CHECK(Failed.message().find("allows at most") != std::string::npos);
}
