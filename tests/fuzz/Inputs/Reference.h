//===- Reference.h - A GPU thread is a host thread --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels use of <ferry/ferry.h>, in the plainest way there is, for an
// ordinary compiler: blocks run one after the other, each of their threads in a
// host thread of its own, and a barrier makes host threads wait. A thread that
// returns is no longer waited for. Shared objects are static: only one block
// runs.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_FUZZ_REFERENCE_H
#define FERRY_FUZZ_REFERENCE_H

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace ferry {
namespace reference {

class Barrier {
public:
  void join() { ++Expected; }
  void wait() {
    std::unique_lock Lock(Mutex);
    std::uint64_t Mine = Phase;
    ++Arrived;
    if (!openIfComplete())
      Open.wait(Lock, [&] { return Phase != Mine; });
  }
  void leave() {
    std::unique_lock Lock(Mutex);
    --Expected;
    openIfComplete();
  }

private:
  std::mutex Mutex;
  std::condition_variable Open;
  unsigned Expected = 0, Arrived = 0;
  std::uint64_t Phase = 0;

  bool openIfComplete() {
    if (Arrived < Expected || !Arrived)
      return false;
    Arrived = 0;
    ++Phase;
    Open.notify_all();
    return true;
  }
};

constexpr unsigned Width = 32;

/// What the lanes of a warp gave; nothing for those that take no part.
using Lanes = std::array<std::optional<std::uint64_t>, Width>;

struct Warp {
  Barrier Together;
  Lanes Given;
};

struct Block {
  Barrier Together;
  std::vector<Warp> Warps;
};

struct Index {
  std::uint32_t x, y, z;
};
struct Where {
  Index Thread, BlockIdx, BlockDim, GridDim;
  std::uint32_t Number; // in the block
  Block *Mine;
};
inline thread_local Where Here;
alignas(16) inline unsigned char Dynamic[65536];
inline std::size_t DynamicBytes;

inline Lanes exchange(std::uint64_t Value) {
  Warp &W = Here.Mine->Warps[Here.Number / Width];
  auto &Own = W.Given[Here.Number % Width];
  Own = Value;
  W.Together.wait();
  Lanes All = W.Given;
  W.Together.wait();
  Own.reset();
  return All;
}

template <class T> std::uint64_t word(T Value) {
  std::uint64_t Word = 0;
  std::memcpy(&Word, &Value, sizeof Value);
  return Word;
}
template <class T> T value(std::uint64_t Word) {
  T Value;
  std::memcpy(&Value, &Word, sizeof Value);
  return Value;
}

/// Of lanes First .. First + Count - 1, halves first.
template <class T, class Op>
std::optional<T> reduce(const Lanes &All, Op Combine, unsigned First = 0,
                        unsigned Count = Width) {
  if (Count == 1)
    return All[First] ? std::optional(value<T>(*All[First])) : std::nullopt;
  auto Low = reduce<T>(All, Combine, First, Count / 2);
  auto High = reduce<T>(All, Combine, First + Count / 2, Count / 2);
  return Low && High ? Combine(*Low, *High) : Low ? Low : High;
}

} // namespace reference

inline reference::Index thread_idx() { return reference::Here.Thread; }
inline reference::Index block_idx() { return reference::Here.BlockIdx; }
inline reference::Index block_dim() { return reference::Here.BlockDim; }
inline reference::Index grid_dim() { return reference::Here.GridDim; }
inline std::size_t global_id() {
  auto [T, B, D, G, N, M] = reference::Here;
  std::size_t X = B.x * D.x + T.x, Y = B.y * D.y + T.y, Z = B.z * D.z + T.z;
  return (Z * G.y * D.y + Y) * G.x * D.x + X;
}
inline void sync_threads() { reference::Here.Mine->Together.wait(); }
template <class T, class Tag = decltype([] {})> T &shared() {
  static T Object;
  return Object;
}
template <class T> std::span<T> dynamic_shared() {
  return {reinterpret_cast<T *>(reference::Dynamic),
          reference::DynamicBytes / sizeof(T)};
}

template <class T> T atomic_add(T &X, T V) {
  return __atomic_fetch_add(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_min(T &X, T V) {
  return __atomic_fetch_min(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_max(T &X, T V) {
  return __atomic_fetch_max(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_and(T &X, T V) {
  return __atomic_fetch_and(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_or(T &X, T V) {
  return __atomic_fetch_or(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_xor(T &X, T V) {
  return __atomic_fetch_xor(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_exchange(T &X, T V) {
  return __atomic_exchange_n(&X, V, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_compare_exchange(T &X, T Expected, T V) {
  __atomic_compare_exchange_n(&X, &Expected, V, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return Expected;
}

namespace warp {
inline std::uint32_t size() { return reference::Width; }
inline std::uint32_t lane() {
  return reference::Here.Number % reference::Width;
}
inline std::uint64_t ballot(bool Pred) {
  reference::Lanes All = reference::exchange(Pred);
  std::uint64_t Mask = 0;
  for (unsigned I = 0; I < reference::Width; ++I)
    Mask |= std::uint64_t(All[I] && *All[I]) << I;
  return Mask;
}
inline bool any(bool Pred) { return ballot(Pred) != 0; }
inline bool all(bool Pred) { return ballot(!Pred) == 0; }
template <class T> T shuffle(T Value, std::uint32_t Lane) {
  auto All = reference::exchange(reference::word(Value));
  return reference::value<T>(All[Lane % reference::Width].value());
}
/// Of a lane that may not be there: the own value then.
template <class T> T shuffleOr(T Value, std::int64_t Lane) {
  auto All = reference::exchange(reference::word(Value));
  bool Has = Lane >= 0 && Lane < reference::Width && All[Lane];
  return Has ? reference::value<T>(*All[Lane]) : Value;
}
template <class T> T shuffle_up(T Value, std::uint32_t Delta) {
  return shuffleOr(Value, std::int64_t(lane()) - Delta);
}
template <class T> T shuffle_down(T Value, std::uint32_t Delta) {
  return shuffleOr(Value, std::int64_t(lane()) + Delta);
}
template <class T> T shuffle_xor(T Value, std::uint32_t Mask) {
  return shuffleOr(Value, std::int64_t(lane() ^ Mask));
}
template <class T> T reduce_add(T Value) {
  return *reference::reduce<T>(reference::exchange(reference::word(Value)),
                               [](T X, T Y) { return std::optional(T(X + Y)); });
}
template <class T> T reduce_min(T Value) {
  return *reference::reduce<T>(
      reference::exchange(reference::word(Value)),
      [](T X, T Y) { return std::optional(X < Y ? X : Y); });
}
template <class T> T reduce_max(T Value) {
  return *reference::reduce<T>(
      reference::exchange(reference::word(Value)),
      [](T X, T Y) { return std::optional(X > Y ? X : Y); });
}
template <class T> T exclusive_scan_add(T Value) {
  auto All = reference::exchange(reference::word(Value));
  T Sum = 0;
  for (unsigned I = 0; I < lane(); ++I)
    if (All[I])
      Sum = T(Sum + reference::value<T>(*All[I]));
  return Sum;
}
template <class T> T inclusive_scan_add(T Value) {
  return T(exclusive_scan_add(Value) + Value);
}
} // namespace warp

struct Shape {
  reference::Index Grid{1, 1, 1}, Threads{1, 1, 1};
  std::size_t Bytes = 0;
  Shape threads(std::uint32_t X, std::uint32_t Y = 1, std::uint32_t Z = 1) {
    Threads = {X, Y, Z};
    return *this;
  }
  Shape shared(std::size_t N) {
    Bytes = N;
    return *this;
  }
};
inline Shape blocks(std::uint32_t X, std::uint32_t Y = 1, std::uint32_t Z = 1) {
  return {{X, Y, Z}};
}
/// A block a thread: kernels under over() do nothing together.
inline Shape over(std::uint32_t X, std::uint32_t Y = 1, std::uint32_t Z = 1) {
  return {{X, Y, Z}};
}

template <auto Kernel, class... Ts> void launch(Shape S, Ts &...Arguments) {
  using namespace reference;
  const auto [Gx, Gy, Gz] = S.Grid;
  const auto [Tx, Ty, Tz] = S.Threads;
  const unsigned Count = Tx * Ty * Tz, Blocks = Gx * Gy * Gz;
  DynamicBytes = S.Bytes;
  std::vector<std::unique_ptr<Block>> All;
  for (unsigned B = 0; B < Blocks; ++B) {
    All.push_back(std::make_unique<Block>());
    All[B]->Warps = std::vector<Warp>((Count + Width - 1) / Width);
    for (unsigned T = 0; T < Count; ++T) {
      All[B]->Together.join();
      All[B]->Warps[T / Width].Together.join();
    }
  }
  Barrier Next;
  for (unsigned T = 0; T < Count; ++T)
    Next.join();
  auto Run = [&](unsigned T) {
    for (unsigned B = 0; B < Blocks; ++B) {
      Here = {{T % Tx, T / Tx % Ty, T / Tx / Ty},
              {B % Gx, B / Gx % Gy, B / Gx / Gy},
              S.Threads,
              S.Grid,
              T,
              All[B].get()};
      Kernel(Arguments...);
      All[B]->Warps[T / Width].Together.leave();
      All[B]->Together.leave();
      Next.wait();
    }
  };
  std::vector<std::thread> Others;
  for (unsigned T = 1; T < Count; ++T)
    Others.emplace_back(Run, T);
  Run(0);
  for (std::thread &T : Others)
    T.join();
}

} // namespace ferry

#endif // FERRY_FUZZ_REFERENCE_H
