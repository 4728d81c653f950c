//===- ferry/detail/marker.h - A launch as the plugin sees it ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// run() checks a launch while compiling, then what only the run can tell, and
// calls the marker __ferry_launch (markers.h). The plugin reads the marker in
// clang's raw IR, where nothing was inlined or folded yet. So what the contract
// calls constant must be a constant expression as it stands in the call, and
// the fields, each three operands of different types, must come from one pack:
// _Generic picks, for operand J of the pack, one of three expressions, and
// clang emits nothing of the other two.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_MARKER_H
#define FERRY_DETAIL_MARKER_H

#include "ferry/detail/argument.h"
#include "ferry/detail/signature.h"
#include "ferry/error.h"
#include "ferry/shape.h"

#include <cstring>
#include <string>
#include <utility>

// _Generic, and messages of static_assert that are put together.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc11-extensions"
#pragma clang diagnostic ignored "-Wc++26-extensions"

extern "C" int __ferry_launch(std::uint64_t version, ...) noexcept;

// Nothing but libferry defines this symbol. A program that was linked without
// it, and whose linker thus complains about functions that its author never
// heard of, shows this text among them.
extern "C" const char
    __ferry_link_hint __asm__("a program that uses Ferry is compiled and "
                              "linked with ferry-c++ or CMake's "
                              "Ferry::ferry");

