//===- ferry/scan.h - Running totals over a whole array ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scan is one launch that reads its input from memory once and writes its
// output once. The elements are cut into parts small enough for a cache. Who
// runs takes the next part, combines its elements, waits until the total of all
// parts before is there, announces the total that includes its own, and then
// writes the part's results. Parts are taken in order, so whoever is waited for
// is running already, and no device can come to a standstill. Totals are always
// formed in the same order: the result is the same to the bit in every run, and
// the operator need not be commutative.
//
// On cpu a part is a thread, which runs along eight places of its part at once
// so that additions need not wait for each other. On a GPU a part is a block,
// each thread has a few consecutive elements, and a block-wide scan connects
// them.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SCAN_H
#define FERRY_SCAN_H

#include "ferry/block.h"
#include "ferry/detail/cooperate.h"
#include "ferry/detail/reducible.h"

#define FERRY_INLINE __attribute__((always_inline)) inline

// Messages of static_assert that are put together.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"

namespace ferry {
namespace detail {

struct Plus {
  template <class X, class Y>
  constexpr auto operator()(const X &A, const Y &B) const {
    return A + B;
  }
};

struct NoInit {};

/// What the kernels are told besides the arrays.
template <class T, class Op, class Init> struct ScanPlan {
  [[no_unique_address]] Op Combine;
  [[no_unique_address]] Init First;
  std::uint64_t Count; ///< of elements, at least 1
  std::uint64_t Each;  ///< elements of a part
};

/// Where the parts meet. Zeros when the launch begins.
struct ScanMeeting {
  std::uint32_t *Words; ///< parts taken, then whether a part's total is there

  FERRY_INLINE std::uint32_t takePart() const {
    return __atomic_fetch_add(&Words[0], 1, __ATOMIC_RELAXED);
  }
  FERRY_INLINE void announce(std::uint32_t Part) const {
    __atomic_store_n(&Words[1 + Part], 1u, __ATOMIC_RELEASE);
  }
  FERRY_INLINE void await(std::uint32_t Part) const {
    while (!__atomic_load_n(&Words[1 + Part], __ATOMIC_ACQUIRE))
      ;
  }
};

template <class T, class From, class To, class Op, class Init, bool Inclusive>
struct ScanKernel {
  using Plan = ScanPlan<T, Op, Init>;
  using Parameters = TypeList<Plan, T *, std::uint32_t *, const From *, To *>;
  static constexpr std::size_t Hidden = 0;
  static constexpr bool HasInit = !std::is_same_v<Init, NoInit>;

  static constexpr std::size_t NameLength = 14;
  static constexpr auto Name = nameCharacters<NameLength>(
      Inclusive ? "inclusive_scan" : "exclusive_scan");

  static consteval Text mistake() { return {}; }

  /// One step of a scan: `Sofar` is the total of what came before, if any.
  FERRY_INLINE static void step(Op &Combine, T &Sofar, const From &In,
                                To &Out) {
    T Next = Combine(Sofar, static_cast<T>(In));
    Out = static_cast<To>(Inclusive ? Next : Sofar);
    Sofar = Next;
  }

  /// Scans consecutive elements. Without anything before them the first
  /// element is where an inclusive scan begins.
  FERRY_INLINE static void scanRow(Op &Combine, bool HasBefore, T Before,
                                   const From *In, To *Out, std::uint64_t N) {
    std::uint64_t I = 0;
    if (!HasBefore) {
      Before = static_cast<T>(In[0]);
      Out[0] = static_cast<To>(Before);
      I = 1;
    }
    for (; I < N; ++I)
      step(Combine, Before, In[I], Out[I]);
  }

  FERRY_INLINE static T foldRow(Op &Combine, const From *In, std::uint64_t N) {
    T Sum = static_cast<T>(In[0]);
    for (std::uint64_t I = 1; I < N; ++I)
      Sum = Combine(Sum, static_cast<T>(In[I]));
    return Sum;
  }

  /// Announces this part's total; returns what is before the part. Without
  /// anything, Sum.
  FERRY_INLINE static T connect(Plan &Told, T *Totals, ScanMeeting Meeting,
                                std::uint32_t Part, const T &Sum) {
    T Before = Sum;
    if (Part) {
      Meeting.await(Part - 1);
      Before = Totals[Part - 1];
    } else if constexpr (HasInit)
      Before = Told.First;
    Totals[Part] =
        Part || HasInit ? static_cast<T>(Told.Combine(Before, Sum)) : Sum;
    Meeting.announce(Part);
    return Before;
  }
};

template <class T, class From, class To, class Op, class Init, bool Inclusive>
struct CpuScanKernel : ScanKernel<T, From, To, Op, Init, Inclusive> {
  using Base = ScanKernel<T, From, To, Op, Init, Inclusive>;
  static constexpr std::uint64_t Streams = 8;

