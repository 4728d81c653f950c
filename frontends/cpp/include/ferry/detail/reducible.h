//===- ferry/detail/reducible.h - What can be combined ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compile-time checks that reductions and scans of whole arrays have in
// common. Each text goes on after "kernel '...' ".
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_REDUCIBLE_H
#define FERRY_DETAIL_REDUCIBLE_H

#include "ferry/detail/signature.h"

#include <cstdint>
#include <type_traits>

namespace ferry::detail {

template <class T, class Op> consteval Text operatorMistake() {
  if constexpr (!std::is_trivially_copyable_v<T> ||
                !std::is_copy_assignable_v<T>)
    return Text() << "gives values of type '" << typeName<T>()
                  << "', which is not trivially copyable; use a type whose "
                     "bytes can be copied";
  else if constexpr (!isPlain<T>())
    return Text() << "gives values of type '" << typeName<T>()
                  << "', which is or holds a pointer or reference; a device "
                     "cannot follow it";
  else if constexpr (!std::is_class_v<Op> || !std::is_trivially_copyable_v<Op>)
    return Text() << "has an operator of type '" << typeName<Op>()
                  << "'; pass a lambda, or a function object such as "
                     "std::plus<>()";
  else if constexpr (!isPlain<Op>())
    return Text() << "has an operator that captures a reference or pointer, "
                     "which a device cannot follow; capture plain values by "
                     "value";
  else if constexpr (!std::is_invocable_r_v<T, Op &, T, T>)
    return Text() << "has an operator that does not take two values of type '"
                  << typeName<T>() << "' and return one";
  else
    return {};
}

/// A scan of elements of type From in values of type T.
template <class T, class From, class To, class Op>
consteval Text scanMistake(std::string_view Name) {
  Text Start = Text() << "ferry: kernel '" << Name << "' ";
  if constexpr (constexpr Text Wrong = operatorMistake<T, Op>(); !Wrong.empty())
    return Start << std::string_view(Wrong.data(), Wrong.size());
  else if constexpr (std::is_const_v<To>)
    return Start << "cannot write its output, whose elements are const";
  else if constexpr (!std::is_convertible_v<From, T>)
    return Start << "reads elements of type '" << typeName<From>()
                 << "', which do not convert to '" << typeName<T>() << "'";
  else if constexpr (!std::is_convertible_v<T, To>)
    return Start << "writes elements of type '" << typeName<To>()
                 << "', to which '" << typeName<T>() << "' does not convert";
  else
    return {};
}

/// Elements of a part of a scan on cpu: a multiple of 8 that caches like.
constexpr std::uint64_t cpuScanElements(std::uint64_t Bytes) {
  std::uint64_t Elements = 65536 / Bytes / 8 * 8;
  return Elements < 64 ? 64 : Elements;
}

} // namespace ferry::detail

#endif // FERRY_DETAIL_REDUCIBLE_H
