//===- ferry/reduce.h - One value from all threads --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// parallel_reduce is one launch. The elements are cut into parts, each part
// writes its result to scratch memory, and the part that finishes last combines
// these in order and writes the one value that is copied back. The cut depends
// on the device's kind and the number of elements alone, so the result is the
// same to the bit in every run, whichever part is last.
//
// On cpu a part is a thread with consecutive elements. It keeps a cache line or
// more of partial results, one for each element of a group, so that a whole
// group is combined by vector instructions whatever the operator is: no order
// of additions has to be given up for that, as it would with one sum. On a GPU
// a part is a block of 256 threads whose elements lie interleaved.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_REDUCE_H
#define FERRY_REDUCE_H

#include "ferry/block.h"
#include "ferry/detail/cooperate.h"
#include "ferry/detail/reducible.h"
#include "ferry/launch.h"

#include <bit>
#include <utility>

// Messages of static_assert that are put together.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"

#define FERRY_INLINE __attribute__((always_inline)) inline

namespace ferry {
namespace detail {

//===----------------------------------------------------------------------===//
// What can be reduced
//===----------------------------------------------------------------------===//

template <class T, class F> consteval Text elementMistake() {
  using S = decltype(signatureOf<F>());
  using Element = ElementParameters<decltype(parametersOf<S>())>;
  if constexpr (!std::is_class_v<F>)
    return Text() << "is not a lambda; pass a lambda that takes the element's "
                     "number and returns its value";
  else if constexpr (!S::IsKnown)
    return commonMistake<F>();
  else if constexpr (!Element::TakesIndex)
    return Text() << "does not take the element's number; make its first "
                     "parameter std::size_t";
  else if constexpr (!std::is_convertible_v<typename S::Result, T>)
    return Text() << "returns '" << typeName<typename S::Result>()
                  << "', which does not convert to the initial value's type '"
                  << typeName<T>() << "'";
  else
    return captureMistake<F>();
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// What both kernels are told besides the user's arguments.
template <class Op, class F> struct ReducePlan {
  [[no_unique_address]] Op Combine;
  [[no_unique_address]] F Element;
  std::uint64_t Count; ///< of elements, at least 1
  std::uint64_t Each;  ///< elements of a part on cpu; threads of a GPU's launch
  FinishLine Finish;
};

/// Partial results of one thread. Numbers have 64 of them, even where these do
/// not fit into registers: a loop of 64 is vectorised as a loop, while fewer
/// rounds are written out first, and what is written out is vectorised badly.
template <class T>
inline constexpr std::size_t LanesOf =
    sizeof(T) <= 8     ? 64
    : sizeof(T) >= 128 ? 2
                       : std::bit_floor(256 / sizeof(T));

/// Visit(0) to Visit(Lanes - 1). Few are written out, so that an array that
/// they index becomes registers in any case; of many the optimiser decides.
template <std::size_t Lanes, class Visitor>
FERRY_INLINE void forLanes(Visitor Visit) {
  if constexpr (Lanes <= 8)
    [&]<std::size_t... L>(std::index_sequence<L...>) {
      (Visit(L), ...);
    }(std::make_index_sequence<Lanes>());
  else
    for (std::size_t L = 0; L < Lanes; ++L)
      Visit(L);
}

template <std::size_t Lanes, class T, class Op>
FERRY_INLINE void foldLanes(T *Value, Op &Combine) {
  if constexpr (Lanes > 1) {
    forLanes<Lanes / 2>([&](std::size_t L) {
      Value[L] = Combine(Value[L], Value[L + Lanes / 2]);
    });
    foldLanes<Lanes / 2>(Value, Combine);
  }
}

/// Combines the values Get(Begin), Get(Begin + Step) ... below End, at least
/// one. Value number i goes to partial result i % Lanes.
template <std::size_t Lanes, class T, class Op, class Getter>
FERRY_INLINE T foldElements(std::uint64_t Begin, std::uint64_t End,
                            std::uint64_t Step, Op &Combine, Getter Get) {
  if (End - Begin <= (Lanes - 1) * Step) {
    T Total = Get(Begin);
    for (std::uint64_t I = Begin + Step; I < End; I += Step)
      Total = Combine(Total, Get(I));
    return Total;
  }
  union Partial {
    char None;
    T Value[Lanes];
    FERRY_INLINE Partial() : None() {}
  } P;
  forLanes<Lanes>(
      [&](std::size_t L) { ::new (&P.Value[L]) T(Get(Begin + L * Step)); });
  std::uint64_t I = Begin + Step * Lanes;
  for (; I < End && End - I > (Lanes - 1) * Step; I += Step * Lanes)
    forLanes<Lanes>([&](std::size_t L) {
      P.Value[L] = Combine(P.Value[L], Get(I + L * Step));
    });
  for (; I < End; I += Step)
    P.Value[0] = Combine(P.Value[0], Get(I));
  foldLanes<Lanes>(P.Value, Combine);
  return P.Value[0];
}

/// What the kernels of a reduction have in common. The plan, the scratch and
/// the result travel before the user's arguments.
template <class T, class Op, class F> struct ReduceKernel {
  using Plan = ReducePlan<Op, F>;
  using S = decltype(signatureOf<F>());
  using Element = ElementParameters<decltype(parametersOf<S>())>;
  template <class... P>
  static auto parameters(TypeList<P...>) -> TypeList<Plan, T *, T *, P...>;
  using Parameters = decltype(parameters(typename Element::Rest()));
  static constexpr std::size_t Hidden = 3;

  static constexpr std::string_view RawName = kernelName(typeName<F>());
  static constexpr std::size_t NameLength = nameLength(RawName);
  static constexpr auto Name = nameCharacters<NameLength>(RawName);

  static consteval Text mistake() {
    if (Text Mistake = elementMistake<T, F>(); !Mistake.empty())
      return Mistake;
    return operatorMistake<T, Op>();
  }
};

/// With the user's arguments alone.
template <class T, class Op, class F>
struct WrittenReduceKernel : ReduceKernel<T, Op, F> {
  static constexpr std::size_t Hidden = 0;
};

template <class T, class Op, class F>
struct CpuReduceKernel : ReduceKernel<T, Op, F> {
  using typename ReduceKernel<T, Op, F>::Plan;
  using Index = typename ReduceKernel<T, Op, F>::Element::Index;

  template <class... P>
  FERRY_INLINE static void call(Plan &&Told, T *Results, T *Result,
                                P &&...Parameters) {
    // Nothing but large values come here on a GPU.
    if (!IsLargest<T> && __ferry_on_gpu())
      return;
    std::uint64_t Part = __ferry_global_id(), Begin = Part * Told.Each;
    std::uint64_t Left = Told.Count - Begin;
    Results[Part] = foldElements<LanesOf<T>, T>(
        Begin, Begin + (Left < Told.Each ? Left : Told.Each), 1, Told.Combine,
        [&](std::uint64_t I) -> T {
          return Told.Element(static_cast<Index>(I), Parameters...);
        });
    if (!Told.Finish.isLast())
      return;
    T Total = Results[0];
    for (std::uint32_t I = 1; I < Told.Finish.Parts; ++I)
      Total = Told.Combine(Total, Results[I]);
    *Result = Total;
  }
};

template <class T, class Op, class F>
struct GpuReduceKernel : ReduceKernel<T, Op, F> {
  using typename ReduceKernel<T, Op, F>::Plan;
  using Index = typename ReduceKernel<T, Op, F>::Element::Index;

  template <class... P>
  FERRY_INLINE static void call(Plan &&Told, T *Results, T *Result,
                                P &&...Parameters) {
    if (!__ferry_on_gpu())
      return;
    BlockPlace At = blockPlace();
    std::uint32_t Part = __ferry_block_idx(0), Parts = Told.Finish.Parts;
    std::uint64_t First = std::uint64_t(Part) * At.Threads;
    std::uint64_t Left = Told.Count - First;
    // Threads without elements have no value, and none is looked at.
    Place<T> Mine = {};
    if (At.Thread < Left)
      ::new (Mine.data())
          T(foldElements<4, T>(First + At.Thread, Told.Count, Told.Each,
                               Told.Combine, [&](std::uint64_t I) -> T {
                                 return Told.Element(static_cast<Index>(I),
                                                     Parameters...);
                               }));
    T Total =
        blockReduce(Mine.get(), Told.Combine, At, atMost(At.Threads, Left));
    std::uint32_t *Last = static_cast<std::uint32_t *>(__ferry_shared(
        &BlockSite<0>, nullptr, sizeof(std::uint32_t), alignof(std::uint32_t)));
    if (At.Thread == 0) {
      Results[Part] = Total;
      *Last = Told.Finish.isLast();
    }
    sync_threads();
    if (!*Last)
      return;
    Mine = {};
    if (At.Thread < Parts)
      ::new (Mine.data())
          T(foldElements<1, T>(At.Thread, Parts, At.Threads, Told.Combine,
                               [&](std::uint64_t I) { return Results[I]; }));
    Total =
        blockReduce(Mine.get(), Told.Combine, At, atMost(At.Threads, Parts));
    if (At.Thread == 0)
      *Result = Total;
  }

private:
  FERRY_INLINE static std::uint32_t atMost(std::uint32_t Most,
                                           std::uint64_t N) {
    return N < Most ? static_cast<std::uint32_t>(N) : Most;
  }
};

template <class T, class Op, class F>
consteval auto userParameters(ReduceKernel<T, Op, F>) ->
    typename ReduceKernel<T, Op, F>::Element::Rest {
  return {};
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

template <class Shape>
bool countElements(const Shape &S, std::uint64_t &Count) {
  bool TooMany = false;
  Count = 1;
  bool Empty = false;
  for (const Count3 *Side : {&S.Extent, &S.Block})
    for (const detail::Count *N : {&Side->X, &Side->Y, &Side->Z}) {
      Empty |= N->Value == 0;
      TooMany |= __builtin_mul_overflow(Count, N->Value, &Count);
    }
  if (Empty)
    Count = 0;
  return Empty || (!TooMany && Count >> 63 == 0);
}

/// Elements of a part on cpu: 64 parts, until that is more elements than the
/// caches like; then more parts, until they are too many to combine.
inline std::uint64_t cpuElements(std::uint64_t Count, std::uint64_t Lanes,
                                 std::uint64_t Bytes) {
  auto DivideUp = [](std::uint64_t X, std::uint64_t Y) {
    return (X + Y - 1) / Y;
  };
  std::uint64_t Most = DivideUp(65536, Bytes);
  std::uint64_t Each = DivideUp(Count, 64);
  if (Each > Most)
    Each = Most;
  if (std::uint64_t Least = DivideUp(Count, 65536); Each < Least)
    Each = Least;
  return Each <= Lanes ? Each : DivideUp(Each, Lanes) * Lanes;
}

/// Returns a FERRY_STATUS_*, and the reduction without the initial value.
template <bool ConstantsFit, class T, class Op, class F, class Shape,
          class... Args>
int reduce(Place<T> &Result, const Shape &S, std::uint64_t Count,
           const Op &Combine, const F &Element, Args &&...Given) {
  using Cpu = CpuReduceKernel<T, Op, F>;
  using Gpu = GpuReduceKernel<T, Op, F>;
  constexpr std::uint32_t Threads = 256, MostBlocks = 1024;
  constexpr bool ForGpus = !IsLargest<T>;
  bool OnGpu = ForGpus && runsOnGpu(S);
  std::uint64_t Each = cpuElements(Count, LanesOf<T>, sizeof(T));
  std::uint64_t Parts = (Count + Each - 1) / Each;
  if (OnGpu) {
    // Eight elements a thread before there are more blocks.
    Parts = (Count + Threads * 8 - 1) / (Threads * 8);
    Parts = Parts < MostBlocks ? Parts : MostBlocks;
    Each = Parts * Threads;
  }
  Room<T> Partial(Parts);
  if (!Partial.isThere())
    return fail(FERRY_STATUS_OUT_OF_MEMORY, placeOf(nameOf<Cpu>(), S.Where) +
                                                "the host has no memory for " +
                                                std::to_string(Parts) +
                                                " partial results");
  FinishLineOwner Finish(static_cast<std::uint32_t>(Parts));
  ReducePlan<Op, F> Plan = {Combine, Element, Count, Each, Finish.line()};
  if constexpr (ForGpus)
    if (OnGpu)
      return run<Gpu, ConstantsFit>(asBlocks(S, Parts, Threads), Plan,
                                    Partial.scratch(), out(Result.data(), 1),
                                    static_cast<Args &&>(Given)...);
  return run<Cpu, ConstantsFit>(asOver(S, Parts), Plan, Partial.scratch(),
                                out(Result.data(), 1),
                                static_cast<Args &&>(Given)...);
}

/// Checks what is the user's, so that the kernels of both kinds of device need
/// not report it twice, then reduces. Writes `Total` when all went well.
template <bool ConstantsFit, class T, class Op, class F, class Shape,
          class... Args>
int checkedReduce(T &Total, const Shape &S, const T &Init, const Op &Combine,
                  const F &Element, Args &&...Given) {
  using Kernel = ReduceKernel<T, Op, F>;
  constexpr Text Mistake = [] {
    if constexpr (constexpr Text Wrong = Kernel::mistake(); !Wrong.empty())
      return Text() << "ferry: kernel '" << nameOf<Kernel>() << "' "
                    << std::string_view(Wrong.data(), Wrong.size());
    else if constexpr (!shapeMistake<Shape>().empty())
      return shapeMistake<Shape>();
    else
      return ArgumentCheck<WrittenReduceKernel<T, Op, F>, ConstantsFit,
                           typename Kernel::Element::Rest, Args...>::mistake();
  }();
  static_assert(Mistake.empty(), Mistake);
  if constexpr (Mistake.empty()) {
    std::uint64_t Count;
    if (S.Extent.negative() || S.Block.negative())
      return shapeFault(S, nameOf<Kernel>());
    if (S.Stream) // the result is returned, so it waits
      if (int Code = ferry_stream_wait(S.Stream))
        return Code;
    if (!countElements(S, Count))
      return fail(FERRY_STATUS_INVALID_SHAPE,
                  placeOf(nameOf<Kernel>(), S.Where) + "a shape of " +
                      S.Extent.text() + " has too many elements to count");
    if (Count == 0) {
      Total = Init;
      return FERRY_STATUS_OK;
    }
    Place<T> Result;
    if (int Code = reduce<ConstantsFit>(Result, S, Count, Combine, Element,
                                        static_cast<Args &&>(Given)...))
      return Code;
    Op Last = Combine;
    Total = Last(Init, Result.get());
    return FERRY_STATUS_OK;
  }
}

} // namespace detail

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#define FERRY_CONSTANTS_FIT                                                    \
  __attribute__((                                                              \
      enable_if(detail::constantsFit<detail::ReduceKernel<T, Op, F>, Args...>( \
                    (__builtin_constant_p(detail::asInteger(args))             \
                         ? detail::asInteger(args)                             \
                         : detail::NoInteger)...),                             \
                "integer constants fit the kernel's parameters")))

/// op over `init` and the values f(i, params...) of every i from 0 to the
/// number of threads in the shape - 1. `init` counts once, and is the result
/// for an empty shape.
///
/// T, the type of `init`, is any trivially copyable type without pointers. op
/// is a lambda or function object, op(T, T) -> T, associative and commutative:
/// the grouping is Ferry's choice. It depends on the kind of device and the
/// number of elements alone, so the result is the same to the bit in every run.
/// f is as for parallel_for and returns something that converts to T; arguments
/// follow as there.
///
/// One launch; of all that is reduced, one T is copied back. Throws like
/// launch.
///
/// \code
/// double dot(const std::vector<double> &x, const std::vector<double> &y) {
///   return ferry::parallel_reduce(
///       ferry::over(x.size()), 0.0, std::plus<>(),
///       [](std::size_t i, std::span<const double> x,
///          std::span<const double> y) { return x[i] * y[i]; },
///       x, y);
/// }
/// struct Extremes {
///   float least, greatest;
/// };
/// Extremes range(const std::vector<float> &v) {
///   return ferry::parallel_reduce(
///       ferry::over(v.size()), Extremes{v[0], v[0]},
///       [](Extremes a, Extremes b) {
///         return Extremes{std::min(a.least, b.least),
///                         std::max(a.greatest, b.greatest)};
///       },
///       [](std::size_t i, std::span<const float> v) {
///         return Extremes{v[i], v[i]};
///       },
///       v);
/// }
/// \endcode
template <class Shape, class T, class Op, class F, class... Args>
T parallel_reduce(const Shape &shape, const T &init, const Op &op, const F &f,
                  Args &&...args) FERRY_CONSTANTS_FIT {
  T Total = init;
  if (int Code = detail::checkedReduce<true>(Total, shape, init, op, f,
                                             static_cast<Args &&>(args)...))
    detail::raise(Code);
  return Total;
}
template <class Shape, class T, class Op, class F, class... Args>
T parallel_reduce(const Shape &shape, const T &init, const Op &op, const F &f,
                  Args &&...args) {
  T Total = init;
  if (int Code = detail::checkedReduce<false>(Total, shape, init, op, f,
                                              static_cast<Args &&>(args)...))
    detail::raise(Code);
  return Total;
}

/// The same, but writes the result to `total`, returns what happened and never
/// throws. After a failure `total` is as it was.
///
/// \code
/// bool sum(const std::vector<int> &v, long &total) {
///   ferry::status s = ferry::try_parallel_reduce(
///       total, ferry::over(v.size()), 0l, std::plus<>(),
///       [](std::size_t i, std::span<const int> v) { return v[i]; }, v);
///   if (!s)
///     std::fprintf(stderr, "%s\n", s.message().c_str());
///   return static_cast<bool>(s);
/// }
/// \endcode
template <class T, class Shape, class Op, class F, class... Args>
status try_parallel_reduce(T &total, const Shape &shape,
                           const std::type_identity_t<T> &init, const Op &op,
                           const F &f,
                           Args &&...args) noexcept FERRY_CONSTANTS_FIT {
  return detail::statusOf(detail::checkedReduce<true>(
      total, shape, init, op, f, static_cast<Args &&>(args)...));
}
template <class T, class Shape, class Op, class F, class... Args>
status try_parallel_reduce(T &total, const Shape &shape,
                           const std::type_identity_t<T> &init, const Op &op,
                           const F &f, Args &&...args) noexcept {
  return detail::statusOf(detail::checkedReduce<false>(
      total, shape, init, op, f, static_cast<Args &&>(args)...));
}

#undef FERRY_CONSTANTS_FIT
#pragma clang diagnostic pop

} // namespace ferry

#undef FERRY_INLINE
#pragma clang diagnostic pop

#endif // FERRY_REDUCE_H
