//===- ferry/with_device.h - Device memory for libraries --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_WITH_DEVICE_H
#define FERRY_WITH_DEVICE_H

#include "ferry/detail/argument.h"
#include "ferry/error.h"

#include <tuple>
#include <utility>

namespace ferry {
namespace detail {

/// Where the current device has the arguments, until finish() copies back. An
/// exception leaves nothing mapped.
template <std::size_t N> class OnDevice {
public:
  explicit OnDevice(ferry_mapping (&Mappings)[N]) {
    ferry_source_place Nowhere = {};
    if (int Code = ferry_map(Mappings, N, &Nowhere, &State))
      raise(Code);
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
  ~OnDevice() {
    if (State)
      ferry_unmap(State, /*abandoned=*/1);
  }

  void finish() {
    if (int Code = ferry_unmap(std::exchange(State, nullptr), 0))
      raise(Code);
  }

private:
  void *State = nullptr;
};

template <class T, unsigned Access>
ferry_mapping mappingOf(const Mapped<T, Access> &Given, std::size_t Number) {
  static_assert(isPlain<std::remove_cv_t<T>>(),
                "ferry: with_device: elements must be trivially copyable and "
                "hold no pointers or references");
  static_assert(!std::is_const_v<T> || !(Access & FERRY_FIELD_WRITE),
                "ferry: with_device: ferry::out(...) or ferry::inout(...) of "
                "memory that is const; write ferry::in(...)");
  Memory<T> M(Given.Data, Given.Size);
  if (Fault F = M.check(); F != Fault::None) {
    std::string Text =
        "with_device: argument " + std::to_string(Number) + " has " + M.size() +
        " elements" +
        (F == Fault::Null ? " at a null pointer" : ", which no array can have");
    raise(ferry_fail(FERRY_STATUS_INVALID_ARGUMENT, Text.data(), Text.size()));
  }
  return {withoutCv(Given.Data), M.bytes(), Access, 0, nullptr};
}

template <class F, class... M, std::size_t... I>
decltype(auto) withDevice(F &&f, std::index_sequence<I...>, const M &...Given) {
  ferry_mapping Mappings[] = {mappingOf(Given, I + 1)...};
  OnDevice<sizeof...(M)> There(Mappings);
  auto Call = [&]() -> decltype(auto) {
    return static_cast<F &&>(f)(
        static_cast<decltype(Given.Data)>(Mappings[I].device)...);
  };
  if constexpr (std::is_void_v<decltype(Call())>) {
    Call();
    There.finish();
  } else {
    decltype(auto) Result = Call();
    There.finish();
    return Result;
  }
}

} // namespace detail

/// Calls the host function f, the last argument, with the addresses that the
/// others have on the current device, and returns what it returns: for
/// libraries that work on device memory, such as cuBLAS and rocBLAS. On cpu the
/// addresses are the host's own, so that any BLAS will do; a virtual device's
/// memory can be used by the host, too.
///
/// The others are one to eight of ferry::in(...), out(...) and inout(...), as
/// for launches: `in` is copied to the device before, `out` back after, `inout`
/// both; what a resident has there already is not. f gets a `const T *` for
/// each `in` and a `T *` for the rest. It must have finished its work when it
/// returns: a library that works asynchronously is to be waited for inside.
///
/// Throws ferry::error where there is no such device or no room. What f throws
/// passes through: nothing stays mapped then, and what `out` and `inout` refer
/// to on the host is as it was; what a resident has is not known.
///
/// \code
/// void axpy(int n, float a, const float *x, float *y); // of some library
/// void run(const std::vector<float> &x, std::vector<float> &y) {
///   ferry::with_device(ferry::in(x), ferry::inout(y),
///                      [&](const float *dx, float *dy) {
///                        axpy(static_cast<int>(x.size()), 2.f, dx, dy);
///                      });
/// }
/// \endcode
template <class... Args>
  requires(sizeof...(Args) >= 2 && sizeof...(Args) <= 9)
decltype(auto) with_device(Args &&...args) {
  constexpr std::size_t N = sizeof...(Args) - 1;
  auto All = std::forward_as_tuple(static_cast<Args &&>(args)...);
  return [&]<std::size_t... I>(
             std::index_sequence<I...> Numbers) -> decltype(auto) {
    static_assert(
        (detail::IsMapped<
             std::remove_cvref_t<std::tuple_element_t<I, decltype(All)>>> &&
         ...),
        "ferry: with_device takes ferry::in(...), out(...) and "
        "inout(...), and then a function");
    return detail::withDevice(std::get<N>(std::move(All)), Numbers,
                              std::get<I>(All)...);
  }(std::make_index_sequence<N>());
}

} // namespace ferry

#endif // FERRY_WITH_DEVICE_H
