//===- host.cpp - Host code on memory that a device has, too --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel fills the vectors, which then stay on the device, and all the rest
// is the host's work: Ferry's host code asks before it touches them. With
// -DPLAIN the program has no kernels, and nothing to ask.
//
//===----------------------------------------------------------------------===//

#include "Serve.h"
#include <numeric>
#ifndef PLAIN
#include <ferry/ferry.h>
#endif

static constexpr std::size_t Size = 1 << 20;

static unsigned valueAt(std::size_t I) {
  return static_cast<unsigned>(I) * 2654435761u >> 8;
}

#ifdef PLAIN
[[gnu::noinline]] static void fill(std::vector<unsigned> &V) {
  for (std::size_t I = 0; I < V.size(); ++I)
    V[I] = valueAt(I);
}
#else
static void fillOne(std::span<unsigned> V) {
  std::size_t I = ferry::global_id();
  V[I] = valueAt(I);
}
[[gnu::noinline]] static void fill(std::vector<unsigned> &V) {
  ferry::launch<fillOne>(ferry::over(V.size()), V);
}
#endif

/// The median time of a run, each on what a kernel has left.
template <class F> static double timeFilled(std::vector<unsigned> &V, F &&Run) {
  std::vector<double> Times;
  for (int I = 0; I < Timed; ++I) {
    fill(V);
    Times.push_back(secondsOf(Run));
  }
  return median(Times);
}

/// Loops over arrays, one after the other.
static Answer loops() {
  std::vector<unsigned> V(Size), W(Size), Bins(4096);
  fill(Bins);
  double Seconds = timeFilled(V, [&] {
    for (int Round = 0; Round < 10; ++Round) {
      for (std::size_t I = 1; I + 1 < Size; ++I)
        W[I] = (V[I - 1] + 2 * V[I] + V[I + 1]) / 4;
      for (std::size_t I = 0; I < Size; ++I)
        ++Bins[W[I] % Bins.size()];
      std::partial_sum(Bins.begin(), Bins.end(), Bins.begin());
      for (std::size_t I = 0; I < Size; ++I)
        V[I] ^= Bins[V[I] % Bins.size()];
    }
  });
  return {Seconds, double(V[Size / 3] + Bins.back())};
}

/// Many small functions that get a vector.
[[gnu::noinline]] static void sift(std::vector<unsigned> &Heap, std::size_t I,
                                   std::size_t End) {
  for (std::size_t Child; (Child = 2 * I + 1) < End; I = Child) {
    if (Child + 1 < End && Heap[Child + 1] > Heap[Child])
      ++Child;
    if (Heap[I] >= Heap[Child])
      return;
    std::swap(Heap[I], Heap[Child]);
  }
}
static Answer functions() {
  std::vector<unsigned> V(Size);
  double Seconds = timeFilled(V, [&] {
    for (std::size_t I = Size / 2; I-- > 0;)
      sift(V, I, Size);
    for (std::size_t End = Size; End-- > 1;) {
      std::swap(V[0], V[End]);
      sift(V, 0, End);
    }
  });
  return {Seconds, double(V[Size / 2])};
}

/// The library's, which is functions of functions.
static Answer sorting() {
  std::vector<unsigned> V(Size);
  double Seconds = timeFilled(V, [&] { std::sort(V.begin(), V.end()); });
  return {Seconds, double(V[Size / 2])};
}

/// One element at a time, each asked for.
[[gnu::noinline]] static unsigned element(const std::vector<unsigned> &V,
                                          std::size_t I) {
  return V[I];
}
static Answer elements() {
  constexpr std::size_t Times = 1 << 20;
  std::vector<unsigned> V(Size);
  fill(V);
  unsigned Sum = 0;
  double Seconds = timeOf([&] {
                     for (std::size_t I = 0; I < Times; ++I)
                       Sum += element(V, I % V.size());
                   }) /
                   Times;
  return {Seconds, double(Sum)};
}

int main() {
  return serve({{"loops", loops},
                {"functions", functions},
                {"sorting", sorting},
                {"elements", elements}});
}
