//===- Operations.h - Arithmetic that is defined for every value -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generated kernels compute with, in both builds. Random values
// overflow, divide by zero and leave the range of integers; here all of that has
// one result. NaNs have any sign and payload, so bits() makes them one.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_FUZZ_OPERATIONS_H
#define FERRY_FUZZ_OPERATIONS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

template <class T> constexpr bool IsFloat = std::is_floating_point_v<T>;
template <class T> using Wide = u64;

template <class T> inline T add(T A, T B) {
  if constexpr (IsFloat<T>)
    return A + B;
  else
    return T(u64(A) + u64(B));
}
template <class T> inline T sub(T A, T B) {
  if constexpr (IsFloat<T>)
    return A - B;
  else
    return T(u64(A) - u64(B));
}
template <class T> inline T mul(T A, T B) {
  if constexpr (IsFloat<T>)
    return A * B;
  else
    return T(u64(A) * u64(B));
}
template <class T> inline T quotient(T A, T B) {
  if constexpr (IsFloat<T>)
    return A / B;
  else if constexpr (std::is_signed_v<T>)
    return B == 0 || B == -1 ? T(0) : T(A / B);
  else
    return B == 0 ? T(0) : T(A / B);
}
template <class T> inline T remainder(T A, T B) {
  if constexpr (IsFloat<T>)
    return A - B;
  else if constexpr (std::is_signed_v<T>)
    return B == 0 || B == -1 ? A : T(A % B);
  else
    return B == 0 ? A : T(A % B);
}
template <class T> inline T least(T A, T B) { return A < B ? A : B; }
template <class T> inline T most(T A, T B) { return A > B ? A : B; }
template <class T> inline T both(T A, T B) {
  if constexpr (IsFloat<T>)
    return A < B ? A : -B;
  else
    return T(A & B);
}
template <class T> inline T either(T A, T B) {
  if constexpr (IsFloat<T>)
    return A > B ? -A : B;
  else
    return T(A ^ B);
}
template <class T> inline T left(T A, T B) {
  if constexpr (IsFloat<T>)
    return A * T(0.5) + B;
  else
    return T(u64(A) << (u64(B) % (8 * sizeof(T))));
}
template <class T> inline T right(T A, T B) {
  if constexpr (IsFloat<T>)
    return std::fabs(A) - B;
  else
    return T(A >> (u64(B) % (8 * sizeof(T))));
}
template <class T> inline T inverted(T A) {
  if constexpr (IsFloat<T>)
    return -A;
  else
    return T(~A);
}
template <class T> inline T rooted(T A) {
  if constexpr (IsFloat<T>)
    return std::sqrt(std::fabs(A));
  else
    return T(u64(A) * 2654435761u >> 7);
}

/// Any number as any other type.
template <class To, class From> inline To as(From X) {
  if constexpr (IsFloat<From> && !IsFloat<To>)
    return X > From(-100) && X < From(100) ? To(i32(X)) : To(7);
  else
    return To(X);
}

template <class T> inline u64 bits(T X) {
  if constexpr (std::is_same_v<T, f32>)
    return X == X ? std::bit_cast<u32>(X) : 0x7fc00000u;
  else if constexpr (std::is_same_v<T, f64>)
    return X == X ? std::bit_cast<u64>(X) : 0x7ff8000000000000u;
  else
    return u64(X);
}
inline u64 mix(u64 Hash, u64 X) {
  Hash = (Hash ^ X) * 0x9e3779b97f4a7c15u;
  return Hash ^ Hash >> 29;
}

/// Values to start from: `Small` numbers when they are to be floats.
template <class T> std::vector<T> filled(std::size_t N, u64 Seed) {
  std::vector<T> V(N);
  u64 State = Seed * 0x9e3779b97f4a7c15u + 1;
  for (T &X : V) {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    if constexpr (IsFloat<T>)
      X = T(i64(State >> 40) - 0x800000) / T(0x10000);
    else
      X = T(State >> 11);
  }
  return V;
}

/// A kernel's results, all its buffers, become one line.
class Report {
public:
  Report(u64 Seed, bool Dump) : Dump(Dump) { std::printf("%llu", ull(Seed)); }
  ~Report() {
    std::printf("\n");
    std::fflush(stdout);
  }
  template <class T> void operator()(const char *Name, std::span<const T> V) {
    u64 Hash = 0;
    for (T X : V)
      Hash = mix(Hash, bits(X));
    std::printf(" %s:%016llx", Name, ull(Hash));
    for (std::size_t I = 0; Dump && I < V.size(); ++I)
      std::printf("\n  %s[%zu] = %llx", Name, I, ull(bits(V[I])));
  }

private:
  bool Dump;
  using ull = unsigned long long;
};

struct Case {
  u64 Seed;
  void (*Run)(Report &);
};

/// program [dump] [SEED...]: runs these cases, or all.
inline int runCases(std::span<const Case> Cases, int argc, char **argv) {
  bool Dump = argc > 1 && argv[1][0] == 'd';
  int First = Dump ? 2 : 1;
  for (const Case &C : Cases) {
    bool Wanted = argc <= First;
    for (int I = First; I < argc; ++I)
      Wanted |= std::strtoull(argv[I], nullptr, 10) == C.Seed;
    if (!Wanted)
      continue;
    Report R(C.Seed, Dump);
    C.Run(R);
  }
  return 0;
}

#endif // FERRY_FUZZ_OPERATIONS_H
