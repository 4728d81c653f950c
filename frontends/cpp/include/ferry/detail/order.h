//===- ferry/detail/order.h - The smaller and the larger --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One meaning of min and max on every device: for floating-point numbers that
// of IEEE 754-2019's minimumNumber and maximumNumber. A NaN loses against every
// number, and -0 is less than +0, so that the result does not depend on the
// order in which threads come.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_ORDER_H
#define FERRY_DETAIL_ORDER_H

#include <type_traits>

#define FERRY_INLINE __attribute__((always_inline, nodebug)) inline

namespace ferry::detail {

template <class T> FERRY_INLINE T smaller(T X, T Y) noexcept {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fminimum_numf(X, Y);
  else if constexpr (std::is_floating_point_v<T>)
    return __builtin_fminimum_num(X, Y);
  else
    return Y < X ? Y : X;
}

template <class T> FERRY_INLINE T larger(T X, T Y) noexcept {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fmaximum_numf(X, Y);
  else if constexpr (std::is_floating_point_v<T>)
    return __builtin_fmaximum_num(X, Y);
  else
    return X < Y ? Y : X;
}

} // namespace ferry::detail

#undef FERRY_INLINE

#endif // FERRY_DETAIL_ORDER_H
