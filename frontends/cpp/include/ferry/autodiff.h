//===- autodiff.h - Derivatives of C++ functions ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives of functions of numbers, as templates over enzyme.h:
//
//   double f(double x, double y) { return x * x * y; }
//   auto [dx, dy] = ferry::gradient<f>(3.0, 4.0);                  // 24, 9
//
// Floating-point arguments are differentiated, others are constants. Functions
// of arrays are differentiated with enzyme.h.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_AUTODIFF_H
#define FERRY_AUTODIFF_H

#include <ferry/enzyme.h>
#include <tuple>
#include <type_traits>

namespace ferry {

namespace detail {

/// The type of a function pointer, or of what a lambda without captures
/// converts to.
template <class T> struct Differentiable;
template <class R, class... P> struct Differentiable<R (*)(P...)> {
  static_assert(std::is_floating_point_v<R>,
                "ferry: the function to differentiate returns no number; "
                "use __enzyme_autodiff with a shadow for its result");
  static_assert((std::is_arithmetic_v<P> && ...),
                "ferry: the function to differentiate takes something that is "
                "no number; use __enzyme_autodiff");
  using Result = R;
  using Arguments = std::tuple<P...>;
};
template <class R, class... P>
struct Differentiable<R (*)(P...) noexcept> : Differentiable<R (*)(P...)> {};

/// What is differentiated: the arguments lie side by side in memory, and so do
/// their gradients.
template <auto Function, class Arguments>
auto applyToTuple(const Arguments *A) {
  return std::apply(Function, *A);
}

/// The member of a tuple of gradients, if it is one.
template <class T> auto floatingOnly(T Gradient) {
  if constexpr (std::is_floating_point_v<T>)
    return std::tuple<T>(Gradient);
  else
    return std::tuple<>();
}

} // namespace detail

/// A function's result and the gradients of its floating-point arguments.
template <class Value, class Gradient> struct ValueAndGradient {
  Value value;
  Gradient gradient;
};

/// The value of `Function` for these arguments, and its derivative in each of
/// them that is a floating-point number, as a tuple in their order.
///
///   auto [value, gradient] = ferry::value_and_gradient<f>(3.0, 4.0);
template <auto Function, class... Given>
auto value_and_gradient(Given... Values) {
  using Types = detail::Differentiable<decltype(+Function)>;
  using Arguments = typename Types::Arguments;
  Arguments Primal(Values...);
  Arguments Gradient{};
  auto Value = __enzyme_autodiff<typename Types::Result>(
      reinterpret_cast<void *>(detail::applyToTuple<Function, Arguments>),
      enzyme_primal_return, enzyme_dup, &Primal, &Gradient);
  auto Floating = std::apply(
      [](auto... Each) {
        return std::tuple_cat(detail::floatingOnly(Each)...);
      },
      Gradient);
  return ValueAndGradient<typename Types::Result, decltype(Floating)>{Value,
                                                                      Floating};
}

/// The derivative of `Function` in each floating-point argument, as a tuple.
template <auto Function, class... Given> auto gradient(Given... Values) {
  return value_and_gradient<Function>(Values...).gradient;
}

/// The derivative of a function of one number.
///
///   double slope = ferry::derivative<square>(3.0);
template <auto Function, class Given> auto derivative(Given Value) {
  using Types = detail::Differentiable<decltype(+Function)>;
  using Argument = std::tuple_element_t<0, typename Types::Arguments>;
  static_assert(std::tuple_size_v<typename Types::Arguments> == 1 &&
                    std::is_floating_point_v<Argument>,
                "ferry: derivative is for functions of one number; use "
                "gradient");
  return __enzyme_fwddiff<typename Types::Result>(
      reinterpret_cast<void *>(+Function), static_cast<Argument>(Value),
      static_cast<Argument>(1));
}

} // namespace ferry

#endif // FERRY_AUTODIFF_H
