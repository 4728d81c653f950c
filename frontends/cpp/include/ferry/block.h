//===- ferry/block.h - What the threads of a block do together --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions and scans over the threads of a block, numbered x first, whatever
// its shape. For kernels launched with blocks(...).threads(...); every thread
// of the block calls them together, as it does sync_threads(), which they
// contain. So they may follow each other without a barrier between.
//
// Each warp combines its values by exchange (ferry/warp.h), its result goes to
// shared memory, 32 values for the whole block, and every thread combines what
// it needs of these. An exchange moves four bytes, so values of more than 32
// bytes go through shared memory instead, 32 threads at a time, and one thread
// combines them. Values are always combined in the order of threads, with
// the same grouping in every run: an operator must be associative, it need not
// be commutative, and for floats the result is the same to the bit on the same
// device with the same block.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BLOCK_H
#define FERRY_BLOCK_H

#include "ferry/sync.h"
#include "ferry/warp.h"

#define FERRY_INLINE __attribute__((always_inline, nodebug, convergent)) inline

namespace ferry {
namespace detail {

/// Where a thread stands in its block, all dimensions in a row.
struct BlockPlace {
  std::uint32_t Thread, Threads;
};

FERRY_INLINE BlockPlace blockPlace() noexcept {
  std::uint32_t NX = __ferry_block_dim(0), NY = __ferry_block_dim(1);
  return {(__ferry_thread_idx(2) * NY + __ferry_thread_idx(1)) * NX +
              __ferry_thread_idx(0),
          NX * NY * __ferry_block_dim(2)};
}

/// No block has more warps: 1,024 threads, of which a warp takes 32 or more.
inline constexpr std::uint32_t MostWarps = 32;

/// Shared by all calls for values of one size: between two of them all threads
/// wait.
template <std::size_t Bytes>
[[gnu::section("ferry.device")]] inline char BlockSite = 0;

template <class T> FERRY_INLINE T *warpResults() noexcept {
  constexpr std::size_t Room = (MostWarps * sizeof(T) + 15) / 16 * 16;
  constexpr std::size_t Alignment = alignof(T) > 16 ? alignof(T) : 16;
  return static_cast<T *>(
      __ferry_shared(&BlockSite<Room>, nullptr, Room, Alignment));
}

/// The lanes of this thread's warp whose threads are among the first `Count` of
/// the block.
FERRY_INLINE std::uint64_t lanesAmong(std::uint32_t Thread,
                                      std::uint32_t Count) noexcept {
  std::uint32_t First = Thread - __ferry_warp_lane();
  std::uint32_t Left = Count > First ? Count - First : 0;
  return Left >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << Left) - 1;
}

/// What blockScan finds for a thread.
template <class T> struct Scanned {
  T Before;   ///< all threads before this one; nothing for the first
  T UpToThis; ///< and this one
};

/// Values of which a block's shared memory doesn't hold 32.
template <class T> inline constexpr bool IsLargest = sizeof(T) > 512;

/// Values that go through shared memory.
template <class T> inline constexpr bool IsLarge = sizeof(T) > 32;

/// The large values of the first `Count` threads, at least one, from one thread
/// to the next. Threads behind these get nothing but `Total`, the whole.
template <class T, class Op>
FERRY_INLINE Scanned<T> largeScan(T Value, const Op &Combine, BlockPlace At,
                                  std::uint32_t Count, T &Total) noexcept {
  T *Slots = warpResults<T>();
  T Sofar = Value, Before = Value;
  for (std::uint32_t First = 0; First < Count; First += MostWarps) {
    bool IsMine = At.Thread - First < MostWarps && At.Thread < Count;
    if (IsMine)
      Slots[At.Thread - First] = Value;
    sync_threads();
    if (At.Thread == 0)
      for (std::uint32_t I = 0; I < MostWarps && First + I < Count; ++I) {
        Sofar = First + I ? Combine(Sofar, Slots[I]) : Slots[I];
        Slots[I] = Sofar;
      }
    sync_threads();
    if (IsMine)
      Value = Slots[At.Thread - First];
    if (At.Thread - First - 1 < MostWarps)
      Before = Slots[At.Thread - First - 1];
    Total = Slots[(Count - 1) % MostWarps];
    sync_threads();
  }
  return {Before, Value};
}

/// Combines the values of the first `Count` threads, at least one, and looks at
/// no others. Every thread gets the result.
template <class T, class Op>
FERRY_INLINE T blockReduce(T Value, const Op &Combine, BlockPlace At,
                           std::uint32_t Count) noexcept {
  if constexpr (IsLarge<T>) {
    T Total = Value;
    (void)largeScan(Value, Combine, At, Count, Total);
    return Total;
  } else {
    std::uint32_t Size = __ferry_warp_size();
    T *Results = warpResults<T>();
    T Mine = warpReduce(Value, Combine, lanesAmong(At.Thread, Count));
    if (__ferry_warp_lane() == 0)
      Results[At.Thread / Size] = Mine;
    sync_threads();
    T Total = Results[0];
    for (std::uint32_t I = 1, E = (Count + Size - 1) / Size; I < E; ++I)
      Total = Combine(Total, Results[I]);
    sync_threads();
    return Total;
  }
}

/// Of the first `Count` threads, as blockReduce. The others get nothing.
template <class T, class Op>
FERRY_INLINE Scanned<T> blockScan(T Value, const Op &Combine, BlockPlace At,
                                  std::uint32_t Count) noexcept {
  if constexpr (IsLarge<T>) {
    T Total = Value;
    return largeScan(Value, Combine, At, Count, Total);
  } else {
    std::uint32_t Size = __ferry_warp_size(), Lane = __ferry_warp_lane();
    std::uint32_t Warp = At.Thread / Size;
    std::uint64_t Mask = lanesAmong(At.Thread, Count);
    T *Results = warpResults<T>();
    T UpToThis = warpScan(Value, Combine, Mask);
    T Before = exchange(UpToThis, Lane ? Lane - 1 : 0);
    if (Lane == Size - 1)
      Results[Warp] = UpToThis;
    sync_threads();
    if (Warp && At.Thread < Count) {
      T Earlier = Results[0];
      for (std::uint32_t I = 1; I < Warp; ++I)
        Earlier = Combine(Earlier, Results[I]);
      Before = Lane ? static_cast<T>(Combine(Earlier, Before)) : Earlier;
      UpToThis = Combine(Earlier, UpToThis);
    }
    sync_threads();
    return {Before, UpToThis};
  }
}

template <class T, class Op> consteval bool requireCombinable() {
  constexpr bool IsCopied =
      std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>;
  constexpr bool IsOperator = std::is_invocable_r_v<T, const Op &, T, T>;
  static_assert(IsCopied, "ferry: block functions hand values on by their "
                          "bytes; the type must be trivially copyable");
  static_assert(IsOperator, "ferry: the operator of a block function takes two "
                            "values and returns one of the same type");
  return IsCopied && IsOperator;
}

} // namespace detail

