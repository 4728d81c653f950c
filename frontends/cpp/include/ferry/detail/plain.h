//===- ferry/detail/plain.h - Which types hold no pointers ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value whose bytes are sent to a device must hold no pointer and no
// reference, at any depth: not in a private member, a base class, an array or a
// lambda's capture. C++20 has no reflection, but clang's
// __builtin_dump_struct(p, f) is written as calls of f, one for each member,
// whatever its access:
//
//   f("%s%s %s = %d\n", indent, "int", "count", p->count);
//   f("%s%s %s : %zu = %d\n", indent, "int", "flags", 3, p->flags);  //
//   bit-field f("%s%s %s = *%p\n", indent, "float[4]", "v", &p->v); // the rest
//
// and opens members of class type in turn. So "f can be called with every
// member" is a question that a requires-expression answers from the types
// alone: the visitors below refuse what they do not want. One thing the types
// hide: the last form is used for references too, and there &p->r has the type
// of the referent's address. Where that leaves a doubt, a constant evaluation
// on an object that was never initialised decides: the address of a member can
// be formed, the reference cannot be read.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_PLAIN_H
#define FERRY_DETAIL_PLAIN_H

#include <cstddef>
#include <type_traits>

namespace ferry::detail {

template <class T> consteval bool holdsNoPointers();

/// Types whose values __builtin_dump_struct passes themselves. It passes an
/// address of such a type for references alone.
template <class T>
inline constexpr bool IsPrintable =
    std::is_enum_v<T> || std::is_pointer_v<T> || std::is_same_v<T, bool> ||
    std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
    std::is_same_v<T, unsigned char> || std::is_same_v<T, short> ||
    std::is_same_v<T, unsigned short> || std::is_same_v<T, int> ||
    std::is_same_v<T, unsigned int> || std::is_same_v<T, long> ||
    std::is_same_v<T, unsigned long> || std::is_same_v<T, long long> ||
    std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> ||
    std::is_same_v<T, double> || std::is_same_v<T, long double>;

/// What is asked about a member that reaches the visitor as `V &&`: V is an
/// lvalue reference for a member's value, a pointer for an address.
struct IsPointerFree {
  template <class V> static consteval bool admits() {
    using T = std::remove_cvref_t<V>;
    if constexpr (std::is_lvalue_reference_v<V>)
      return holdsNoPointers<T>();
    else if constexpr (std::is_pointer_v<T>) {
      using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
      return !IsPrintable<Pointee> && holdsNoPointers<Pointee>();
    } else
      return true;
  }
  static constexpr bool AdmitsBitFields = true;
};

/// Not passed by address: surely no reference.
struct IsSurelyNoReference {
  template <class V> static consteval bool admits() {
    return std::is_lvalue_reference_v<V> || !std::is_pointer_v<V>;
  }
  static constexpr bool AdmitsBitFields = true;
};

struct IsNoBitField {
  template <class V> static consteval bool admits() { return true; }
  static constexpr bool AdmitsBitFields = false;
};

/// Callable with every member that Question admits. Never called, but for the
/// constant evaluation of addresses.
template <class Question> struct Visitor {
  constexpr void operator()(const char *) const {}
  template <class A> constexpr void operator()(const char *, const A &) const {}
  template <class A, class B>
  constexpr void operator()(const char *, const A &, const B &) const {}
  template <class A, class B, class C>
  constexpr void operator()(const char *, const A &, const B &,
                            const C &) const {}
  template <class A, class B, class C, class V>
    requires(Question::template admits<V>())
  constexpr void operator()(const char *, const A &, const B &, const C &,
                            V &&) const {}
  template <class A, class B, class C, class V>
    requires(Question::AdmitsBitFields)
  constexpr void operator()(const char *, const A &, const B &, const C &,
                            std::size_t, const V &) const {}
};

template <class T, class Question>
concept Every =
    requires(const T *P, Visitor<Question> F) { __builtin_dump_struct(P, F); };

template <class T> union Uninitialised {
  char None;
  T Value;
  constexpr Uninitialised() : None() {}
};

template <class T> constexpr bool formAddresses() {
  Uninitialised<T> Object;
  Visitor<IsNoBitField> F;
  __builtin_dump_struct(static_cast<const T *>(&Object.Value), F);
  return true;
}

template <class T>
concept HasNoReferences =
    requires { typename std::bool_constant<formAddresses<T>()>; };

/// For trivially copyable T.
template <class T> consteval bool holdsNoPointers() {
  if constexpr (std::is_array_v<T>)
    return holdsNoPointers<std::remove_cv_t<std::remove_all_extents_t<T>>>();
  else if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
    if constexpr (!Every<T, IsPointerFree>)
      return false;
    else if constexpr (Every<T, IsSurelyNoReference>)
      return true;
    else if constexpr (Every<T, IsNoBitField>)
      return HasNoReferences<T>;
    else
      // A bit-field has no address, so there is no evaluating. What was in
      // doubt is then taken for a value: a const reference to an array or to a
      // type that printf does not know, beside a bit-field.
      return true;
  } else
    return std::is_arithmetic_v<T> || std::is_enum_v<T> ||
           !(std::is_pointer_v<T> || std::is_member_pointer_v<T> ||
             std::is_null_pointer_v<T> || std::is_function_v<T> ||
             std::is_void_v<T>);
}

/// Types whose bytes mean the same on every device.
template <class T> consteval bool isPlain() {
  if constexpr (std::is_trivially_copyable_v<T>)
    return holdsNoPointers<T>();
  else
    return false;
}

} // namespace ferry::detail

#endif // FERRY_DETAIL_PLAIN_H
