//===- ferry/warp.h - What the threads of a warp do together ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp is a run of threads of a block, numbered x first, that can hand each
// other values without shared memory: 32 threads on cpu, virtual and NVIDIA, 64
// or 32 on AMD, as warp::size() says. The last warp of a block may have fewer.
// For kernels launched with blocks(...).threads(...).
//
// Threads of a warp that call a function here at the same time take part in it;
// others, which have returned or went another way, are not waited for.
// ballot(true) says who takes part. All of the functions are right for any set
// of threads, and give the same result to the bit in every run.
//
// Reductions and scans halve the warp: each thread has the result of its part
// of d lanes, and learns that of the neighbouring d lanes from the first (for a
// scan, the last) thread there that takes part. A part where nobody takes part
// has no result to add. Values are always combined in the order of lanes.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_WARP_H
#define FERRY_WARP_H

#include "ferry/detail/order.h"
#include "ferry/markers.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define FERRY_INLINE __attribute__((always_inline, nodebug, convergent)) inline

namespace ferry {
namespace warp {

/// Threads of a whole warp: a power of two, at most 64; 32 on cpu.
[[nodiscard]] FERRY_INLINE std::uint32_t size() noexcept {
  return __ferry_warp_size();
}

/// This thread's number in its warp: its number in the block, x first, modulo
/// size().
[[nodiscard]] FERRY_INLINE std::uint32_t lane() noexcept {
  return __ferry_warp_lane();
}

/// Bit i says that the thread in lane i takes part and that its `pred` is true.
///
/// \code
/// void count(std::span<const int> v, std::span<std::uint32_t> out) {
///   std::uint64_t positive = ferry::warp::ballot(v[ferry::global_id()] > 0);
///   if (ferry::warp::lane() == 0)
///     out[ferry::global_id() / ferry::warp::size()] = std::popcount(positive);
/// }
/// void run(const std::vector<int> &v, std::vector<std::uint32_t> &out) {
///   ferry::launch<count>(ferry::blocks(v.size() / 256).threads(256), v, out);
/// }
/// \endcode
[[nodiscard]] FERRY_INLINE std::uint64_t ballot(bool pred) noexcept {
  return __ferry_warp_ballot(pred);
}

/// Whether `pred` is true for some thread that takes part.
[[nodiscard]] FERRY_INLINE bool any(bool pred) noexcept {
  return __ferry_warp_ballot(pred) != 0;
}

/// Whether `pred` is true for every thread that takes part.
[[nodiscard]] FERRY_INLINE bool all(bool pred) noexcept {
  return __ferry_warp_ballot(!pred) == 0;
}

} // namespace warp

namespace detail {

template <std::size_t... I>
FERRY_INLINE void exchangeWords(std::uint32_t *Word, std::uint32_t Lane,
                                std::index_sequence<I...>) noexcept {
  (..., (Word[I] = __ferry_warp_shuffle(Word[I], Lane)));
}

/// Values of any size, word by word. Padding travels along.
template <class T>
FERRY_INLINE T exchange(const T &Value, std::uint32_t Lane) noexcept {
  constexpr std::size_t Words = (sizeof(T) + 3) / 4;
  std::uint32_t Word[Words] = {};
  __builtin_memcpy(Word, __builtin_addressof(Value), sizeof(T));
  exchangeWords(Word, Lane, std::make_index_sequence<Words>());
  // A copy spares T a default constructor.
  T Result = Value;
  __builtin_memcpy(static_cast<void *>(__builtin_addressof(Result)), Word,
                   sizeof(T));
  return Result;
}

/// The lanes of `Mask` that lie in Base .. Base + Width - 1, as seen from Base.
FERRY_INLINE std::uint64_t lanesFrom(std::uint64_t Mask, std::uint32_t Base,
                                     std::uint32_t Width) noexcept {
  return (Mask >> Base) & ((std::uint64_t(1) << Width) - 1);
}

FERRY_INLINE std::uint32_t lowest(std::uint64_t Mask) noexcept {
  return static_cast<std::uint32_t>(__builtin_ctzll(Mask));
}
FERRY_INLINE std::uint32_t highest(std::uint64_t Mask) noexcept {
  return 63 - static_cast<std::uint32_t>(__builtin_clzll(Mask));
}

template <std::uint32_t Width, class T, class Op>
FERRY_INLINE void reduceStep(T &Value, const Op &Combine,
                             std::uint64_t Mask) noexcept {
  if (Width >= __ferry_warp_size())
    return;
  std::uint32_t Lane = __ferry_warp_lane();
  std::uint32_t Other = (Lane & ~(Width - 1)) ^ Width;
  std::uint64_t There = lanesFrom(Mask, Other, Width);
  T Theirs = exchange(Value, There ? Other + lowest(There) : Lane);
  if (There)
    Value = Lane & Width ? Combine(Theirs, Value) : Combine(Value, Theirs);
}

template <std::uint32_t Width, class T, class Op>
FERRY_INLINE void scanStep(T &Value, const Op &Combine,
                           std::uint64_t Mask) noexcept {
  if (Width >= __ferry_warp_size())
    return;
  std::uint32_t Lane = __ferry_warp_lane();
  std::uint32_t Before = (Lane & ~(Width - 1)) ^ Width;
  std::uint64_t There =
      Lane & Width ? lanesFrom(Mask, Before, Width) : std::uint64_t(0);
  T Theirs = exchange(Value, There ? Before + highest(There) : Lane);
  if (There)
    Value = Combine(Theirs, Value);
}

/// Combines the values of the lanes in `Mask`; the others' count for nothing.
template <class T, class Op>
FERRY_INLINE T warpReduce(T Value, const Op &Combine,
                          std::uint64_t Mask) noexcept {
  if (!(Mask >> __ferry_warp_lane() & 1))
    Mask = 0;
  reduceStep<1>(Value, Combine, Mask);
  reduceStep<2>(Value, Combine, Mask);
  reduceStep<4>(Value, Combine, Mask);
  reduceStep<8>(Value, Combine, Mask);
  reduceStep<16>(Value, Combine, Mask);
  reduceStep<32>(Value, Combine, Mask);
  return Value;
}

/// Combines the values of this lane and those before it in `Mask`; outside of
/// it nothing is combined.
template <class T, class Op>
FERRY_INLINE T warpScan(T Value, const Op &Combine,
                        std::uint64_t Mask) noexcept {
  if (!(Mask >> __ferry_warp_lane() & 1))
    Mask = 0;
  scanStep<1>(Value, Combine, Mask);
  scanStep<2>(Value, Combine, Mask);
  scanStep<4>(Value, Combine, Mask);
  scanStep<8>(Value, Combine, Mask);
  scanStep<16>(Value, Combine, Mask);
  scanStep<32>(Value, Combine, Mask);
  return Value;
}

/// The lanes of `Mask` before this one.
FERRY_INLINE std::uint64_t lanesBefore(std::uint64_t Mask) noexcept {
  return Mask & ((std::uint64_t(1) << __ferry_warp_lane()) - 1);
}

template <class T> consteval void requireExchangeable() {
  static_assert(std::is_trivially_copyable_v<T>,
                "ferry: warp functions hand values on by their bytes; the type "
                "must be trivially copyable");
  static_assert(sizeof(T) <= 32, "ferry: warp functions hand on values of 32 "
                                 "bytes at most; use shared memory");
}
template <class T> consteval void requireArithmetic() {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                    sizeof(T) <= 8,
                "ferry: this warp function is for numbers of at most 8 bytes");
}

} // namespace detail