namespace block {

/// op over the values of all threads of the block; every thread gets the
/// result. T is trivially copyable and op(T, T) -> T associative.
///
/// Cost: on a GPU log2(warp::size()) exchanges for each started four bytes of
/// T and two barriers; for a T of more than 32 bytes three barriers for every
/// 32 threads, and one thread does the work. Shared memory for 32 T, which all
/// calls for types of the same size have in common.
///
/// \code
/// void maxima(std::span<const float> v, std::span<float> out) {
///   float most = ferry::block::reduce(
///       v[ferry::global_id()], [](float a, float b) { return a < b ? b : a;
///       });
///   if (ferry::thread_idx().x == 0)
///     out[ferry::block_idx().x] = most;
/// }
/// void run(const std::vector<float> &v, std::vector<float> &out) {
///   ferry::launch<maxima>(ferry::blocks(out.size()).threads(256), v, out);
/// }
/// \endcode
template <class T, class Op>
[[nodiscard]] FERRY_INLINE T reduce(T value, Op op) noexcept {
  if constexpr (detail::requireCombinable<T, Op>()) {
    detail::BlockPlace At = detail::blockPlace();
    return detail::blockReduce(value, op, At, At.Threads);
  } else
    __builtin_unreachable();
}

/// op over the values of this thread and of those before it. T and op as for
/// reduce.
///
/// \code
/// void sums(std::span<int> v) {
///   int &x = v[ferry::global_id()];
///   x = ferry::block::inclusive_scan(x, std::plus<>());
/// }
/// void run(std::vector<int> &v) {
///   ferry::launch<sums>(ferry::blocks(v.size() / 512).threads(512), v);
/// }
/// \endcode
template <class T, class Op>
[[nodiscard]] FERRY_INLINE T inclusive_scan(T value, Op op) noexcept {
  if constexpr (detail::requireCombinable<T, Op>()) {
    detail::BlockPlace At = detail::blockPlace();
    return detail::blockScan(value, op, At, At.Threads).UpToThis;
  } else
    __builtin_unreachable();
}

/// op over `init` and the values of the threads before this one; `init` for the
/// first. T and op as for reduce.
///
/// \code
/// void compact(std::span<const int> v, std::span<int> kept) {
///   int x = v[ferry::global_id()];
///   unsigned at = ferry::block::exclusive_scan(x > 0 ? 1u : 0u, 0u,
///                                              std::plus<>());
///   if (x > 0)
///     kept[at] = x;
/// }
/// void run(const std::vector<int> &v, std::vector<int> &kept) {
///   ferry::launch<compact>(ferry::blocks(1).threads(v.size()), v, kept);
/// }
/// \endcode
template <class T, class Op>
[[nodiscard]] FERRY_INLINE T exclusive_scan(T value,
                                            std::type_identity_t<T> init,
                                            Op op) noexcept {
  if constexpr (detail::requireCombinable<T, Op>()) {
    detail::BlockPlace At = detail::blockPlace();
    T Before = detail::blockScan(value, op, At, At.Threads).Before;
    return At.Thread ? static_cast<T>(op(init, Before)) : init;
  } else
    __builtin_unreachable();
}

} // namespace block
} // namespace ferry

#undef FERRY_INLINE

#endif // FERRY_BLOCK_H
