// Functions that call themselves and one another launch, read and write at every depth.
// RUN: %run-everywhere --output %t --ways=-O0,-O2,-O3 %s %S/Inputs/elsewhere.cpp
#include "Inputs/kept.h"
#include <algorithm>

// Reads after the inner call has launched.
static long down(std::vector<int> &V, int Depth) {
  if (Depth == 0)
    return 0;
  ferry::launch<add>(Whole, V, 1);
  V[Depth] = 0;
  long Inner = down(V, Depth - 1);
  return Inner + V[Depth] + V[0];
}

static void even(std::vector<int> &V, int Depth);
static void odd(std::vector<int> &V, int Depth) {
  V[Depth] += 100;
  if (Depth)
    even(V, Depth - 1);
}
static void even(std::vector<int> &V, int Depth) {
  ferry::launch<add>(Whole, V, 1);
  if (Depth)
    odd(V, Depth - 1);
  CHECK(V[Depth] > 0);
}

// Leaves are sorted by one thread on the device, and merged on the host.
static void sortLeaf(std::span<int> V) {
  for (std::size_t I = 1; I < V.size(); ++I)
    for (std::size_t J = I; J > 0 && V[J - 1] > V[J]; --J) {
      int T = V[J];
      V[J] = V[J - 1];
      V[J - 1] = T;
    }
}
static void mergeSort(std::span<int> V) {
  if (V.size() <= 64) {
    ferry::launch<sortLeaf>(ferry::over(1), V);
    return;
  }
  std::size_t Half = V.size() / 2;
  mergeSort(V.first(Half));
  mergeSort(V.subspan(Half));
  std::vector<int> Merged(V.size());
  std::merge(V.begin(), V.begin() + Half, V.begin() + Half, V.end(), Merged.begin());
  std::copy(Merged.begin(), Merged.end(), V.begin());
}

// A buffer at each depth, all of them alive.
static long nested(const std::vector<int> &Outer, int Depth) {
  if (Depth == 0)
    return hostTotal(Outer);
  std::vector<int> Mine(N);
  ferry::launch<copy>(Whole, Outer, Mine);
  ferry::launch<add>(Whole, Mine, Depth);
  long Inner = nested(Mine, Depth - 1);
  return Inner + Mine[1] - hostTotal(Outer);
}

// Comes back to this file through another one.
struct Job {
  int *Data;
  int Depth;
};
static void job(void *P) {
  Job J = *static_cast<Job *>(P);
  ferry::launch<add>(Whole, std::span(J.Data, N), 1);
  if (J.Depth) {
    Job Next{J.Data, J.Depth - 1};
    call(job, &Next);
    J.Data[J.Depth] += 1;
  }
}

int main() {
  std::vector<int> V(N);
  // The host zeroes V[D] at depth D after its launch; D - 1 more follow.
  CHECK(down(V, 10) == 45 + 10 * 10);
  CHECK(hostTotal(V) == 10 * N - 55);
  V.assign(N, 0);
  even(V, 9);
  CHECK(V[8] == 105 && V[0] == 105 && V[999] == 5 && V[9] == 5);
  for (int I = 0; I < N; ++I)
    V[I] = I * 7919 % 1009;
  mergeSort(V);
  CHECK(std::is_sorted(V.begin(), V.end()));
  long A = deviceTotal(V), B = 0;
  for (int I = 0; I < N; ++I)
    B += I * 7919 % 1009;
  CHECK(A == B);
  std::vector<int> Zero(N, 1);
  // Depth 3: the innermost sees 1 + 3 + 2 + 1, the others' own elements and outers.
  CHECK(nested(Zero, 3) == 7 * N + (7 - 6 * N) + (6 - 4 * N) + (4 - N));
  Job J{Zero.data(), 5};
  job(&J);
  CHECK(Zero[0] == 7 && Zero[5] == 8 && hostTotal(Zero) == 7 * N + 5);
}