  FERRY_INLINE static void call(typename Base::Plan &&Told, T *Totals,
                                std::uint32_t *Words, const From *In, To *Out) {
    // Nothing but large values come here on a GPU.
    if (!IsLargest<T> && __ferry_on_gpu())
      return;
    ScanMeeting Meeting{Words};
    std::uint32_t Part = Meeting.takePart();
    std::uint64_t Begin = Part * Told.Each, Left = Told.Count - Begin;
    In += Begin;
    Out += Begin;
    bool HasBefore = Part || Base::HasInit;
    if (!HasBefore || Left < Told.Each) {
      std::uint64_t N = Left < Told.Each ? Left : Told.Each;
      T Sum = Base::foldRow(Told.Combine, In, N);
      T Before = Base::connect(Told, Totals, Meeting, Part, Sum);
      Base::scanRow(Told.Combine, HasBefore, Before, In, Out, N);
      return;
    }
    // The part is as long as the others, a multiple of the streams.
    std::uint64_t N = Told.Each / Streams;
    Several Sum, Sofar;
    for (std::uint64_t S = 0; S < Streams; ++S)
      ::new (&Sum.Of[S]) T(static_cast<T>(In[S * N]));
    for (std::uint64_t I = 1; I < N; ++I)
      for (std::uint64_t S = 0; S < Streams; ++S)
        Sum.Of[S] = Told.Combine(Sum.Of[S], static_cast<T>(In[S * N + I]));
    T All = Sum.Of[0];
    for (std::uint64_t S = 1; S < Streams; ++S)
      All = Told.Combine(All, Sum.Of[S]);
    ::new (&Sofar.Of[0]) T(Base::connect(Told, Totals, Meeting, Part, All));
    for (std::uint64_t S = 1; S < Streams; ++S)
      ::new (&Sofar.Of[S]) T(Told.Combine(Sofar.Of[S - 1], Sum.Of[S - 1]));
    for (std::uint64_t I = 0; I < N; ++I)
      for (std::uint64_t S = 0; S < Streams; ++S)
        Base::step(Told.Combine, Sofar.Of[S], In[S * N + I], Out[S * N + I]);
  }

private:
  union Several {
    char None;
    T Of[Streams];
    FERRY_INLINE Several() : None() {}
  };
};

template <class T, class From, class To, class Op, class Init, bool Inclusive>
struct GpuScanKernel : ScanKernel<T, From, To, Op, Init, Inclusive> {
  using Base = ScanKernel<T, From, To, Op, Init, Inclusive>;