namespace ferry::detail {

//===----------------------------------------------------------------------===//
// Integer constants
//===----------------------------------------------------------------------===//

constexpr __int128 NoInteger =
    static_cast<__int128>(static_cast<unsigned __int128>(1) << 127);

template <class T> constexpr __int128 asInteger(const T &Value) {
  if constexpr (IsInteger<typename decltype(arithmeticOf<T>())::type>)
    return static_cast<__int128>(Value);
  else
    return NoInteger;
}

template <class List, class... Args> struct ConstantCheck {
  template <class... V> static consteval bool all(V...) { return false; }
};
template <class... P, class... Args>
  requires(sizeof...(P) == sizeof...(Args))
struct ConstantCheck<TypeList<P...>, Args...> {
  template <class Param, class Arg> static consteval bool one(__int128 Value) {
    if constexpr (wantsConstant<Param, Arg>())
      return Value != NoInteger && isInRange<std::remove_cvref_t<Param>>(Value);
    else
      return true;
  }
  template <class... V> static consteval bool all(V... Values) {
    return (one<P, Args>(Values) && ...);
  }
};

/// Without the lambda of parallel_for, which is no argument of the user.
template <auto K>
consteval auto userParameters(FunctionKernel<K>) ->
    typename FunctionKernel<K>::Parameters {
  return {};
}
template <class F>
consteval auto userParameters(ElementKernel<F>) ->
    typename ElementKernel<F>::Element::Rest {
  return {};
}

template <class Kernel, class... Args, class... V>
consteval bool constantsFit(V... Values) {
  using Parameters = decltype(userParameters(Kernel()));
  return ConstantCheck<Parameters, Args...>::all(Values...);
}

//===----------------------------------------------------------------------===//
// What is checked while compiling
//===----------------------------------------------------------------------===//

template <class Shape> consteval Text shapeMistake() {
  if constexpr (std::is_same_v<Shape, blocks_shape>)
    return Text() << "ferry: blocks(...) alone does not say how many threads a "
                     "block has; write ferry::blocks(...).threads(...)";
  else if constexpr (!std::is_same_v<Shape, over_shape> &&
                     !std::is_same_v<Shape, grid_shape>)
    return Text() << "ferry: a launch starts with its shape, not with '"
                  << typeName<Shape>()
                  << "'; write ferry::over(n) or "
                     "ferry::blocks(...).threads(...)";
  else
    return {};
}

template <class Kernel> constexpr std::string_view nameOf() {
  return {Kernel::Name.Buffer, Kernel::NameLength};
}

/// Arguments are counted as the user wrote them: the first after the shape, or
/// after parallel_for's lambda, is number 1.
template <class Kernel, bool ConstantsFit, class P, class A>
consteval Text argumentMistake(std::size_t Number) {
  Verdict V = judge<P, A>();
  if constexpr (!ConstantsFit && wantsConstant<P, A>())
    V = refuse("'", typeName<std::remove_cvref_t<A>>(), "' to '",
               typeName<std::remove_cvref_t<P>>(),
               "' may change the value, and this is not a constant that fits; "
               "write static_cast<",
               typeName<std::remove_cvref_t<P>>(), ">(...)");
  if (V.How != Way::Refused && V.Mistake.empty())
    return {};
  return Text() << "ferry: argument " << Number << " of kernel '"
                << nameOf<Kernel>() << "': "
                << std::string_view(V.Mistake.data(), V.Mistake.size());
}

template <class Kernel, bool ConstantsFit, class List, class... Args>
struct ArgumentCheck;
template <class Kernel, bool ConstantsFit, class... P, class... Args>
struct ArgumentCheck<Kernel, ConstantsFit, TypeList<P...>, Args...> {
  static consteval Text mistake() {
    if constexpr (sizeof...(P) != sizeof...(Args))
      return Text() << "ferry: kernel '" << nameOf<Kernel>() << "' takes "
                    << sizeof...(P) - Kernel::Hidden
                    << (sizeof...(P) - Kernel::Hidden == 1 ? " argument, "
                                                           : " arguments, ")
                    << sizeof...(Args) - Kernel::Hidden << " given";
    else {
      Text First;
      std::size_t Number = 1 - Kernel::Hidden;
      (...,
       (First = First.empty()
                    ? argumentMistake<Kernel, ConstantsFit, P, Args>(Number)
                    : First,
        ++Number));
      return First;
    }
  }
};

//===----------------------------------------------------------------------===//
// What is checked when the launch is reached
//===----------------------------------------------------------------------===//

[[gnu::cold]] inline int fail(int Status, const std::string &Message) {
  return ferry_fail(Status, Message.data(), Message.size());
}

/// "kernel 'saxpy' launched at app.cpp:12: "
[[gnu::cold]] inline std::string placeOf(std::string_view Kernel,
                                         const std::source_location &Where) {
  return "kernel '" + std::string(Kernel) + "' launched at " +
         Where.file_name() + ":" + std::to_string(Where.line()) + ": ";
}

template <class Shape>
[[gnu::cold]] int shapeFault(const Shape &S, std::string_view Kernel) {
  std::string Place = placeOf(Kernel, S.Where);
  if (S.DeviceGiven && S.Device < 0)
    return fail(FERRY_STATUS_NO_DEVICE,
                Place + "there is no device " + std::to_string(S.Device) +
                    ": devices are numbered 0 to " +
                    std::to_string(ferry_device_count() - 1));
  return fail(FERRY_STATUS_INVALID_SHAPE,
              Place + "a shape of " + S.Extent.text() +
                  (Shape::Kind == FERRY_OVER
                       ? " threads"
                       : " blocks of " + S.Block.text() + " threads") +
                  " has a negative count");
}

/// The elements go with the argument, when the call is over.
template <class P, class A> consteval bool isOfTemporary() {
  using U = std::remove_cvref_t<A>;
  constexpr Way How = judge<P, A>().How;
  if constexpr (std::is_lvalue_reference_v<A> || IsMapped<U> || IsResident<U>)
    return false;
  else
    return How == Way::Reference ||
           (How == Way::Span && !std::ranges::enable_borrowed_range<U>);
}

[[gnu::cold]] inline int temporaryFault(std::size_t Number,
                                        std::string_view Kernel,
                                        const std::source_location &Where) {
  return fail(FERRY_STATUS_INVALID_ARGUMENT,
              placeOf(Kernel, Where) + "argument " + std::to_string(Number) +
                  " is a temporary, which is gone before the stream comes to "
                  "the launch; pass a variable");
}

template <class P>
[[gnu::cold]] int argumentFault(Fault F, const std::string &Size,
                                std::size_t Number, std::string_view Kernel,
                                const std::source_location &Where) {
  std::string Text = placeOf(Kernel, Where) + "argument " +
                     std::to_string(Number) + " has " + Size + " elements";
  if (F == Fault::Null)
    Text += " at a null pointer";
  else if (F == Fault::WrongExtent)
    Text +=
        ", but the kernel's parameter is '" + std::string(typeName<P>()) + "'";
  else
    Text += ", which no array can have";
  return fail(FERRY_STATUS_INVALID_ARGUMENT, Text);
}

//===----------------------------------------------------------------------===//
// The shim, and the call of the marker
//===----------------------------------------------------------------------===//

/// All fields of a launch in a row, and where each argument's begin.
template <class... Loaders> struct Layout {
  static constexpr std::size_t Count = (0 + ... + Loaders::Fields.Count);
  /// One more, for no array is empty.
  FieldType Fields[Count + 1] = {};
  std::size_t First[sizeof...(Loaders) + 1] = {};
  std::uint64_t Offset[sizeof...(Loaders) + 1] = {};

  consteval Layout() {
    std::size_t Argument = 0;
    (add(Argument, Loaders::Fields), ...);
  }

private:
  template <std::size_t N>
  consteval void add(std::size_t &Argument, const FieldTypes<N> &Added) {
    for (std::size_t I = 0; I < N; ++I)
      Fields[First[Argument] + I] = Added.Field[I];
    First[Argument + 1] = First[Argument] + N;
    Offset[Argument + 1] = Offset[Argument] + Added.room();
    ++Argument;
  }
};

template <class... Loaders> inline constexpr Layout<Loaders...> LayoutOf = {};

template <std::size_t I, class... Loaders>
inline constexpr std::uint64_t KindOf = LayoutOf<Loaders...>.Fields[I].Kind;
template <std::size_t I, class... Loaders>
inline constexpr std::uint64_t BytesOf = LayoutOf<Loaders...>.Fields[I].Bytes;
template <std::size_t I, class... Loaders>
inline constexpr std::size_t FirstOf = LayoutOf<Loaders...>.First[I];
template <std::size_t I, class... Loaders>
inline constexpr std::uint64_t OffsetOf = LayoutOf<Loaders...>.Offset[I];

template <class Kernel, class... Loaders, std::size_t... I>
__attribute__((always_inline)) inline void
runThread(const char *Block, std::index_sequence<I...>) {
  Kernel::call(Loaders(Block + OffsetOf<I, Loaders...>).get()...);
}

/// Runs one thread. Its address is the kernel's identity.
template <class Kernel, class... Loaders> void shim(const void *Block) {
  runThread<Kernel, Loaders...>(static_cast<const char *>(Block),
                                std::index_sequence_for<Loaders...>());
}

struct KindTag {};
struct ValueTag {};
struct BytesTag {};
template <std::size_t J>
using OperandTag =
    std::conditional_t<J % 3 == 0, KindTag,
                       std::conditional_t<J % 3 == 1, ValueTag, BytesTag>>;

template <class Kernel, class Shape, class... Loaders, std::size_t... J>
int mark(const Shape &S, const Operand *Operands,
         std::index_sequence<J...>) noexcept {
  const char *File = S.Where.file_name();
  return __ferry_launch(
      std::uint64_t{FERRY_MARKER_VERSION},
      static_cast<void (*)(const void *)>(&shim<Kernel, Loaders...>),
      static_cast<const char *>(Kernel::Name.Buffer),
      std::uint64_t{Kernel::NameLength}, File, std::uint64_t{strlen(File)},
      std::uint64_t{S.Where.line()}, std::uint64_t{S.Where.column()},
      std::uint64_t{Shape::Kind}, S.Extent.X.Value, S.Extent.Y.Value,
      S.Extent.Z.Value, S.Block.X.Value, S.Block.Y.Value, S.Block.Z.Value,
      std::uint64_t{S.SharedBytes}, FERRY_ON_STREAM(S.Stream, S.Device),
      std::uint64_t{sizeof...(J) / 3},
      _Generic(OperandTag<J>{},
          KindTag: KindOf<J / 3, Loaders...>,
          ValueTag: Operands[J / 3].Value,
          BytesTag: (KindOf<J / 3, Loaders...> == FERRY_FIELD_BYTES
                         ? BytesOf<J / 3, Loaders...>
                         : Operands[J / 3].Bytes))...);
}

/// Keeps the hint about linking in every object that launches; a template, so
/// that it is in no other.
template <class = void> struct LinkHint {
  [[gnu::used]] static inline const char *const Symbol = &__ferry_link_hint;
};

template <class Kernel, class List, class... Args> struct Runner;
template <class Kernel, class... P, class... Args>
struct Runner<Kernel, TypeList<P...>, Args...> {
  template <class Shape, std::size_t... I>
  static int run(const Shape &S, std::index_sequence<I...>,
                 std::remove_reference_t<Args> &...Given) {
    return start(S, std::index_sequence<I...>(), Argument<P, Args>(Given)...);
  }

private:
  template <class Shape, std::size_t... I>
  static int start(const Shape &S, std::index_sequence<I...>,
                   const Argument<P, Args> &...Arguments) {
    if (S.Extent.negative() || S.Block.negative() ||
        (S.DeviceGiven && S.Device < 0))
      return shapeFault(S, nameOf<Kernel>());
    if constexpr ((... || isOfTemporary<P, Args>())) {
      std::size_t Temporary = 0;
      (..., (Temporary = !Temporary && isOfTemporary<P, Args>()
                             ? I + 1 - Kernel::Hidden
                             : Temporary));
      if (S.Stream)
        return temporaryFault(Temporary, nameOf<Kernel>(), S.Where);
    }
    int Status = FERRY_STATUS_OK;
    (void)(... && check<P>(Status, Arguments, I + 1 - Kernel::Hidden, S.Where));
    if (Status)
      return Status;
    Operand Operands[Layout<typename Argument<P, Args>::Loader...>::Count + 1];
    (..., Arguments.describe(
              Operands + FirstOf<I, typename Argument<P, Args>::Loader...>));
    return mark<Kernel, Shape, typename Argument<P, Args>::Loader...>(
        S, Operands,
        std::make_index_sequence<
            Layout<typename Argument<P, Args>::Loader...>::Count * 3>());
  }