namespace warp {

/// The value that the thread in lane `lane` % size() gives. Unspecified when
/// that thread takes no part. T is trivially copyable and of 32 bytes at most;
/// each started four bytes cost one exchange.
///
/// \code
/// void firstOfWarp(std::span<float> v) {
///   float &x = v[ferry::global_id()];
///   x = ferry::warp::shuffle(x, 0);
/// }
/// void run(std::vector<float> &v) {
///   ferry::launch<firstOfWarp>(ferry::blocks(v.size() / 128).threads(128), v);
/// }
/// \endcode
template <class T>
[[nodiscard]] FERRY_INLINE T shuffle(T value, std::uint32_t lane) noexcept {
  detail::requireExchangeable<T>();
  return detail::exchange(value, lane);
}

/// The value of the thread `delta` lanes below; the own one where there is none
/// or it takes no part.
template <class T>
[[nodiscard]] FERRY_INLINE T shuffle_up(T value, std::uint32_t delta) noexcept {
  detail::requireExchangeable<T>();
  std::uint32_t Lane = __ferry_warp_lane();
  std::uint64_t Mask = __ferry_warp_ballot(1);
  bool Has = delta <= Lane && (Mask >> (Lane - delta) & 1);
  return detail::exchange(value, Has ? Lane - delta : Lane);
}

/// The value of the thread `delta` lanes above; the own one where there is none
/// or it takes no part.
///
/// \code
/// void differences(std::span<const float> v, std::span<float> d) {
///   float x = v[ferry::global_id()];
///   d[ferry::global_id()] = ferry::warp::shuffle_down(x, 1) - x;
/// }
/// void run(const std::vector<float> &v, std::vector<float> &d) {
///   ferry::launch<differences>(ferry::blocks(v.size() / 32).threads(32), v,
///   d);
/// }
/// \endcode
template <class T>
[[nodiscard]] FERRY_INLINE T shuffle_down(T value,
                                          std::uint32_t delta) noexcept {
  detail::requireExchangeable<T>();
  std::uint32_t Lane = __ferry_warp_lane();
  std::uint64_t Mask = __ferry_warp_ballot(1);
  bool Has = delta < 64 - Lane && (Mask >> (Lane + delta) & 1);
  return detail::exchange(value, Has ? Lane + delta : Lane);
}

/// The value of the thread in lane lane() ^ mask; the own one where there is
/// none or it takes no part.
template <class T>
[[nodiscard]] FERRY_INLINE T shuffle_xor(T value, std::uint32_t mask) noexcept {
  detail::requireExchangeable<T>();
  std::uint32_t Lane = __ferry_warp_lane(), Other = Lane ^ mask;
  std::uint64_t Mask = __ferry_warp_ballot(1);
  bool Has = Other < 64 && (Mask >> Other & 1);
  return detail::exchange(value, Has ? Other : Lane);
}

/// The sum over the threads that take part; every one of them gets it, the same
/// to the bit. For numbers of at most 8 bytes.
///
/// \code
/// void norms(std::span<const float> rows, std::span<float> sums) {
///   float x = rows[ferry::global_id()];
///   float sum = ferry::warp::reduce_add(x * x);
///   if (ferry::warp::lane() == 0)
///     sums[ferry::global_id() / ferry::warp::size()] = sum;
/// }
/// void run(const std::vector<float> &rows, std::vector<float> &sums) {
///   ferry::launch<norms>(ferry::blocks(rows.size() / 256).threads(256), rows,
///                        sums);
/// }
/// \endcode
template <class T> [[nodiscard]] FERRY_INLINE T reduce_add(T value) noexcept {
  detail::requireArithmetic<T>();
  return detail::warpReduce(
      value, [](T X, T Y) { return static_cast<T>(X + Y); },
      __ferry_warp_ballot(1));
}

/// The smallest value, as atomic_min orders them, on every thread that takes
/// part.
template <class T> [[nodiscard]] FERRY_INLINE T reduce_min(T value) noexcept {
  detail::requireArithmetic<T>();
  return detail::warpReduce(
      value, [](T X, T Y) { return detail::smaller(X, Y); },
      __ferry_warp_ballot(1));
}

/// The largest value, as atomic_max orders them, on every thread that takes
/// part.
template <class T> [[nodiscard]] FERRY_INLINE T reduce_max(T value) noexcept {
  detail::requireArithmetic<T>();
  return detail::warpReduce(
      value, [](T X, T Y) { return detail::larger(X, Y); },
      __ferry_warp_ballot(1));
}

/// The sum over the threads that take part up to this one, itself included.
template <class T>
[[nodiscard]] FERRY_INLINE T inclusive_scan_add(T value) noexcept {
  detail::requireArithmetic<T>();
  return detail::warpScan(
      value, [](T X, T Y) { return static_cast<T>(X + Y); },
      __ferry_warp_ballot(1));
}

/// The sum over the threads that take part before this one; 0 for the first.
///
/// \code
/// void positions(std::span<const int> wanted, std::span<int> at) {
///   std::size_t i = ferry::global_id();
///   at[i] = ferry::warp::exclusive_scan_add(wanted[i]);
/// }
/// void run(const std::vector<int> &wanted, std::vector<int> &at) {
///   ferry::launch<positions>(ferry::blocks(1).threads(32), wanted, at);
/// }
/// \endcode
template <class T>
[[nodiscard]] FERRY_INLINE T exclusive_scan_add(T value) noexcept {
  detail::requireArithmetic<T>();
  std::uint64_t Mask = __ferry_warp_ballot(1);
  T Sum = detail::warpScan(
      value, [](T X, T Y) { return static_cast<T>(X + Y); }, Mask);
  std::uint64_t Before = detail::lanesBefore(Mask);
  T Previous = detail::exchange(Sum, Before ? detail::highest(Before)
                                            : __ferry_warp_lane());
  return Before ? Previous : T(0);
}

} // namespace warp
} // namespace ferry

#undef FERRY_INLINE

#endif // FERRY_WARP_H
