//===- ferry/detail/argument.h - An argument on its way ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ends of one road. On the host an Argument<P, A> keeps what was passed and
// writes the operands of its fields (markers.h). On the device a loader
// rebuilds the parameter from the block of fields. A loader depends on the
// parameter and on the access alone, not on the argument's type, so that a
// kernel launched with a vector here and a span there is one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_ARGUMENT_H
#define FERRY_DETAIL_ARGUMENT_H

#include "ferry/detail/rules.h"

#include <limits>

namespace ferry::detail {

/// A field of the block as far as it is known while compiling. `Bytes` is 0 for
/// a buffer.
struct FieldType {
  std::uint64_t Kind = FERRY_FIELD_BYTES;
  std::uint64_t Bytes = 0;

  constexpr bool isBuffer() const { return Kind & FERRY_FIELD_BUFFER; }
  constexpr std::uint64_t room() const {
    return isBuffer() ? sizeof(void *) : (Bytes + 7) / 8 * 8;
  }
};

template <std::size_t N> struct FieldTypes {
  FieldType Field[N];
  static constexpr std::size_t Count = N;

  constexpr std::uint64_t room() const {
    std::uint64_t Sum = 0;
    for (const FieldType &F : Field)
      Sum += F.room();
    return Sum;
  }
};

/// The rest of a field. `Bytes` counts for a buffer alone.
struct Operand {
  const void *Value;
  std::uint64_t Bytes;
};

/// What only the run can tell about an argument.
enum class Fault { None, NegativeSize, TooLarge, Null, WrongExtent };

//===----------------------------------------------------------------------===//
// Loaders: constructed from the place in the block, get() gives the parameter
//===----------------------------------------------------------------------===//

#define FERRY_INLINE __attribute__((always_inline)) inline

template <class T> FERRY_INLINE T loadBytes(const char *At) {
  T Value;
  __builtin_memcpy(&Value, At, sizeof(T));
  return Value;
}

/// The union spares T a default constructor.
template <class P> struct ValueLoader {
  using T = std::remove_cvref_t<P>;
  static constexpr FieldTypes<1> Fields = {
      {{FERRY_FIELD_BYTES, std::is_empty_v<T> ? 0 : sizeof(T)}}};

  union {
    T Value;
  };
  FERRY_INLINE explicit ValueLoader(const char *At) {
    __builtin_memcpy(static_cast<void *>(__builtin_addressof(Value)), At,
                     Fields.Field[0].Bytes);
  }
  FERRY_INLINE P get() {
    if constexpr (std::is_reference_v<P>)
      return Value;
    else
      return static_cast<T &&>(Value);
  }
};

template <class P, unsigned Access> struct SpanLoader {
  using Span = std::remove_cvref_t<P>;
  using Element = typename Span::element_type;
  static constexpr bool IsStatic = Span::extent != std::dynamic_extent;
  static constexpr auto Fields = [] {
    constexpr FieldType Buffer = {FERRY_FIELD_BUFFER | Access, 0};
    if constexpr (IsStatic)
      return FieldTypes<1>{{Buffer}};
    else
      return FieldTypes<2>{
          {Buffer, {FERRY_FIELD_BYTES, sizeof(std::uint64_t)}}};
  }();

  Span Value;
  FERRY_INLINE explicit SpanLoader(const char *At)
      : Value(loadBytes<Element *>(At), length(At)) {}
  FERRY_INLINE P get() { return Value; }

private:
  FERRY_INLINE static std::size_t length(const char *At) {
    if constexpr (IsStatic)
      return Span::extent;
    else
      return loadBytes<std::uint64_t>(At + sizeof(void *));
  }
};

template <class P, unsigned Access> struct PointerLoader {
  static constexpr FieldTypes<1> Fields = {{{FERRY_FIELD_BUFFER | Access, 0}}};

  P Value;
  FERRY_INLINE explicit PointerLoader(const char *At)
      : Value(loadBytes<P>(At)) {}
  FERRY_INLINE P get() { return Value; }
};

template <class P> struct ReferenceLoader {
  using T = std::remove_reference_t<P>;
  static constexpr FieldTypes<1> Fields = {
      {{FERRY_FIELD_BUFFER | FERRY_FIELD_READ |
            (std::is_const_v<T> ? 0 : FERRY_FIELD_WRITE),
        0}}};

  T *Value;
  FERRY_INLINE explicit ReferenceLoader(const char *At)
      : Value(loadBytes<T *>(At)) {}
  FERRY_INLINE P get() { return *Value; }
};

#undef FERRY_INLINE

//===----------------------------------------------------------------------===//
// Arguments: constructed from what the user passed
//===----------------------------------------------------------------------===//

inline const void *withoutCv(const volatile void *P) {
  return const_cast<const void *>(P);
}

template <class P, class A, Way How = judge<P, A>().How> struct Argument;

/// Refers to the user's object where it has the parameter's type already, so
/// that a megabyte is not copied twice.
template <class P, class A> struct Argument<P, A, Way::Value> {
  using Loader = ValueLoader<P>;
  using T = typename Loader::T;
  using U = std::remove_cvref_t<A>;
  static constexpr bool Refers = std::is_same_v<T, U> || IsSameArray<T, U>;

  std::conditional_t<Refers, const volatile void *, T> Value;

  explicit Argument(std::remove_reference_t<A> &Given)
      : Value([&]() -> decltype(Value) {
          if constexpr (Refers)
            return __builtin_addressof(Given);
          else
            return static_cast<T>(static_cast<A &&>(Given));
        }()) {}

  Fault check() const { return Fault::None; }
  std::string size() const { return {}; }
  void describe(Operand *Out) const {
    if constexpr (Refers)
      Out[0] = {withoutCv(Value), sizeof(T)};
    else
      Out[0] = {__builtin_addressof(Value), sizeof(T)};
  }
};

/// Memory that was given with a number of elements.
template <class Element> struct Memory {
  Element *Data;
  Count Size;

  Memory(Element *Data, Count Size) : Data(Data), Size(Size) {}

  std::uint64_t bytes() const { return Size.Value * sizeof(Element); }
  std::string size() const { return Size.text(); }
  Fault check() const {
    constexpr auto Largest = std::numeric_limits<std::ptrdiff_t>::max();
    if (Size.Negative)
      return Fault::NegativeSize;
    if (Size.Value > static_cast<std::uint64_t>(Largest) / sizeof(Element))
      return Fault::TooLarge;
    if (!Data && Size.Value)
      return Fault::Null;
    return Fault::None;
  }
};

template <class E> constexpr unsigned accessOf() {
  return std::is_const_v<E> ? FERRY_FIELD_READ
                            : FERRY_FIELD_READ | FERRY_FIELD_WRITE;
}

/// A kernel cannot write through a pointer to const, so inout() to one is in().
/// Scratch memory is nobody's but the kernel's.
template <class E, class U> constexpr unsigned accessOf() {
  if constexpr (IsMapped<U>)
    return MappedTraits<U>::Access & (accessOf<E>() | FERRY_FIELD_SCRATCH);
  else
    return accessOf<E>();
}

template <class P, class A>
struct Argument<P, A, Way::Span>
    : Memory<typename std::remove_cvref_t<P>::element_type> {
  using Span = std::remove_cvref_t<P>;
  using Element = typename Span::element_type;
  using U = std::remove_cvref_t<A>;
  using Loader = SpanLoader<P, accessOf<Element, U>()>;
  using Base = Memory<Element>;

  explicit Argument(const U &Given)
    requires IsMapped<U>
      : Base(Given.Data, Given.Size) {}
  explicit Argument(const U &Given)
    requires IsResident<U>
      : Base(Given.span().data(), Given.span().size()) {}
  explicit Argument(std::remove_reference_t<A> &Given)
    requires(!IsMapped<U> && !IsResident<U>)
      : Base(std::span(Given).data(), std::span(Given).size()) {}

  Fault check() const {
    if (Fault F = Base::check(); F != Fault::None)
      return F;
    if constexpr (Loader::IsStatic)
      if (this->Size.Value != Span::extent)
        return Fault::WrongExtent;
    return Fault::None;
  }
  void describe(Operand *Out) const {
    Out[0] = {withoutCv(this->Data), this->bytes()};
    if constexpr (!Loader::IsStatic)
      Out[1] = {&this->Size.Value, sizeof(std::uint64_t)};
  }
};

template <class P, class A>
struct Argument<P, A, Way::Pointer> : Memory<std::remove_pointer_t<P>> {
  using Element = std::remove_pointer_t<P>;
  using U = std::remove_cvref_t<A>;
  using Loader = PointerLoader<std::remove_cv_t<P>, accessOf<Element, U>()>;

  explicit Argument(const U &Given) : Memory<Element>(Given.Data, Given.Size) {}
  void describe(Operand *Out) const {
    Out[0] = {withoutCv(this->Data), this->bytes()};
  }
};

template <class P, class A> struct Argument<P, A, Way::Reference> {
  using Loader = ReferenceLoader<P>;
  const volatile void *Address;

  explicit Argument(std::remove_reference_t<A> &Given)
      : Address(__builtin_addressof(Given)) {}
  Fault check() const { return Fault::None; }
  std::string size() const { return {}; }
  void describe(Operand *Out) const {
    Out[0] = {withoutCv(Address), sizeof(std::remove_reference_t<P>)};
  }
};

} // namespace ferry::detail

#endif // FERRY_DETAIL_ARGUMENT_H
