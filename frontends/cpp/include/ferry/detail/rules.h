//===- ferry/detail/rules.h - Which argument fits which parameter -*- C++ -*-=//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// judge<P, A>() looks at one parameter type of a kernel and one argument of a
// launch and gives either the way in which the argument travels or the text of
// a compile-time error. It works on types alone and instantiates nothing of the
// rest, so that a mistake is reported once, by the one static_assert in
// launch.h.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_RULES_H
#define FERRY_DETAIL_RULES_H

#include "ferry/arguments.h"
#include "ferry/detail/plain.h"
#include "ferry/detail/text.h"

#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace ferry::detail {

enum class Way {
  Refused,
  Value,     ///< bytes, copied
  Span,      ///< a buffer and, but for a static extent, its length
  Pointer,   ///< a buffer
  Reference, ///< a buffer of one object
};

struct Verdict {
  Way How = Way::Refused;
  Text Mistake;
};

constexpr Verdict allow(Way How) { return {How, {}}; }

template <class... Parts> constexpr Verdict refuse(Parts... P) {
  Verdict V;
  (V.Mistake << ... << P);
  return V;
}

template <class T> inline constexpr bool IsSpan = false;
template <class T, std::size_t N>
inline constexpr bool IsSpan<std::span<T, N>> = true;

template <class T> inline constexpr bool IsMapped = false;
template <class T, unsigned Access>
inline constexpr bool IsMapped<Mapped<T, Access>> = true;

template <class T> struct MappedTraits;
template <class T, unsigned A> struct MappedTraits<Mapped<T, A>> {
  using Element = T;
  static constexpr unsigned Access = A;
};

template <class A> struct AsSpan {
  using type = A;
};
/// Launches take a resident for the span of its elements.
template <class T> struct AsSpan<resident<T>> {
  using type = std::span<T>;
};
template <class A>
inline constexpr bool IsResident = !std::is_same_v<typename AsSpan<A>::type, A>;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

#define FERRY_IS_INT128(T)                                                     \
  (std::is_same_v<T, __int128> || std::is_same_v<T, unsigned __int128>)

template <class T>
inline constexpr bool IsInteger = std::is_integral_v<T> || FERRY_IS_INT128(T);
template <class T>
inline constexpr bool IsFloat =
    std::is_floating_point_v<T> || std::is_same_v<T, _Float16> ||
    std::is_same_v<T, __bf16>;

template <class T>
inline constexpr bool IsSigned = IsInteger<T> ? static_cast<T>(-1) < T() : true;

/// Bits of the mantissa, with the one that is not stored; and of the exponent.
struct FloatFormat {
  int Mantissa, Exponent;
};
template <class T> consteval FloatFormat floatFormat() {
  if (std::is_same_v<T, _Float16>)
    return {11, 5};
  if (std::is_same_v<T, __bf16>)
    return {8, 8};
  if (std::is_same_v<T, float>)
    return {24, 8};
  if (std::is_same_v<T, double>)
    return {53, 11};
  return {64, 15};
}

template <class T> consteval int valueBits() {
  if (std::is_same_v<T, bool>)
    return 1;
  return static_cast<int>(sizeof(T) * 8) - (IsSigned<T> ? 1 : 0);
}

/// Every value of `From` is a value of `To`.
template <class To, class From> consteval bool isLossless() {
  if constexpr (std::is_same_v<To, From>)
    return true;
  else if constexpr (IsInteger<To> && IsInteger<From>)
    return valueBits<From>() <= valueBits<To>() &&
           (IsSigned<To> || !IsSigned<From>);
  else if constexpr (IsFloat<To> && IsInteger<From>) {
    // The magnitude must fit the mantissa, and half's exponent ends early.
    constexpr FloatFormat F = floatFormat<To>();
    return valueBits<From>() <= F.Mantissa &&
           valueBits<From>() < (1 << (F.Exponent - 1));
  } else if constexpr (IsFloat<To> && IsFloat<From>) {
    constexpr FloatFormat T = floatFormat<To>(), F = floatFormat<From>();
    return F.Mantissa <= T.Mantissa && F.Exponent <= T.Exponent;
  } else
    return false;
}

