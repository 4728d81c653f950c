//===- ferry/atomic.h - Atomic operations -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For kernels. Each function changes one object in global or shared memory as
// if no other thread ran meanwhile, and returns its old value:
//
//   integers of 1, 2, 4 and 8 bytes   all of them
//   float, double                     add, sub, min, max, exchange,
//                                     compare_exchange, load, store
//
// The memory order is relaxed unless another is given: enough for counters,
// sums and extremes, whose results are read after the kernel or after
// sync_threads(). std::atomic_ref and std::atomic work in kernels too, with
// every memory order; theirs is seq_cst, which costs a GPU more.
//
// An order of additions is not defined, so a sum of floats may differ from run
// to run in its last bits; parallel_reduce and ferry/block.h have a fixed one.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ATOMIC_H
#define FERRY_ATOMIC_H

#include "ferry/detail/order.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define FERRY_INLINE __attribute__((always_inline, nodebug)) inline

namespace ferry {
namespace detail {

template <class T>
inline constexpr bool IsAtomicInteger =
    std::is_integral_v<T> && !std::is_const_v<T> && !std::is_same_v<T, bool> &&
    sizeof(T) <= 8;

template <class T>
inline constexpr bool IsAtomicFloat =
    std::is_same_v<T, float> || std::is_same_v<T, double>;

/// What can be replaced as a whole.
template <class T>
inline constexpr bool IsAtomicWord =
    IsAtomicInteger<T> || IsAtomicFloat<T> || std::is_same_v<T, bool> ||
    (std::is_enum_v<T> && !std::is_const_v<T>);

/// Keeps a parameter from taking part in deduction: atomic_add(x, 1) of a float
/// adds 1.f.
template <class T> using Same = std::type_identity_t<std::remove_volatile_t<T>>;

/// Each of these says what is wrong; what would need a right type is then left
/// out, so that it stays the only error.
template <class T> consteval bool requireNumber() {
  constexpr bool Fits = IsAtomicInteger<T> || IsAtomicFloat<T>;
  static_assert(Fits, "ferry: this atomic operation is for variable integers "
                      "of at most 8 bytes, float and double");
  return Fits;
}
template <class T> consteval bool requireInteger() {
  constexpr bool Fits = IsAtomicInteger<T>;
  static_assert(Fits, "ferry: this atomic operation is for variable integers "
                      "of at most 8 bytes");
  return Fits;
}
template <class T> consteval bool requireWord() {
  constexpr bool Fits = IsAtomicWord<T>;
  static_assert(Fits, "ferry: this atomic operation is for variable integers "
                      "of at most 8 bytes, float, double, bool and "
                      "enumerations");
  return Fits;
}

template <class T> FERRY_INLINE bool sameBits(const T &X, const T &Y) noexcept {
  return __builtin_memcmp(&X, &Y, sizeof(T)) == 0;
}

/// compare_exchange with the strongest order that a failure may have.
template <class T, class U = std::remove_volatile_t<T>>
FERRY_INLINE U compareExchange(T &Object, U Expected, U Desired,
                               std::memory_order Order) noexcept {
  std::memory_order Failure =
      Order == std::memory_order_acq_rel   ? std::memory_order_acquire
      : Order == std::memory_order_release ? std::memory_order_relaxed
                                           : Order;
  __atomic_compare_exchange(&Object, &Expected, &Desired, false,
                            static_cast<int>(Order), static_cast<int>(Failure));
  return Expected;
}

/// Replaces by New(old) until nobody came between. What stays the same to the
/// bit needs no write, but in an order that publishes something.
template <class T, class F, class U = std::remove_volatile_t<T>>
FERRY_INLINE U update(T &Object, std::memory_order Order, F New) noexcept {
  U Old;
  __atomic_load(&Object, &Old, __ATOMIC_RELAXED);
  for (;;) {
    U Next = New(Old);
    if (Order == std::memory_order_relaxed && sameBits(Next, Old))
      return Old;
    U Seen = compareExchange(Object, Old, Next, Order);
    if (sameBits(Seen, Old))
      return Old;
    Old = Seen;
  }
}

} // namespace detail

/// Object += Value. Returns the value before. Signed integers wrap around.
/// Floats round as ever; a target without the instruction tries until nobody
/// came between.
///
/// \code
/// void histogram(std::span<const std::uint8_t> pixels,
///                std::span<std::uint32_t> bins) {
///   ferry::atomic_add(bins[pixels[ferry::global_id()]], 1);
/// }
/// void run(const std::vector<std::uint8_t> &pixels,
///          std::vector<std::uint32_t> &bins) {
///   ferry::launch<histogram>(ferry::over(pixels.size()), pixels, bins);
/// }
/// \endcode
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_add(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireNumber<std::remove_volatile_t<T>>())
    return __atomic_fetch_add(&Object, Value, static_cast<int>(Order));
  else
    __builtin_unreachable();
}

/// Object -= Value. Returns the value before.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_sub(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireNumber<std::remove_volatile_t<T>>())
    return __atomic_fetch_sub(&Object, Value, static_cast<int>(Order));
  else
    __builtin_unreachable();
}