  template <class Param, class A>
  static bool check(int &Status, const A &Given, std::size_t Number,
                    const std::source_location &Where) {
    if (Fault F = Given.check(); F != Fault::None)
      Status = argumentFault<Param>(F, Given.size(), Number, nameOf<Kernel>(),
                                    Where);
    return Status == FERRY_STATUS_OK;
  }
};

/// The first mistake of a launch; empty when there is none.
template <class Kernel, bool ConstantsFit, class Shape, class... Args>
consteval Text findMistake() {
  if (Text Reason = Kernel::mistake(); !Reason.empty())
    return Text() << "ferry: kernel '" << nameOf<Kernel>() << "' "
                  << std::string_view(Reason.data(), Reason.size());
  if (Text Wrong = shapeMistake<Shape>(); !Wrong.empty())
    return Wrong;
  return ArgumentCheck<Kernel, ConstantsFit, typename Kernel::Parameters,
                       Args...>::mistake();
}

/// Returns a FERRY_STATUS_*. `ConstantsFit`: the arguments that may only be
/// constants were seen to be some.
template <class Kernel, bool ConstantsFit, class Shape, class... Args>
int run(const Shape &S, Args &&...Given) {
  constexpr Text Mistake = findMistake<Kernel, ConstantsFit, Shape, Args...>();
  static_assert(Mistake.empty(), Mistake);
  if constexpr (Mistake.empty()) {
    (void)LinkHint<>::Symbol;
    using R = Runner<Kernel, typename Kernel::Parameters, Args...>;
    return R::run(S, std::index_sequence_for<Args...>(), Given...);
  }
}

/// From a FERRY_STATUS_*.
inline status statusOf(int Code) noexcept {
  if (Code == FERRY_STATUS_OK)
    return {};
  return {static_cast<errc>(Code), ferry_last_error()};
}

} // namespace ferry::detail

#pragma clang diagnostic pop

#endif // FERRY_DETAIL_MARKER_H