/// An unscoped enum converts as the integer that it promotes to.
template <class T> consteval auto arithmeticOf() {
  if constexpr (std::is_enum_v<T> && std::is_convertible_v<T, int>)
    return std::type_identity<decltype(+T())>();
  else
    return std::type_identity<T>();
}

/// The argument can go to the parameter only if it is a constant that fits.
template <class P, class A> consteval bool wantsConstant() {
  using To = std::remove_cvref_t<P>;
  using From = typename decltype(arithmeticOf<std::remove_cvref_t<A>>())::type;
  if constexpr (IsInteger<To> && IsInteger<From>)
    return !isLossless<To, From>() && !std::is_same_v<To, bool>;
  else
    return false;
}

template <class To> consteval bool isInRange(__int128 Value) {
  if constexpr (FERRY_IS_INT128(To))
    return IsSigned<To> || Value >= 0;
  else
    return Value >= static_cast<__int128>(std::numeric_limits<To>::min()) &&
           Value <= static_cast<__int128>(std::numeric_limits<To>::max());
}

//===----------------------------------------------------------------------===//
// The verdicts
//===----------------------------------------------------------------------===//

constexpr std::string_view HowToPassPointers =
    "write ferry::in(p, n), ferry::out(p, n) or ferry::inout(p, n) with the "
    "number of elements";

template <class E>
constexpr Verdict judgeElement(std::string_view Type, Way How) {
  using T = std::remove_cv_t<std::remove_all_extents_t<E>>;
  if constexpr (std::is_void_v<T>)
    return refuse("void has no size; use the type of the elements, or "
                  "std::byte");
  else if constexpr (!std::is_trivially_copyable_v<T>)
    return refuse("the kernel's parameter '", Type, "' has elements of type '",
                  typeName<T>(),
                  "', which is not trivially copyable; use elements whose "
                  "bytes can be copied");
  else if constexpr (!isPlain<T>())
    return refuse("the kernel's parameter '", Type, "' has elements of type '",
                  typeName<T>(),
                  "', which is or holds a pointer or reference; a device "
                  "cannot follow it: pass the data as an argument of its own, "
                  "and indices instead of pointers");
  else
    return allow(How);
}

/// in(), out() or inout() to a parameter that is `Element *` or a span of it.
template <class P, class Element, class M>
constexpr Verdict judgeMapped(Way How) {
  using Given = typename MappedTraits<M>::Element;
  constexpr unsigned Access = MappedTraits<M>::Access;
  if constexpr (!std::is_same_v<std::remove_const_t<Given>,
                                std::remove_const_t<Element>>)
    return refuse("elements of type '", typeName<std::remove_const_t<Given>>(),
                  "' given for the kernel's parameter '", typeName<P>(),
                  "'; the element types must be the same");
  else if constexpr (Access == FERRY_FIELD_READ && !std::is_const_v<Element>)
    return refuse("ferry::in(...) given for the kernel's parameter '",
                  typeName<P>(),
                  "', which can be written; write ferry::inout(...) or "
                  "ferry::out(...), or make the parameter point to const");
  else if constexpr (Access == FERRY_FIELD_WRITE && std::is_const_v<Element>)
    return refuse("ferry::out(...) given for the kernel's parameter '",
                  typeName<P>(),
                  "', which cannot be written; write ferry::in(...)");
  else if constexpr ((Access & FERRY_FIELD_WRITE) && std::is_const_v<Given>)
    return refuse("ferry::out(...) or ferry::inout(...) of memory that is "
                  "const; write ferry::in(...)");
  else
    return judgeElement<Element>(typeName<P>(), How);
}

