//===- ferry/print.h - Printing from kernels --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PRINT_H
#define FERRY_PRINT_H

#include "ferry/detail/text.h"
#include "ferry/print_format.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// Messages of static_assert that are put together.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"

#define FERRY_INLINE __attribute__((always_inline, nodebug)) inline

namespace ferry {
namespace detail {

/// FERRY_PRINT_* of a value's type; -1 for what cannot be printed.
template <class T> consteval int printKind() {
  if constexpr (std::is_same_v<T, bool>)
    return FERRY_PRINT_BOOL;
  else if constexpr (std::is_same_v<T, char>)
    return FERRY_PRINT_CHAR;
  else if constexpr (std::is_same_v<T, float>)
    return FERRY_PRINT_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return FERRY_PRINT_DOUBLE;
  else if constexpr (std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
                     std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>)
    return -1;
  else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
    return std::is_signed_v<T> ? FERRY_PRINT_SIGNED : FERRY_PRINT_UNSIGNED;
  else if constexpr (std::is_same_v<T, void *> ||
                     std::is_same_v<T, const void *> ||
                     std::is_null_pointer_v<T>)
    return FERRY_PRINT_POINTER;
  else
    return -1;
}

/// The first type that cannot be printed; empty when there is none.
template <class... T> consteval Text printMistake() {
  Text Name;
  (..., (printKind<T>() < 0 && Name.empty() ? (void)(Name << typeName<T>())
                                            : void()));
  if (Name.empty())
    return {};
  return Text() << "ferry: print takes integers, float, double, bool, char and "
                   "void pointers, not '"
                << std::string_view(Name.data(), Name.size())
                << "'; convert the value, and write text into the format";
}

/// Not constexpr, so that calling it while compiling is an error.
inline void stopCompiling() {}

/// Clang shows the call, with `Why`.
constexpr void theFormatIsWrong(const char *Why) {
  if (Why)
    stopCompiling();
}

/// A string literal that was checked against the types of the values.
template <class... T> struct PrintFormat {
  const char *Characters;
  std::size_t Length;

  template <std::size_t N>
  consteval PrintFormat(const char (&Literal)[N])
      : Characters(Literal), Length(N - 1) {
    constexpr bool Printable = (... && (printKind<T>() >= 0));
    // One more, for no array is empty.
    const std::uint32_t Kinds[] = {
        static_cast<std::uint32_t>(printKind<T>())..., 0};
    if constexpr (Printable)
      theFormatIsWrong(
          print_format::problem(Characters, Length, Kinds, sizeof...(T)));
  }
};

template <class T>
FERRY_INLINE std::uint64_t printBits(const T &Value) noexcept {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(std::uint32_t, Value);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_bit_cast(std::uint64_t, Value);
  else if constexpr (std::is_null_pointer_v<T>)
    return 0;
  else if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uint64_t>(Value);
  else if constexpr (std::is_same_v<T, char>)
    return static_cast<unsigned char>(Value);
  else
    return static_cast<std::uint64_t>(Value);
}

template <class... T, std::size_t... J>
FERRY_INLINE void printValues(const char *Characters, std::size_t Length,
                              std::index_sequence<J...>,
                              const T &...Values) noexcept {
  constexpr std::uint64_t Kinds[] = {
      static_cast<std::uint64_t>(printKind<T>())..., 0};
  const std::uint64_t Bits[] = {printBits(Values)..., 0};
  __ferry_print(Characters, Length, std::uint64_t{sizeof...(T)},
                (J % 2 ? Bits[J / 2] : Kinds[J / 2])...);
}

} // namespace detail

/// Prints to stdout what std::print of C++23 would, from kernels: the format, a
/// string literal, has its grammar, but for strings and locales. Values are
/// integers of at most 8 bytes, float, double, bool, char and void pointers. A
/// format that does not fit them does not compile.
///
/// Lines of one thread keep their order, those of different threads have none.
/// On cpu they appear at once, elsewhere when the launch is over; a device
/// keeps room for one megabyte of one launch, and stderr says so when
/// lines had to be dropped.
///
/// \code
/// void look(std::span<const float> v) {
///   std::size_t i = ferry::global_id();
///   if (v[i] < 0)
///     ferry::print("v[{}] = {:.3f}\n", i, v[i]);
/// }
/// void run(const std::vector<float> &v) {
///   ferry::launch<look>(ferry::over(v.size()), v);
/// }
/// \endcode
template <class... T>
FERRY_INLINE void print(detail::PrintFormat<std::type_identity_t<T>...> format,
                        const T &...values) noexcept {
  constexpr detail::Text Mistake = detail::printMistake<T...>();
  static_assert(Mistake.empty(), Mistake);
  if constexpr (Mistake.empty())
    detail::printValues(format.Characters, format.Length,
                        std::make_index_sequence<2 * sizeof...(T)>(),
                        values...);
}

} // namespace ferry

#undef FERRY_INLINE
#pragma clang diagnostic pop

#endif // FERRY_PRINT_H
