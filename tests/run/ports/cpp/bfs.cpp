// Breadth-first search, a launch a level: a block gathers what its threads find
// in a queue in shared memory and takes room for it in the next frontier once.
// RUN: %run-everywhere --ways=-O0,-O3 --output %t %s | FileCheck %s
// RUN: env FERRY_DEVICE=cpu FERRY_CHECK=race,bounds,barrier,uninit %t.1 | FileCheck %s
#include "Inputs/port.h"
#include <queue>

constexpr unsigned Threads = 64, Room = 256;

static void expand(std::span<const std::uint32_t> Start, std::span<const std::uint32_t> Neighbour,
                   std::span<const std::uint32_t> Frontier, std::uint32_t Size,
                   std::span<std::uint32_t> Next, std::uint32_t &NextSize,
                   std::span<std::int32_t> Distance, std::int32_t Level) {
  auto &Queue = ferry::shared<std::uint32_t[Room]>();
  auto &Length = ferry::shared<std::uint32_t>();
  auto &Base = ferry::shared<std::uint32_t>();
  unsigned T = ferry::thread_idx().x;
  if (T == 0)
    Length = 0;
  ferry::sync_threads();
  std::size_t I = ferry::global_id();
  if (I < Size) {
    std::uint32_t Node = Frontier[I];
    for (std::uint32_t K = Start[Node]; K < Start[Node + 1]; ++K) {
      std::uint32_t To = Neighbour[K];
      if (ferry::atomic_compare_exchange(Distance[To], -1, Level) != -1)
        continue;
      std::uint32_t At = ferry::atomic_add(Length, 1);
      if (At < Room)
        Queue[At] = To;
      else // the queue is full
        Next[ferry::atomic_add(NextSize, 1)] = To;
    }
  }
  ferry::sync_threads();
  std::uint32_t Mine = Length < Room ? Length : Room;
  if (T == 0)
    Base = ferry::atomic_add(NextSize, Mine);
  ferry::sync_threads();
  for (std::uint32_t K = T; K < Mine; K += Threads)
    Next[Base + K] = Queue[K];
}

int main() {
  const std::uint32_t Nodes = 3000;
  std::vector<std::uint32_t> Start{0}, Neighbour;
  std::uint32_t State = 21;
  for (std::uint32_t N = 0; N < Nodes; ++N) {
    std::uint32_t Degree = N % 97 == 0 ? 150 : nextRandom(State) % 4;
    for (std::uint32_t K = 0; K < Degree; ++K)
      Neighbour.push_back(nextRandom(State) % Nodes);
    Start.push_back(Neighbour.size());
  }
  std::vector<std::int32_t> Wanted(Nodes, -1), Distance(Nodes, -1);
  std::queue<std::uint32_t> Queue({0});
  Wanted[0] = 0;
  for (; !Queue.empty(); Queue.pop())
    for (std::uint32_t K = Start[Queue.front()]; K < Start[Queue.front() + 1]; ++K)
      if (Wanted[Neighbour[K]] < 0) {
        Wanted[Neighbour[K]] = Wanted[Queue.front()] + 1;
        Queue.push(Neighbour[K]);
      }

  std::vector<std::uint32_t> Frontier(Nodes), Next(Nodes);
  std::uint32_t Size = 1;
  Distance[0] = 0;
  for (std::int32_t Level = 1; Size > 0; ++Level) {
    std::uint32_t NextSize = 0;
    ferry::launch<expand>(ferry::blocks((Size + Threads - 1) / Threads).threads(Threads), Start,
                          Neighbour, Frontier, Size, Next, NextSize, Distance, Level);
    std::swap(Frontier, Next);
    Size = NextSize;
  }
  CHECK(Distance == Wanted);
  std::puts("searched"); // CHECK: searched
}
