//===- ferry/launch.h - Running functions on a device -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LAUNCH_H
#define FERRY_LAUNCH_H

#include "ferry/detail/marker.h"
#include "ferry/error.h"

namespace ferry {

// Each function below comes twice. Only clang's enable_if attribute sees that
// an argument is a constant, so the first of a pair takes the calls whose
// integer constants all fit, and wins against the second where both could be
// called.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#define FERRY_CONSTANTS_FIT(Kernel)                                            \
  __attribute__((enable_if(detail::constantsFit<Kernel, Args...>(              \
                               (__builtin_constant_p(detail::asInteger(args))  \
                                    ? detail::asInteger(args)                  \
                                    : detail::NoInteger)...),                  \
                           "integer constants fit the kernel's parameters")))

/// Runs K once for every thread of the shape, on the current device, and
/// returns when it is done and all that it wrote is back in host memory. Throws
/// ferry::error, see ferry/error.h.
///
/// K is any function that returns nothing: a free or static member function, an
/// instance of a function template, a captureless lambda. It needs no attribute
/// and stays an ordinary host function. How arguments become parameters stands
/// in ferry/arguments.h.
///
/// \code
/// void saxpy(float a, std::span<const float> x, std::span<float> y) {
///   std::size_t i = ferry::global_id();
///   if (i < y.size())
///     y[i] += a * x[i];
/// }
/// template <class T> void scale(T a, std::span<T> x) {
///   x[ferry::global_id()] *= a;
/// }
/// void run(const std::vector<float> &x, std::vector<float> &y) {
///   ferry::launch<saxpy>(ferry::over(y.size()), 2.f, x, y);
///   ferry::launch<scale<float>>(ferry::over(y.size()), 0.5f, y);
///   constexpr auto negate = [](std::span<float> v) {
///     v[ferry::global_id()] *= -1;
///   };
///   ferry::launch<negate>(ferry::over(y.size()), y);
/// }
/// \endcode
template <auto K, class Shape, class... Args>
void launch(const Shape &shape, Args &&...args)
    FERRY_CONSTANTS_FIT(detail::FunctionKernel<K>) {
  if (int Code = detail::run<detail::FunctionKernel<K>, true>(
          shape, static_cast<Args &&>(args)...))
    detail::raise(Code);
}
template <auto K, class Shape, class... Args>
void launch(const Shape &shape, Args &&...args) {
  if (int Code = detail::run<detail::FunctionKernel<K>, false>(
          shape, static_cast<Args &&>(args)...))
    detail::raise(Code);
}

/// The same, but returns what happened and never throws.
///
/// \code
/// void clear(std::span<int> v) { v[ferry::global_id()] = 0; }
/// int run(std::vector<int> &v) {
///   ferry::status s = ferry::try_launch<clear>(ferry::over(v.size()), v);
///   if (!s)
///     std::fprintf(stderr, "%s\n", s.message().c_str());
///   return s ? 0 : 1;
/// }
/// \endcode
template <auto K, class Shape, class... Args>
status try_launch(const Shape &shape, Args &&...args) noexcept
    FERRY_CONSTANTS_FIT(detail::FunctionKernel<K>) {
  return detail::statusOf(detail::run<detail::FunctionKernel<K>, true>(
      shape, static_cast<Args &&>(args)...));
}
template <auto K, class Shape, class... Args>
status try_launch(const Shape &shape, Args &&...args) noexcept {
  return detail::statusOf(detail::run<detail::FunctionKernel<K>, false>(
      shape, static_cast<Args &&>(args)...));
}

/// Runs f(i, params...) for every i from 0 to the number of threads - 1, where
/// i is global_id(). The lambda may capture plain values by value; each thread
/// has its own copy of them. Arrays are passed as arguments, after f. Throws
/// like launch.
///
/// \code
/// void run(std::vector<float> &y, const std::vector<float> &x, float a) {
///   ferry::parallel_for(
///       ferry::over(y.size()),
///       [a](std::size_t i, std::span<const float> x, std::span<float> y) {
///         y[i] += a * x[i];
///       },
///       x, y);
/// }
/// \endcode
template <class Shape, class F, class... Args>
void parallel_for(const Shape &shape, const F &f, Args &&...args)
    FERRY_CONSTANTS_FIT(detail::ElementKernel<F>) {
  if (int Code = detail::run<detail::ElementKernel<F>, true>(
          shape, f, static_cast<Args &&>(args)...))
    detail::raise(Code);
}
template <class Shape, class F, class... Args>
void parallel_for(const Shape &shape, const F &f, Args &&...args) {
  if (int Code = detail::run<detail::ElementKernel<F>, false>(
          shape, f, static_cast<Args &&>(args)...))
    detail::raise(Code);
}

#undef FERRY_CONSTANTS_FIT
#pragma clang diagnostic pop

} // namespace ferry

#endif // FERRY_LAUNCH_H