  FERRY_INLINE static void call(typename Base::Plan &&Told, T *Totals,
                                std::uint32_t *Words, const From *In, To *Out) {
    if (!__ferry_on_gpu())
      return;
    ScanMeeting Meeting{Words};
    BlockPlace At = blockPlace();
    std::uint32_t *Taken = static_cast<std::uint32_t *>(__ferry_shared(
        &BlockSite<0>, nullptr, sizeof(std::uint32_t), alignof(std::uint32_t)));
    if (At.Thread == 0)
      *Taken = Meeting.takePart();
    sync_threads();
    std::uint32_t Part = *Taken;
    std::uint64_t Items = Told.Each / At.Threads, Begin = Part * Told.Each;
    std::uint64_t Left = Told.Count - Begin;
    // Threads that have elements; the last one may have fewer.
    std::uint32_t Working =
        Left < Told.Each
            ? static_cast<std::uint32_t>((Left + Items - 1) / Items)
            : At.Threads;
    bool IsWorking = At.Thread < Working;
    In += Begin + At.Thread * Items;
    Out += Begin + At.Thread * Items;
    std::uint64_t N = Left - At.Thread * Items;
    N = N < Items ? N : Items;
    Place<T> Mine = {};
    if (IsWorking)
      ::new (Mine.data()) T(Base::foldRow(Told.Combine, In, N));
    Scanned<T> Row = blockScan(Mine.get(), Told.Combine, At, Working);
    T *BeforePart = warpResults<T>();
    if (At.Thread == Working - 1)
      *BeforePart = Base::connect(Told, Totals, Meeting, Part, Row.UpToThis);
    sync_threads();
    if (!IsWorking)
      return;
    bool HasPart = Part || Base::HasInit;
    T Before = *BeforePart;
    if (At.Thread)
      Before = HasPart ? static_cast<T>(Told.Combine(Before, Row.Before))
                       : Row.Before;
    Base::scanRow(Told.Combine, HasPart || At.Thread, Before, In, Out, N);
  }
};

/// Returns a FERRY_STATUS_*.
template <bool Inclusive, class T, class Init, class In, class Out, class Op>
int scan(const In &Input, Out &Output, const Op &Combine, const Init &First,
         const std::source_location &Where) {
  using From = std::remove_const_t<ElementOf<const In &>>;
  using To = ElementOf<Out &>;
  constexpr Text Mistake = scanMistake<T, From, To, Op>(
      Inclusive ? "inclusive_scan" : "exclusive_scan");
  static_assert(Mistake.empty(), Mistake);
  if constexpr (Mistake.empty()) {
    using Cpu = CpuScanKernel<T, From, To, Op, Init, Inclusive>;
    using Gpu = GpuScanKernel<T, From, To, Op, Init, Inclusive>;
    std::span Source(Input);
    std::span Target(Output);
    std::uint64_t Count = Source.size();
    if (Target.size() < Count)
      return fail(FERRY_STATUS_INVALID_ARGUMENT,
                  placeOf(nameOf<Cpu>(), Where) + "the output has " +
                      std::to_string(Target.size()) +
                      " elements, and the input " + std::to_string(Count));
    if (Count == 0)
      return FERRY_STATUS_OK;
    over_shape Anywhere({Count, 1, 1}, Where);
    constexpr std::uint32_t Threads = 256;
    constexpr bool ForGpus = !IsLargest<T>;
    bool OnGpu = ForGpus && runsOnGpu(Anywhere);
    std::uint64_t Each = OnGpu ? Threads * 16 : cpuScanElements(sizeof(T));
    std::uint64_t Parts = (Count + Each - 1) / Each;
    Room<T> Totals(Parts);
    Room<std::uint32_t> Words(Parts + 1);
    if (!Totals.isThere() || !Words.isThere())
      return fail(FERRY_STATUS_OUT_OF_MEMORY,
                  placeOf(nameOf<Cpu>(), Where) +
                      "the host has no memory for the totals of " +
                      std::to_string(Parts) + " parts");
    std::memset(Words.data(), 0, (Parts + 1) * sizeof(std::uint32_t));
    ScanPlan<T, Op, Init> Plan = {Combine, First, Count, Each};
    if constexpr (ForGpus)
      if (OnGpu)
        return run<Gpu, true>(asBlocks(Anywhere, Parts, Threads), Plan,
                              Totals.scratch(), inout(Words.data(), Parts + 1),
                              in(Source.data(), Count),
                              out(Target.data(), Count));
    return run<Cpu, true>(asBlocks(Anywhere, Parts, 1), Plan, Totals.scratch(),
                          inout(Words.data(), Parts + 1),
                          in(Source.data(), Count), out(Target.data(), Count));
  }
}

} // namespace detail

/// out[i] = in[0] op in[1] op ... op in[i], for every element of `in`, on the
/// current device. `in` and `out` are vectors, arrays, spans or the like; `out`
/// has at least as many elements, and may be `in`. op is a lambda or function
/// object, associative, as for parallel_reduce, and a sum if it is left out; it
/// works on the type of in's elements.
///
/// One launch that copies `in` to the device and the results back. The same to
/// the bit in every run. Throws ferry::error, errc::invalid_argument when `out`
/// is too short.
///
/// \code
/// void run(const std::vector<int> &counts, std::vector<int> &ends) {
///   ferry::inclusive_scan(counts, ends);
///   ferry::inclusive_scan(ends, ends,
///                         [](int a, int b) { return a < b ? b : a; });
/// }
/// \endcode
template <detail::ContiguousRange In, detail::ContiguousRange Out,
          class Op = detail::Plus>
void inclusive_scan(
    const In &in, Out &&out, const Op &op = Op(),
    std::source_location Where = std::source_location::current()) {
  using T = std::remove_const_t<detail::ElementOf<const In &>>;
  if (int Code = detail::scan<true, T>(in, out, op, detail::NoInit(), Where))
    detail::raise(Code);
}

/// The same with `init` before the first element: out[i] = init op in[0] op ...
/// op in[i]. op works on the type of init.
template <detail::ContiguousRange In, detail::ContiguousRange Out, class Op,
          class T>
  requires(!std::is_same_v<T, std::source_location>)
void inclusive_scan(
    const In &in, Out &&out, const Op &op, const T &init,
    std::source_location Where = std::source_location::current()) {
  if (int Code = detail::scan<true, T>(in, out, op, init, Where))
    detail::raise(Code);
}

/// out[i] = init op in[0] op ... op in[i - 1], so out[0] is init. Otherwise
/// like inclusive_scan.
///
/// \code
/// std::vector<long> offsets(const std::vector<int> &counts) {
///   std::vector<long> begins(counts.size());
///   ferry::exclusive_scan(counts, begins, 0l);
///   return begins;
/// }
/// \endcode
template <detail::ContiguousRange In, detail::ContiguousRange Out, class T,
          class Op = detail::Plus>
void exclusive_scan(
    const In &in, Out &&out, const T &init, const Op &op = Op(),
    std::source_location Where = std::source_location::current()) {
  if (int Code = detail::scan<false, T>(in, out, op, init, Where))
    detail::raise(Code);
}

} // namespace ferry

#undef FERRY_INLINE
#pragma clang diagnostic pop

#endif // FERRY_SCAN_H