template <class P, class A> constexpr Verdict judgeSpan() {
  using Span = std::remove_cvref_t<P>;
  using Element = typename Span::element_type;
  using U = std::remove_cvref_t<A>;
  if constexpr (IsMapped<U>)
    return judgeMapped<P, Element, U>(Way::Span);
  else if constexpr (!ContiguousRange<std::remove_reference_t<A>>)
    return refuse("'", typeName<U>(), "' given for the kernel's parameter '",
                  typeName<P>(),
                  "'; pass a vector, array, span or C array, or "
                  "ferry::inout(p, n)");
  else {
    using Given = ElementOf<A>;
    if constexpr (!std::is_same_v<std::remove_const_t<Given>,
                                  std::remove_const_t<Element>>)
      return refuse("'", typeName<U>(), "' given for the kernel's parameter '",
                    typeName<P>(), "'; the element types must be the same");
    else if constexpr (!std::is_const_v<Element> && std::is_const_v<Given>)
      return refuse("the elements of '", typeName<std::remove_reference_t<A>>(),
                    "' are const, but the kernel's parameter is '",
                    typeName<P>(),
                    "'; pass something that can be written, or make the "
                    "parameter std::span<const ",
                    typeName<Element>(), ">");
    else if constexpr (!std::is_const_v<Element> && LosesElements<A>)
      return refuse("a temporary '", typeName<U>(),
                    "' given for the kernel's parameter '", typeName<P>(),
                    "': what the kernel writes would be lost; pass a "
                    "variable, or make the parameter std::span<const ",
                    typeName<Element>(), ">");
    else if constexpr (Span::extent != std::dynamic_extent &&
                       SpanOf<A>::extent != std::dynamic_extent &&
                       Span::extent != SpanOf<A>::extent)
      return refuse("'", typeName<U>(), "' has ", SpanOf<A>::extent,
                    " elements, but the kernel's parameter '", typeName<P>(),
                    "' takes ", Span::extent);
    else
      return judgeElement<Element>(typeName<P>(), Way::Span);
  }
}

template <class P, class A> constexpr Verdict judgePointer() {
  using Element = std::remove_pointer_t<P>;
  using U = std::remove_cvref_t<A>;
  if constexpr (std::is_function_v<Element>)
    return refuse("the kernel's parameter '", typeName<P>(),
                  "' is a function pointer, which means nothing on a device; "
                  "make the function a template parameter of the kernel");
  else if constexpr (IsMapped<U>)
    return judgeMapped<P, Element, U>(Way::Pointer);
  else
    return refuse("'", typeName<U>(), "' given for the kernel's parameter '",
                  typeName<P>(), "'; ", HowToPassPointers,
                  ", or make the parameter a std::span");
}

/// Parameters whose type says that they hold an array of their own.
template <class T> consteval bool isContainer() {
  return requires(T &Object) { Object.begin() != Object.end(); } &&
         !std::is_trivially_copyable_v<T>;
}

template <class P, class T> constexpr Verdict judgeType() {
  if constexpr (isContainer<T>())
    return refuse("the kernel's parameter is '", typeName<P>(),
                  "', whose memory a device cannot manage; make it a "
                  "std::span<const T> or std::span<T>");
  else if constexpr (!std::is_trivially_copyable_v<
                         std::remove_all_extents_t<T>>)
    return refuse("the kernel's parameter type '", typeName<P>(),
                  "' is not trivially copyable; pass a struct whose bytes can "
                  "be copied, or its parts as arguments of their own");
  else if constexpr (!isPlain<T>())
    return refuse("the kernel's parameter type '", typeName<P>(),
                  "' is or holds a pointer or reference; a device cannot "
                  "follow it: pass the data that it points to as an argument "
                  "of its own, to a std::span parameter");
  else
    return allow(Way::Value);
}

/// A parameter `const T` or `const T &` and an argument of another type.
template <class P, class A> constexpr Verdict judgeConversion() {
  using T = std::remove_cvref_t<P>;
  using U = std::remove_cvref_t<A>;
  using From = typename decltype(arithmeticOf<U>())::type;
  if constexpr ((IsInteger<T> || IsFloat<T>) &&
                (IsInteger<From> || IsFloat<From>)) {
    if constexpr (isLossless<T, From>() || wantsConstant<P, A>())
      return allow(Way::Value);
    else
      return refuse("'", typeName<U>(), "' to '", typeName<T>(),
                    "' may change the value; write static_cast<", typeName<T>(),
                    ">(...)");
  } else if constexpr (std::is_class_v<T> && std::is_convertible_v<A, T>)
    return allow(Way::Value);
  else if constexpr (std::is_enum_v<T> && IsInteger<From>)
    return refuse("'", typeName<U>(), "' given for the kernel's parameter '",
                  typeName<P>(), "'; write static_cast<", typeName<T>(),
                  ">(...)");
  else if constexpr (IsMapped<U>)
    return refuse("ferry::in(...), out(...) or inout(...) given for the "
                  "kernel's parameter '",
                  typeName<P>(), "', which is neither a pointer nor a span");
  else
    return refuse("'", typeName<U>(), "' given for the kernel's parameter '",
                  typeName<P>(), "', to which it does not convert");
}

