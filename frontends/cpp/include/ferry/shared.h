//===- ferry/shared.h - Memory that a block shares --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of shared() names one object wherever the compiler copies the call to.
// Its identity has two halves. The call in the source: a lambda in a default
// template argument is a new type wherever the default is used. The function
// that it stands in, as in a template a call that depends on no parameter has
// the same type in every instance: a default argument is evaluated there.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SHARED_H
#define FERRY_SHARED_H

#include "ferry/markers.h"

#include <atomic>
#include <cstddef>
#include <span>
#include <type_traits>

#define FERRY_INLINE __attribute__((always_inline, nodebug)) inline

namespace ferry {
namespace detail {

/// Nothing but its address is used. Not const: constants may share an address.
/// The section is told the plugin, which else would copy the variable.
template <class Tag>
[[gnu::section("ferry.device")]] inline char SharedSite = 0;

template <class T> inline constexpr bool IsAtomicObject = false;
template <class T> inline constexpr bool IsAtomicObject<std::atomic<T>> = true;

/// What may lie in memory that nobody constructs or copies.
template <class T>
inline constexpr bool CanBeShared =
    (std::is_trivially_copyable_v<T> &&
     std::is_trivially_default_constructible_v<T>) ||
    IsAtomicObject<T>;

} // namespace detail

/// An object that the threads of a block share, one in each block: shared<T>()
/// is a T &, so shared<float[64]>() is a float (&)[64]. Each call in the source
/// names an object of its own, in each instance of the template that it stands
/// in, and the same one however often it runs. For kernels launched with
/// blocks(...).threads(...).
///
/// T is any trivially copyable, trivially default constructible type: numbers,
/// structs, and arrays of them in any number of dimensions, or std::atomic. It
/// starts with unspecified bytes in every block, no constructor runs, and
/// threads see each other's writes after sync_threads().
///
/// A launch whose objects together, with the dynamic shared memory, are more
/// than the device has (64 KB on cpu and virtual, 48 KB or more on GPUs) fails
/// with errc::invalid_shape; the message names both sizes.
///
/// \code
/// void transpose(std::span<const float> a, std::span<float> b, std::size_t n)
/// {
///   auto &tile = ferry::shared<float[16][17]>(); // 17: no bank conflicts
///   auto [tx, ty, tz] = ferry::thread_idx();
///   auto [bx, by, bz] = ferry::block_idx();
///   tile[ty][tx] = a[(by * 16 + ty) * n + bx * 16 + tx];
///   ferry::sync_threads();
///   b[(bx * 16 + ty) * n + by * 16 + tx] = tile[tx][ty];
/// }
/// void run(const std::vector<float> &a, std::vector<float> &b,
///          std::size_t n) { // a multiple of 16
///   ferry::launch<transpose>(ferry::blocks(n / 16, n / 16).threads(16, 16), a,
///                            b, n);
/// }
/// \endcode
template <class T, class Tag = decltype([] {})>
[[nodiscard]] FERRY_INLINE T &
shared(const void *Instance = __ferry_instance()) noexcept {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>,
                "ferry: shared<T>() needs the type of an object that can be "
                "written, such as float[64]");
  static_assert(detail::CanBeShared<std::remove_all_extents_t<T>>,
                "ferry: shared<T>() gives memory that no constructor runs on; "
                "T must be trivially copyable and trivially default "
                "constructible");
  return *static_cast<T *>(__ferry_shared(&detail::SharedSite<Tag>, Instance,
                                          sizeof(T), alignof(T)));
}

/// The dynamic shared memory of the block, as many T as fit into the bytes that
/// .shared(bytes) gave the launch; none without it. It lies after the objects
/// of shared(). Every call gives the same memory, whatever its T. The same
/// rules as for shared() hold for T, whose alignment is 16 at most.
///
/// \code
/// void smooth(std::span<float> v) {
///   std::span<float> tile = ferry::dynamic_shared<float>();
///   unsigned t = ferry::thread_idx().x, n = ferry::block_dim().x;
///   tile[t] = v[ferry::global_id()];
///   ferry::sync_threads();
///   v[ferry::global_id()] = (tile[t] + tile[(t + 1) % n]) / 2;
/// }
/// void run(std::vector<float> &v, unsigned n) {
///   ferry::launch<smooth>(
///       ferry::blocks(v.size() / n).threads(n).shared(n * sizeof(float)), v);
/// }
/// \endcode
template <class T>
[[nodiscard]] FERRY_INLINE std::span<T> dynamic_shared() noexcept {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>,
                "ferry: dynamic_shared<T>() needs the type of an object that "
                "can be written, such as float");
  static_assert(detail::CanBeShared<std::remove_all_extents_t<T>>,
                "ferry: dynamic_shared<T>() gives memory that no constructor "
                "runs on; T must be trivially copyable and trivially default "
                "constructible");
  static_assert(alignof(T) <= 16, "ferry: dynamic_shared<T>() is aligned to 16 "
                                  "bytes, and T needs more");
  return {static_cast<T *>(__ferry_dynamic_shared()),
          __ferry_dynamic_shared_bytes() / sizeof(T)};
}

} // namespace ferry

#undef FERRY_INLINE

#endif // FERRY_SHARED_H