/// Keeps the smaller of Object and Value. Returns the value before. For float
/// and double -0 is less than +0, and a NaN gives way to any number, whichever
/// of the two it is.
///
/// \code
/// void range(std::span<const float> v, float &least, float &greatest) {
///   float x = v[ferry::global_id()];
///   ferry::atomic_min(least, x);
///   ferry::atomic_max(greatest, x);
/// }
/// void run(const std::vector<float> &v) {
///   float least = v[0], greatest = v[0];
///   ferry::launch<range>(ferry::over(v.size()), v, least, greatest);
/// }
/// \endcode
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_min(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  using U = std::remove_volatile_t<T>;
  if constexpr (!detail::requireNumber<U>())
    __builtin_unreachable();
  else if constexpr (detail::IsAtomicInteger<U>)
    return __atomic_fetch_min(&Object, Value, static_cast<int>(Order));
  else
    return detail::update(Object, Order, [Value](U Old) {
      return detail::smaller<U>(Old, Value);
    });
}

/// Keeps the larger of Object and Value, in the same order as atomic_min.
/// Returns the value before.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_max(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  using U = std::remove_volatile_t<T>;
  if constexpr (!detail::requireNumber<U>())
    __builtin_unreachable();
  else if constexpr (detail::IsAtomicInteger<U>)
    return __atomic_fetch_max(&Object, Value, static_cast<int>(Order));
  else
    return detail::update(Object, Order, [Value](U Old) {
      return detail::larger<U>(Old, Value);
    });
}

/// Object &= Value. Returns the value before.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_and(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireInteger<std::remove_volatile_t<T>>())
    return __atomic_fetch_and(&Object, Value, static_cast<int>(Order));
  else
    __builtin_unreachable();
}

/// Object |= Value. Returns the value before.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_or(T &Object, detail::Same<T> Value,
          std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireInteger<std::remove_volatile_t<T>>())
    return __atomic_fetch_or(&Object, Value, static_cast<int>(Order));
  else
    __builtin_unreachable();
}

/// Object ^= Value. Returns the value before.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_xor(T &Object, detail::Same<T> Value,
           std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireInteger<std::remove_volatile_t<T>>())
    return __atomic_fetch_xor(&Object, Value, static_cast<int>(Order));
  else
    __builtin_unreachable();
}

/// Object = Value. Returns the value before. Also for bool and enumerations.
template <class T>
FERRY_INLINE std::remove_cv_t<T>
atomic_exchange(T &Object, detail::Same<T> Value,
                std::memory_order Order = std::memory_order_relaxed) noexcept {
  using U = std::remove_volatile_t<T>;
  if constexpr (detail::requireWord<U>()) {
    U Old;
    __atomic_exchange(&Object, &Value, &Old, static_cast<int>(Order));
    return Old;
  } else
    __builtin_unreachable();
}

/// Object = Desired if Object's bits are those of Expected. Returns the value
/// before, which is Expected where the exchange took place. Floats are compared
/// by their bits: -0 is not +0, and a NaN equals itself.
///
/// \code
/// void claim(std::span<std::uint32_t> slots, std::uint32_t key) {
///   std::size_t at = key % slots.size();
///   while (ferry::atomic_compare_exchange(slots[at], 0, key) != 0)
///     at = (at + 1) % slots.size(); // 0 is a free slot
/// }
/// void insertAll(std::span<std::uint32_t> slots) {
///   claim(slots, static_cast<std::uint32_t>(ferry::global_id()) + 1);
/// }
/// void run(std::vector<std::uint32_t> &slots) {
///   ferry::launch<insertAll>(ferry::over(slots.size() / 2), slots);
/// }
/// \endcode
template <class T>
FERRY_INLINE std::remove_cv_t<T> atomic_compare_exchange(
    T &Object, detail::Same<T> Expected, detail::Same<T> Desired,
    std::memory_order Order = std::memory_order_relaxed) noexcept {
  using U = std::remove_volatile_t<T>;
  if constexpr (detail::requireWord<U>())
    return detail::compareExchange(Object, Expected, Desired, Order);
  else
    __builtin_unreachable();
}

/// Object's value, read as a whole. The order is relaxed, acquire or seq_cst.
template <class T>
[[nodiscard]] FERRY_INLINE std::remove_cv_t<T>
atomic_load(const T &Object,
            std::memory_order Order = std::memory_order_relaxed) noexcept {
  using U = std::remove_volatile_t<T>;
  if constexpr (detail::requireWord<U>()) {
    U Value;
    __atomic_load(&Object, &Value, static_cast<int>(Order));
    return Value;
  } else
    __builtin_unreachable();
}

/// Object = Value, written as a whole. The order is relaxed, release or
/// seq_cst.
template <class T>
FERRY_INLINE void
atomic_store(T &Object, detail::Same<T> Value,
             std::memory_order Order = std::memory_order_relaxed) noexcept {
  if constexpr (detail::requireWord<std::remove_volatile_t<T>>())
    __atomic_store(&Object, &Value, static_cast<int>(Order));
}

} // namespace ferry

#undef FERRY_INLINE

#endif // FERRY_ATOMIC_H