/// A C array goes to a std::array parameter as it lies.
template <class T, class U> inline constexpr bool IsSameArray = false;
template <class E, std::size_t N>
inline constexpr bool IsSameArray<std::array<E, N>, E[N]> = true;

template <class P, class A> constexpr Verdict judgeValue() {
  using T = std::remove_cvref_t<P>;
  using U = std::remove_cvref_t<A>;
  constexpr Verdict Type = judgeType<P, T>();
  if constexpr (Type.How == Way::Refused)
    return Type;
  else if constexpr (std::is_same_v<T, U> || IsSameArray<T, U>)
    return allow(Way::Value);
  else
    return judgeConversion<P, A>();
}

template <class P, class A> constexpr Verdict judgeReference() {
  using T = std::remove_reference_t<P>;
  using G = std::remove_reference_t<A>;
  constexpr bool SameType =
      std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<G>>;
  constexpr Verdict Type = judgeType<P, std::remove_cv_t<T>>();
  if constexpr (Type.How == Way::Refused)
    return Type;
  else if constexpr (!SameType && std::is_const_v<T>)
    return judgeConversion<P, A>();
  else if constexpr (!SameType)
    return refuse("'", typeName<std::remove_cv_t<G>>(),
                  "' given for the kernel's parameter '", typeName<P>(),
                  "'; the types must be the same");
  else if constexpr (std::is_const_v<T>)
    // Nobody else can see a temporary: it may travel by value.
    return allow(std::is_lvalue_reference_v<A> || std::is_array_v<T>
                     ? Way::Reference
                     : Way::Value);
  else if constexpr (!std::is_lvalue_reference_v<A>)
    return refuse("a temporary given for the kernel's parameter '",
                  typeName<P>(),
                  "': what the kernel writes would be lost; pass a variable");
  else if constexpr (std::is_const_v<G>)
    return refuse("a const '", typeName<std::remove_cv_t<G>>(),
                  "' given for the kernel's parameter '", typeName<P>(),
                  "', which can be written; pass a variable, or make the "
                  "parameter const");
  else
    return allow(Way::Reference);
}

/// P: the kernel's parameter type. A: the argument's type, an lvalue reference
/// for an lvalue.
template <class P, class A> constexpr Verdict judge() {
  using U = std::remove_cvref_t<A>;
  if constexpr (std::is_pointer_v<U> || std::is_null_pointer_v<U>)
    return refuse("a bare pointer '", typeName<U>(),
                  "' says nothing about how much memory it points to; ",
                  HowToPassPointers);
  else if constexpr (std::is_rvalue_reference_v<P>)
    return refuse("the kernel's parameter is '", typeName<P>(),
                  "'; take it by value");
  else if constexpr (IsSpan<std::remove_cvref_t<P>>) {
    if constexpr (std::is_reference_v<P> &&
                  !std::is_const_v<std::remove_reference_t<P>>)
      return refuse("the kernel's parameter is '", typeName<P>(),
                    "'; take the span by value");
    else
      return judgeSpan<
          P, std::conditional_t<IsResident<U>, typename AsSpan<U>::type, A>>();
  } else if constexpr (std::is_pointer_v<P>)
    return judgePointer<P, A>();
  else if constexpr (std::is_reference_v<P>)
    return judgeReference<P, A>();
  else
    return judgeValue<P, A>();
}

} // namespace ferry::detail

#undef FERRY_IS_INT128

#endif // FERRY_DETAIL_RULES_H
