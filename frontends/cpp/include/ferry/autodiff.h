//===- autodiff.h - Derivatives of C++ functions ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives, as templates over enzyme.h:
//
//   double f(double x, double y) { return x * x * y; }
//   auto [dx, dy] = ferry::gradient<f>(3.0, 4.0);                  // 24, 9
//
//   double g(const std::vector<double> &w, std::span<const double> x, int n);
//   ferry::gradient<g>(ferry::dup(w, dw), ferry::constant(x), n);
//
// Floating-point arguments are differentiated and their gradients returned;
// integers are constants. What is no number is given by `dup`, with a shadow
// that its gradient is added to, or by `constant`.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_AUTODIFF_H
#define FERRY_AUTODIFF_H

#include <ferry/detail/differentiable.h>
#include <ferry/enzyme.h>
#include <vector>

namespace ferry {

/// An argument with its shadow, which has the same shape: a container, a span,
/// an array, a pointer, a struct, or a number that the function takes by
/// reference. In reverse mode the gradient is added to the shadow; what the
/// function overwrites has the adjoint of what it leaves there in its shadow,
/// and that of what was there before afterwards. In forward mode it is the
/// tangent.
///
///   std::vector<double> x(3), dx(3);
///   ferry::gradient<norm>(ferry::dup(x, dx));
///
/// Throws std::invalid_argument, when the derivative is computed, if a shadow
/// has another length.
template <class T, class S> auto dup(T &&Value, S &&Shadow) {
  using Value_ = std::remove_cvref_t<T>;
  using Shadow_ = std::remove_cvref_t<S>;
  static_assert(detail::ad::Array<Value_> == detail::ad::Array<Shadow_>,
                "ferry: dup's shadow has another type than what it belongs to");
  if constexpr (detail::ad::Array<Value_> != detail::ad::Array<Shadow_>) {
    // The error is said.
  } else if constexpr (detail::ad::Array<Value_>) {
    static_assert(std::is_same_v<detail::ad::Element<Value_>,
                                 detail::ad::Element<Shadow_>>,
                  "ferry: dup's shadow has elements of another type than what "
                  "it belongs to");
    static_assert(
        !std::is_const_v<
            std::remove_reference_t<std::ranges::range_reference_t<S &>>>,
        "ferry: dup's shadow is const");
  } else {
    static_assert(
        std::is_same_v<Value_, Shadow_> || std::is_pointer_v<Value_>,
        "ferry: dup's shadow has another type than what it belongs to");
    static_assert(!std::is_const_v<std::remove_reference_t<S>>,
                  "ferry: dup's shadow is const");
  }
  return Duplicated<std::remove_reference_t<T>, std::remove_reference_t<S>>{
      Value, Shadow};
}

/// An argument that is not differentiated.
///
///   ferry::gradient<loss>(ferry::dup(weights, shadow), ferry::constant(data));
template <class T> auto constant(T &&Value) {
  return Constant<std::remove_reference_t<T>>{Value};
}

/// A function's result and the gradients of its floating-point arguments.
template <class Value, class Gradient> struct ValueAndGradient {
  Value value;
  Gradient gradient;
};

namespace detail::ad {

/// What a function must be to be differentiated with these arguments.
template <auto Function, Direction Mode, class... Given> struct Call {
  using Types = Signature<decltype(+Function)>;
  using Result = typename Types::Result;
  static constexpr bool HasCount = Types::Count == sizeof...(Given);
  static constexpr bool HasResult =
      std::is_floating_point_v<Result> || std::is_void_v<Result>;

  static consteval auto arguments() {
    if constexpr (HasCount)
      return typename Types::template Arguments<Mode, Given...>();
    else
      return Slots<>();
  }
  using Arguments = decltype(arguments());
  static constexpr bool Fits = HasCount && HasResult && Arguments::Fit;

  static auto explain() {
    static_assert(HasCount,
                  "ferry: the function has another number of parameters");
    static_assert(
        HasResult,
        "ferry: the function to differentiate returns no number: give "
        "it a parameter for its result, and pass dup(result, shadow)");
    Arguments::explain();
  }
};

template <auto Function, class... A, class... Given>
auto reverseMode(Slots<A...>, Given &...Values) {
  using Result = typename Signature<decltype(+Function)>::Result;
  using TheShim = Shim<Function, A...>;
  typename TheShim::Constants Constants{A::constant(Values)...};
  typename TheShim::Actives Primal{A::active(Values)...};
  typename TheShim::Actives Shadow{A::shadow(Values)...};
  void *Target = reinterpret_cast<void *>(&TheShim::call);
  auto Gradients = [&] {
    return std::apply(
        [](const auto &...Each) {
          return std::tuple_cat(gradientOf<A>(Each)...);
        },
        Shadow);
  };
  if constexpr (std::is_void_v<Result>) {
    __enzyme_autodiff<void>(Target, enzyme_const, &Constants, enzyme_dup,
                            &Primal, &Shadow);
    return ValueAndGradient<std::monostate, decltype(Gradients())>{{},
                                                                   Gradients()};
  } else {
    Result Value =
        __enzyme_autodiff<Result>(Target, enzyme_primal_return, enzyme_const,
                                  &Constants, enzyme_dup, &Primal, &Shadow);
    return ValueAndGradient<Result, decltype(Gradients())>{Value, Gradients()};
  }
}

template <auto Function, class... A, class... Given>
auto forwardMode(Slots<A...>, Given &...Values) {
  using Result = typename Signature<decltype(+Function)>::Result;
  using TheShim = Shim<Function, A...>;
  typename TheShim::Constants Constants{A::constant(Values)...};
  typename TheShim::Actives Primal{A::active(Values)...};
  typename TheShim::Actives Tangent{
      A::shadow(Values, sizeof...(A) == 1 ? 1 : 0)...};
  return __enzyme_fwddiff<Result>(reinterpret_cast<void *>(&TheShim::call),
                                  enzyme_const, &Constants, enzyme_dup, &Primal,
                                  &Tangent);
}

} // namespace detail::ad

/// The value of `Function` for these arguments, and its derivative in each of
/// them that is a floating-point number, as a tuple in their order. Gradients
/// of arguments given by `dup` are added to their shadows.
///
///   auto [value, gradient] = ferry::value_and_gradient<f>(3.0, 4.0);
template <auto Function, class... Given>
auto value_and_gradient(Given... Values) {
  using Call =
      detail::ad::Call<Function, detail::ad::Direction::Reverse, Given...>;
  Call::explain();
  if constexpr (Call::Fits)
    return detail::ad::reverseMode<Function>(typename Call::Arguments(),
                                             Values...);
  else
    return ValueAndGradient<std::monostate, std::tuple<>>();
}

/// The derivative of `Function` in each argument that is a floating-point
/// number, as a tuple; gradients of arguments given by `dup` are added to their
/// shadows. A function that returns nothing has results given by `dup`: their
/// shadows hold the weights of the results, and are zero afterwards.
template <auto Function, class... Given> auto gradient(Given... Values) {
  return value_and_gradient<Function>(Values...).gradient;
}

/// The derivative of `Function` along the tangents that are given by `dup`; a
/// number without one is a constant. For a function of one number the tangent
/// may be left out and is 1.
///
///   double slope = ferry::derivative<square>(3.0);
///   double along = ferry::derivative<f>(ferry::dup(3.0, 1.0), 4.0);
template <auto Function, class... Given> auto derivative(Given... Values) {
  using Call =
      detail::ad::Call<Function, detail::ad::Direction::Forward, Given...>;
  Call::explain();
  static_assert(!Call::Fits || Call::Arguments::AnyActive,
                "ferry: nothing is differentiated: give an argument by dup");
  if constexpr (Call::Fits && Call::Arguments::AnyActive)
    return detail::ad::forwardMode<Function>(typename Call::Arguments(),
                                             Values...);
}

} // namespace ferry

#include <ferry/detail/matrices.h>

#endif // FERRY_AUTODIFF_H
