//===- ferry/arguments.h - Memory given by pointer and size -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How an argument of a launch becomes a parameter of the kernel:
//
//   argument                             parameter         copies
//   a number, enum, or trivially         T                 the value
//     copyable struct without pointers
//   vector, array, span, C array, any    span<const T>     in
//     contiguous range                   span<T>           in and out
//   a variable of type T                 const T &         in
//                                        T &               in and out
//   in(p, n), in(range)                  const T *, span   in
//   out(p, n), out(range)                T *, span         out
//   inout(p, n), inout(range)            T *, span         in and out
//   resident (ferry/resident.h)          span              what the device
//   lacks
//
// Everything else does not compile, and the message says what to write.
// Numbers: a conversion must keep every value of the argument's type, or the
// argument must be an integer constant that the parameter's type can hold.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ARGUMENTS_H
#define FERRY_ARGUMENTS_H

#include "ferry/markers.h"
#include "ferry/shape.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace ferry {

template <class T> class resident;

namespace detail {

/// What in(), out() and inout() return: `Size` elements at `Data`. Access is
/// the FERRY_FIELD_READ and WRITE of the buffer, or SCRATCH. An element type
/// with const is kept only to be refused where the kernel's parameter is known.
template <class T, unsigned Access> struct Mapped {
  T *Data;
  Count Size;
};

/// Anything that lies in memory in one piece and knows its size. std::span is
/// asked, since it is a small header that <ranges> is not.
template <class R>
concept ContiguousRange =
    requires(std::remove_reference_t<R> &Range) { std::span(Range); };

template <class R>
using SpanOf =
    decltype(std::span(std::declval<std::remove_reference_t<R> &>()));

/// const where the range's elements cannot be written.
template <class R> using ElementOf = typename SpanOf<R>::element_type;

/// A temporary R owns its elements, and they are gone after the launch.
template <class R>
concept LosesElements =
    !std::is_lvalue_reference_v<R> && !std::is_const_v<ElementOf<R>> &&
    !std::is_constructible_v<std::span<ElementOf<R>>, R>;

template <unsigned Access, class R>
constexpr auto mapRange(std::remove_reference_t<R> &Range) noexcept {
  static_assert(!LosesElements<R>,
                "ferry: ferry::out(...) or ferry::inout(...) of a temporary: "
                "what the kernel writes would be lost; pass a variable");
  std::span Elements(Range);
  return Mapped<ElementOf<R>, Access>{Elements.data(), Elements.size()};
}

} // namespace detail

/// The kernel reads n elements at p, and writes none of them.
///
/// \code
/// void sum3(const float *x, float *y) {
///   std::size_t i = ferry::global_id();
///   y[i] = x[i] + x[i + 1] + x[i + 2];
/// }
/// void run(const float *x, float *y, std::size_t n) {
///   ferry::launch<sum3>(ferry::over(n), ferry::in(x, n + 2),
///                       ferry::out(y, n));
/// }
/// \endcode
template <class T>
[[nodiscard]] constexpr detail::Mapped<const T, FERRY_FIELD_READ>
in(const T *p, detail::Count n) noexcept {
  return {p, n};
}
/// The same for a container or span.
template <detail::ContiguousRange R>
[[nodiscard]] constexpr auto in(const R &range) noexcept {
  std::span Elements(range);
  return detail::Mapped<const typename decltype(Elements)::value_type,
                        FERRY_FIELD_READ>{Elements.data(), Elements.size()};
}

/// The kernel writes every one of the n elements at p and reads none. That is
/// the caller's promise: where it is broken, elements are unspecified.
///
/// \code
/// void iota(std::span<int> v) { v[ferry::global_id()] = ferry::global_id(); }
/// void run(std::vector<int> &v) {
///   ferry::launch<iota>(ferry::over(v.size()), ferry::out(v));
/// }
/// \endcode
template <class T>
[[nodiscard]] constexpr detail::Mapped<T, FERRY_FIELD_WRITE>
out(T *p, detail::Count n) noexcept {
  return {p, n};
}
/// The same for a container or span.
template <detail::ContiguousRange R>
[[nodiscard]] constexpr auto out(R &&range) noexcept {
  return detail::mapRange<FERRY_FIELD_WRITE, R>(range);
}

/// The kernel reads and writes the n elements at p.
///
/// \code
/// void twice(float *y) { y[ferry::global_id()] *= 2; }
/// void run(std::unique_ptr<float[]> &y, std::size_t n) {
///   ferry::launch<twice>(ferry::over(n), ferry::inout(y.get(), n));
/// }
/// \endcode
template <class T>
[[nodiscard]] constexpr detail::Mapped<T, FERRY_FIELD_READ | FERRY_FIELD_WRITE>
inout(T *p, detail::Count n) noexcept {
  return {p, n};
}
/// The same for a container or span.
template <detail::ContiguousRange R>
[[nodiscard]] constexpr auto inout(R &&range) noexcept {
  return detail::mapRange<FERRY_FIELD_READ | FERRY_FIELD_WRITE, R>(range);
}

} // namespace ferry

#endif // FERRY_ARGUMENTS_H
