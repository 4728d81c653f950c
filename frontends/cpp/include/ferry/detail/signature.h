//===- ferry/detail/signature.h - What can be a kernel ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel type describes something that can be launched:
//
//   Parameters   the parameter types that arguments of the launch go to
//   mistake()    why it is no kernel, or empty
//   Hidden       how many of these are no arguments of the user
//   Name         as the user wrote it, for messages
//   call(...)    runs one thread
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_SIGNATURE_H
#define FERRY_DETAIL_SIGNATURE_H

#include "ferry/detail/plain.h"
#include "ferry/detail/text.h"
#include "ferry/markers.h"

#include <type_traits>

namespace ferry::detail {

template <class... P> struct TypeList {
  static constexpr std::size_t Size = sizeof...(P);
};

/// Return and parameter types of a function pointer or a call operator.
template <class F> struct Signature {
  static constexpr bool IsKnown = false;
};
template <class R, class... P> struct Signature<R (*)(P...)> {
  static constexpr bool IsKnown = true;
  static constexpr bool IsMember = false;
  using Result = R;
  using Parameters = TypeList<P...>;
};
template <class R, class... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};

template <class R, class... P> struct MemberSignature : Signature<R (*)(P...)> {
  static constexpr bool IsMember = true;
};
#define FERRY_MEMBER(Qualifiers)                                               \
  template <class R, class C, class... P>                                      \
  struct Signature<R (C::*)(P...) Qualifiers> : MemberSignature<R, P...> {};
FERRY_MEMBER()
FERRY_MEMBER(const)
FERRY_MEMBER(&)
FERRY_MEMBER(const &)
FERRY_MEMBER(noexcept)
FERRY_MEMBER(const noexcept)
FERRY_MEMBER(& noexcept)
FERRY_MEMBER(const & noexcept)
#undef FERRY_MEMBER

/// A class's one call operator, or a function pointer itself.
template <class F> consteval auto signatureOf() {
  if constexpr (requires { &F::operator(); })
    return Signature<decltype(&F::operator())>();
  else
    return Signature<F>();
}

/// What functions and lambdas have in common; empty when all is well.
template <class F> consteval Text commonMistake() {
  using S = decltype(signatureOf<F>());
  if constexpr (!S::IsKnown) {
    if constexpr (std::is_class_v<F>)
      return Text() << "has no single call operator with known parameter "
                       "types; write the types instead of auto";
    else if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>)
      return Text() << "is not a function that a thread can call; launch a "
                       "function without '...' and ref-qualifiers";
    else
      return Text() << "is not a function; launch a function or a captureless "
                       "lambda";
  } else if constexpr (!std::is_void_v<typename S::Result>)
    return Text() << "returns '" << typeName<typename S::Result>()
                  << "'; make it return void and write its result to a "
                     "std::span or T & parameter";
  else
    return {};
}

/// What a lambda that travels to a device may capture; empty when all is well.
template <class F> consteval Text captureMistake() {
  if constexpr (!std::is_trivially_copyable_v<F>)
    return Text() << "captures something that is not trivially copyable; "
                     "capture plain values, and pass arrays as arguments after "
                     "the lambda, to std::span parameters";
  else if constexpr (!isPlain<F>())
    return Text() << "captures a reference or pointer, which a device cannot "
                     "follow; capture plain values by value, and pass arrays "
                     "as arguments after the lambda, to std::span parameters";
  else
    return {};
}

template <class S> consteval auto parametersOf() {
  if constexpr (S::IsKnown)
    return typename S::Parameters();
  else
    return TypeList<>();
}

/// A function or captureless lambda known while compiling: launch<K>.
template <auto K> struct FunctionKernel {
  using F = std::remove_cv_t<decltype(K)>;
  using S = decltype(signatureOf<F>());
  using Parameters = decltype(parametersOf<S>());
  static constexpr std::size_t Hidden = 0;

  static constexpr std::string_view RawName = kernelName(constantName<K>());
  static constexpr std::size_t NameLength = nameLength(RawName);
  static constexpr auto Name = nameCharacters<NameLength>(RawName);

  static consteval Text mistake() {
    if constexpr (std::is_member_pointer_v<F>)
      return Text() << "is a member function; launch a static one, or a lambda "
                       "that takes the object as a parameter";
    else
      return commonMistake<F>();
  }

  template <class... P>
  __attribute__((always_inline)) static void call(P &&...Parameters) {
    K(static_cast<P &&>(Parameters)...);
  }
};

template <class List> struct ElementParameters {
  static constexpr bool TakesIndex = false;
  using Rest = TypeList<>;
};
template <class I, class... P> struct ElementParameters<TypeList<I, P...>> {
  static constexpr bool TakesIndex =
      std::is_integral_v<std::remove_cvref_t<I>> &&
      std::is_convertible_v<std::size_t, I>;
  using Index = I;
  using Rest = TypeList<P...>;
};

template <class F, class List> struct PrependClosure;
template <class F, class... P> struct PrependClosure<F, TypeList<P...>> {
  using Type = TypeList<F, P...>;
};

/// A lambda that takes its element's number: parallel_for. The closure itself
/// is the first thing that travels.
template <class F> struct ElementKernel {
  using S = decltype(signatureOf<F>());
  using Element = ElementParameters<decltype(parametersOf<S>())>;
  using Parameters = typename PrependClosure<F, typename Element::Rest>::Type;
  static constexpr std::size_t Hidden = 1;

  static constexpr std::string_view RawName = kernelName(typeName<F>());
  static constexpr std::size_t NameLength = nameLength(RawName);
  static constexpr auto Name = nameCharacters<NameLength>(RawName);

  static consteval Text mistake() {
    if constexpr (!std::is_class_v<F>)
      return Text() << "is not a lambda; pass a lambda, or use "
                       "ferry::launch<function>(...)";
    else if constexpr (!commonMistake<F>().empty())
      return commonMistake<F>();
    else if constexpr (!Element::TakesIndex)
      return Text() << "does not take the element's number; make its first "
                       "parameter std::size_t";
    else
      return captureMistake<F>();
  }

  template <class... P>
  __attribute__((always_inline)) static void call(F &&Closure,
                                                  P &&...Parameters) {
    Closure(static_cast<typename Element::Index>(__ferry_global_id()),
            static_cast<P &&>(Parameters)...);
  }
};

} // namespace ferry::detail

#endif // FERRY_DETAIL_SIGNATURE_H
