// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random host programs share: kernels, each with a way of its own of
// touching its buffers, functions of another translation unit (Elsewhere.cpp),
// and the notes that a program takes of what it sees. Arithmetic is unsigned
// and wraps.
#ifndef COHERENCE_H
#define COHERENCE_H
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ferry/ferry.h>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

using u32 = std::uint32_t;
using Size = std::size_t;
using Vector = std::vector<u32>;
using In = std::span<const u32>;
using Out = std::span<u32>;

// -- Kernels of as many threads as there are elements, none on another's
// element --

inline u32 here() { return static_cast<u32>(ferry::global_id()); }

inline void fill(Out Y, u32 A) { Y[here()] = A * here() + 1; }
inline void backwards(Out Y, u32 A) { Y[Y.size() - 1 - here()] = A + here(); }
inline void add(Out Y, u32 A) { Y[here()] += A; }
inline void scale(Out Y, u32 A) { Y[here()] = Y[here()] * 3 + A; }
inline void every(Out Y, u32 A) {
  if (here() % (A % 4 + 2) == 0)
    Y[here()] = A;
}
inline void lower(Out Y, u32 A) {
  if (Y[here()] % 16 < A % 16)
    Y[here()] ^= A;
}
inline void maybe(Out Y, u32 A) {
  if (A % 2)
    Y[here()] = A;
}
inline void few(Out Y, u32 A) {
  if (here() < A % 8)
    Y[here()] = A;
}
/// Elements 3, 4 … only, and none of a short buffer.
inline void later(Out Y, u32 A) {
  if (here() >= 3)
    Y[here()] = A;
}

inline void copy(In X, Out Y, u32) { Y[here()] = X[here()]; }
inline void axpy(In X, Out Y, u32 A) { Y[here()] += A * X[here()]; }
inline void where(In X, Out Y, u32 A) {
  if (X[here()] % 8 < A % 8)
    Y[here()] = X[here()] + A;
}
inline void blur(In X, Out Y, u32 A) {
  u32 I = here(), N = static_cast<u32>(X.size());
  Y[I] = X[I == 0 ? 0 : I - 1] + A * X[I] + X[I + 1 == N ? I : I + 1];
}
inline void inner(In X, Out Y, u32 A) {
  u32 I = here();
  if (I > 0 && I + 1 < X.size())
    Y[I] = X[I - 1] + X[I + 1] + A;
}
inline void gather(In X, Out Y, u32 A) {
  Y[here()] = X[(here() * 7 + A) % X.size()];
}
inline void count(In X, Out Y, u32 A) {
  ferry::atomic_add(Y[(X[here()] + A) % Y.size()], 1u);
}

// -- Kernels of one thread, whose buffers may overlap
// --------------------------

inline void sum(In X, u32 &Result) {
  u32 S = 0;
  for (u32 V : X)
    S = S * 31 + V;
  Result = S;
}
inline void addSum(In X, u32 &Result) {
  for (u32 V : X)
    Result += V;
}
inline void shift(In X, Out Y, u32 A) {
  for (Size I = 0; I < X.size() && I < Y.size(); ++I)
    Y[I] = X[I] + A;
}
inline void firstOf(In X, Out Y, u32 A) { Y[A % Y.size()] = X[0]; }
inline void untilOdd(In X, Out Y, u32 A) {
  for (Size I = 0; I < X.size() && I < Y.size() && X[I] % 2 == 0; ++I)
    Y[I] = A;
}
/// Fails, having written nothing, where an element is divisible by A % 64 + 2.
inline void check(In X, u32 A) {
  for (u32 V : X)
    if (V % (A % 64 + 2) == 0)
      __builtin_trap();
}

// -- Host ---------------------------------------------------------------------

/// A part of a buffer, never empty.
inline Out cut(u32 *P, Size N, u32 A, u32 B) {
  Size Low = A % N;
  return {P + Low, B % (N - Low) + 1};
}
inline u32 mix(u32 H, u32 V) { return (H ^ V) * 2654435761u + (H >> 15); }
inline u32 hashOf(const u32 *P, Size N) {
  u32 H = 1;
  for (Size I = 0; I < N; ++I)
    H = mix(H, P[I]);
  return H;
}
[[gnu::noinline]] inline u32 hashOfVector(const Vector &V) {
  return hashOf(V.data(), V.size());
}
[[gnu::noinline]] inline u32 *same(u32 *P) { return P; }
[[gnu::noinline]] inline u32 &element(Vector &V, u32 I) {
  return V[I % V.size()];
}
[[gnu::noinline]] inline Vector made(u32 N, u32 A) {
  Vector V(N);
  ferry::launch<fill>(ferry::over(N), V, A);
  return V;
}
[[gnu::noinline]] inline Vector through(Vector V, u32 A) {
  ferry::launch<add>(ferry::over(V.size()), V, A);
  return V;
}
template <typename T> [[gnu::noinline]] T &itself(T &Object) { return Object; }
struct Holder {
  u32 *P;
  Size N;
};
[[gnu::noinline]] inline u32 look(const Holder &H, u32 I) {
  return H.P[I % H.N];
}
[[gnu::noinline]] inline void change(const Holder &H, u32 I, u32 A) {
  H.P[I % H.N] += A;
}

// -- Elsewhere.cpp
// --------------------------------------------------------------

u32 hashElsewhere(const u32 *P, Size N);
void writeElsewhere(u32 *P, Size N, u32 A);
u32 hashVectorElsewhere(const Vector &V);
/// Remembers a buffer in a slot until it is forgotten.
void keep(u32 Slot, u32 *P, Size N);
u32 lookKept(u32 Slot, u32 I);
void changeKept(u32 Slot, u32 I, u32 A);
void forget(u32 Slot);
/// Does nothing, and might do anything.
void nothing();
/// Its argument.
u32 number(u32 N);
/// Throws a u32 if its argument is odd.
void throwIfOdd(u32 What);

// -- Notes
// ------------------------------------------------------------------------

/// Takes note of a value; the place says where in the source.
void note(u32 Place, u32 Value);
/// The seeds of a program are functions of this kind.
struct Seed {
  unsigned Number;
  void (*Run)();
};
int runSeeds(std::span<const Seed> Seeds, int Count, char **Arguments);
#endif
