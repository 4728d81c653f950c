//===- differentiable.h - Arguments of a derivative -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To the engine every function looks the same: it takes two tuples by pointer,
// one of constants and one of what is differentiated. The second has a shadow
// of the same type: numbers in it are gradients, spans and pointers in it lead
// to the user's shadows. A slot says for one parameter and what is given for it
// what is kept in a tuple and what is passed on. When that is inlined, nothing
// of the tuples is left.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_DIFFERENTIABLE_H
#define FERRY_DETAIL_DIFFERENTIABLE_H

#include <cstddef>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace ferry {

/// What `dup` returns: an argument and its shadow.
template <class T, class S> struct Duplicated {
  T &Value;
  S &Shadow;
};

/// What `constant` returns.
template <class T> struct Constant {
  T &Value;
};

namespace detail::ad {

template <class T> inline constexpr bool IsDuplicated = false;
template <class T, class S>
inline constexpr bool IsDuplicated<Duplicated<T, S>> = true;
template <class T> inline constexpr bool IsConstant = false;
template <class T> inline constexpr bool IsConstant<Constant<T>> = true;

template <class T> inline constexpr bool IsSpan = false;
template <class T, std::size_t N>
inline constexpr bool IsSpan<std::span<T, N>> = true;

template <class T>
concept Array = std::ranges::contiguous_range<T> && std::ranges::sized_range<T>;

template <class T>
using Element = std::remove_cv_t<std::ranges::range_value_t<T>>;

/// The shadows of a container in a container are compared too.
template <class T, class S> void checkLength(const T &Value, const S &Shadow) {
  if constexpr (Array<T>) {
    std::size_t Have = std::ranges::size(Shadow),
                Want = std::ranges::size(Value);
    if (Have != Want)
      throw std::invalid_argument(
          "ferry: a shadow has length " + std::to_string(Have) +
          ", but what it belongs to has length " + std::to_string(Want));
    if constexpr (Array<std::ranges::range_value_t<T>>)
      for (std::size_t I = 0; I != Want; ++I)
        checkLength(std::ranges::data(Value)[I], std::ranges::data(Shadow)[I]);
  }
}

/// How what is given for a parameter is kept.
enum class Keeping {
  Number,  ///< the number
  View,    ///< a span of it
  Pointer, ///< a pointer to its first element
  Object,  ///< a pointer to it
  None
};

/// How a `T`, given by dup or constant, is kept for a parameter `P`.
template <class P, class T> consteval Keeping keepingOf() {
  using Parameter = std::remove_cvref_t<P>;
  using Value = std::remove_cv_t<T>;
  constexpr bool IsWritten = std::is_lvalue_reference_v<P> &&
                             !std::is_const_v<std::remove_reference_t<P>>;
  if constexpr (IsSpan<Parameter>) {
    if constexpr (Array<T>)
      if constexpr (std::is_same_v<
                        Element<T>,
                        std::remove_cv_t<typename Parameter::element_type>>)
        return Keeping::View;
  } else if constexpr (std::is_pointer_v<Parameter>) {
    using Pointee = std::remove_cv_t<std::remove_pointer_t<Parameter>>;
    if constexpr (Array<T>) {
      if constexpr (std::is_same_v<Element<T>, Pointee>)
        return Keeping::Pointer;
    } else if constexpr (std::is_pointer_v<Value>) {
      if constexpr (std::is_same_v<
                        std::remove_cv_t<std::remove_pointer_t<Value>>,
                        Pointee>)
        return Keeping::Pointer;
    }
  } else if constexpr (std::is_same_v<Parameter, Value>) {
    return std::is_arithmetic_v<Value> && !IsWritten ? Keeping::Number
                                                     : Keeping::Object;
  } else if constexpr (std::is_arithmetic_v<Parameter> &&
                       std::is_arithmetic_v<Value> && !IsWritten) {
    return Keeping::Number;
  }
  return Keeping::None;
}

/// Keeps a `Value` for a parameter `P`.
template <class P, Keeping How> struct Slot {
  using Parameter = std::remove_cvref_t<P>;
  static consteval auto kept() {
    if constexpr (How == Keeping::Object)
      return std::type_identity<Parameter *>();
    else
      return std::type_identity<Parameter>();
  }
  using Kept = typename decltype(kept())::type;

  template <class T> static Kept keep(T &Value) {
    if constexpr (How == Keeping::Number)
      return static_cast<Parameter>(Value);
    else if constexpr (How == Keeping::View)
      return Parameter(
          const_cast<std::remove_const_t<typename Parameter::element_type> *>(
              std::ranges::data(Value)),
          std::ranges::size(Value));
    else if constexpr (How == Keeping::Object)
      return const_cast<Parameter *>(&Value);
    else if constexpr (Array<T>)
      return const_cast<Parameter>(std::ranges::data(Value));
    else
      return Value;
  }
  [[gnu::always_inline]] static decltype(auto) pass(const Kept &From) {
    if constexpr (How == Keeping::Object)
      return *From;
    else
      return (From);
  }
};

enum class Direction { Forward, Reverse };

/// What `Given` is to the parameter `P`: whether it is differentiated, how it
/// is kept, and one message if it does not fit.
template <Direction Mode, class P, class Given> struct Argument {
  static consteval Keeping keeping() {
    if constexpr (IsDuplicated<Given> || IsConstant<Given>)
      return keepingOf<P, std::remove_reference_t<decltype(Given::Value)>>();
    else
      return keepingOf<P, Given>();
  }
  static constexpr bool IsNumber =
      std::is_floating_point_v<std::remove_cvref_t<P>> &&
      std::is_arithmetic_v<Given>;
  static constexpr bool IsActive = IsDuplicated<Given> || IsNumber;
  static constexpr Keeping How = keeping();
  /// What is written to is given by dup or constant.
  static constexpr bool IsWritten =
      std::is_arithmetic_v<std::remove_cvref_t<P>> &&
      std::is_lvalue_reference_v<P> &&
      !std::is_const_v<std::remove_reference_t<P>>;

  static constexpr bool IsGiven = IsDuplicated<Given> || IsConstant<Given>;
  static constexpr bool IsPlain =
      std::is_arithmetic_v<Given> || std::is_enum_v<Given>;
  static constexpr bool Fits =
      How != Keeping::None && (IsGiven || (IsPlain && !IsWritten));

  using TheSlot = Slot<P, How == Keeping::None ? Keeping::Number : How>;
  using Kept = typename TheSlot::Kept;
  using Active = std::conditional_t<IsActive, Kept, std::monostate>;
  using Constant = std::conditional_t<IsActive, std::monostate, Kept>;

  static decltype(auto) valueOf(Given &G) {
    if constexpr (IsDuplicated<Given> || IsConstant<Given>)
      return (G.Value);
    else
      return (G);
  }
  static Active active(Given &G) {
    if constexpr (IsActive)
      return TheSlot::keep(valueOf(G));
    else
      return {};
  }
  static Constant constant(Given &G) {
    if constexpr (!IsActive)
      return TheSlot::keep(valueOf(G));
    else
      return {};
  }
  /// A number's gradient starts as 0; in forward mode a number that is given
  /// without a tangent has the tangent `Otherwise`.
  static Active shadow(Given &G, double Otherwise = 0) {
    if constexpr (IsDuplicated<Given>) {
      checkLength(G.Value, G.Shadow);
      return TheSlot::keep(G.Shadow);
    } else if constexpr (IsActive) {
      return static_cast<Kept>(Otherwise);
    } else {
      return {};
    }
  }
  [[gnu::always_inline]] static decltype(auto) pass(const Active &A,
                                                    const Constant &C) {
    if constexpr (IsActive)
      return TheSlot::pass(A);
    else
      return TheSlot::pass(C);
  }
  /// One error at most. That the result is deduced makes clang instantiate it
  /// where it is called, and show the chain of calls from the user.
  static auto explain() {
    static_assert(IsGiven || IsPlain,
                  "ferry: an argument that is no number is passed as "
                  "dup(argument, shadow) or as constant(argument)");
    static_assert(
        How != Keeping::None || !IsGiven,
        "ferry: the function's parameter is of another type than what is "
        "given for it");
    static_assert(
        How != Keeping::None || IsGiven || !IsPlain || IsWritten,
        "ferry: the function's parameter is no number; what it refers to "
        "is passed as dup(argument, shadow) or as constant(argument)");
    static_assert(How == Keeping::Number || IsGiven || !IsPlain || !IsWritten,
                  "ferry: the function writes to this parameter: pass "
                  "dup(number, shadow) or constant(number)");
    static_assert(
        Mode == Direction::Forward || !IsDuplicated<Given> ||
            How != Keeping::Number,
        "ferry: a number is passed as it is, and its gradient is returned");
  }
};

/// The arguments of a call.
template <class... A> struct Slots {
  static constexpr bool Fit = (A::Fits && ...);
  static constexpr bool AnyActive = (A::IsActive || ...);
  static auto explain() { (A::explain(), ...); }
};

/// The type of a function pointer, or of what a lambda without captures
/// converts to.
template <class T> struct Signature;
template <class R, class... P> struct Signature<R (*)(P...)> {
  using Result = R;
  static constexpr std::size_t Count = sizeof...(P);
  template <Direction Mode, class... Given>
  using Arguments = Slots<Argument<Mode, P, Given>...>;
};
template <class R, class... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};

template <auto Function, class... A> struct Shim {
  using Actives = std::tuple<typename A::Active...>;
  using Constants = std::tuple<typename A::Constant...>;
  /// What is differentiated.
  static auto call(const Constants *C, const Actives *Values) {
    return callWith(C, Values, std::index_sequence_for<A...>());
  }
  // No lambda: it would keep pointers to both tuples in one place.
  template <std::size_t... I>
  static auto callWith([[maybe_unused]] const Constants *C,
                       const Actives *Values, std::index_sequence<I...>) {
    return Function(A::pass(std::get<I>(*Values), std::get<I>(*C))...);
  }
};

/// The member of a tuple of gradients, if it is that of a number.
template <class A, class T> auto gradientOf(const T &Shadow) {
  if constexpr (A::IsNumber)
    return std::tuple<T>(Shadow);
  else
    return std::tuple<>();
}

} // namespace detail::ad
} // namespace ferry

#endif // FERRY_DETAIL_DIFFERENTIABLE_H
