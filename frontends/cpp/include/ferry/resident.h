//===- ferry/resident.h - Data that stays on the device ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the compiler sees all code that can reach an array, Ferry leaves it on
// the device by itself. Where it can't, because the array is a global's, a
// library's or another thread's, resident does the same by hand.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RESIDENT_H
#define FERRY_RESIDENT_H

#include "ferry/arguments.h"
#include "ferry/detail/plain.h"
#include "ferry/error.h"

#include <cstddef>
#include <cstring>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

namespace ferry {
namespace detail {

/// The two ways of a resident's elements, now or as work of a stream.
inline int toHost(std::uint32_t Stream, const void *P, std::uint64_t Bytes,
                  std::uint64_t Id) {
  return Stream ? ferry_stream_to_host(Stream, P, Bytes, Id)
                : ferry_resident_to_host(P, Bytes, Id);
}
inline int toDevice(std::uint32_t Stream, const void *P, std::uint64_t Bytes,
                    std::uint64_t Id) {
  return Stream ? ferry_stream_to_device(Stream, P, Bytes, Id, 1)
                : ferry_resident_to_device(P, Bytes, Id);
}

} // namespace detail

/// Keeps the elements of a container, span or array on the devices that use
/// them, for as long as the object lives. Launches copy in what they read and
/// the device lacks, and nothing back; the destructor brings home what they
/// have written, which is all that T's elements are then. A resident<const T>
/// is only read, and never copied back.
///
/// Launches, from any thread and on any device, know the memory by its address.
/// It makes no difference whether they are given the resident, its span(), or
/// what it was made from.
///
/// In between the host must not look at the elements but after to_host(), and
/// must say to_device() when it has written some. The memory must outlive the
/// resident: a vector must not be resized meanwhile. Elements have one resident
/// at a time. On cpu, where all of this is one memory, nothing is copied.
///
/// A device that is lost takes the elements along that only it has; then the
/// program ends with a message when they are to come home. A child process gets
/// all elements as they are when it is forked.
///
/// \code
/// void step(std::span<const float> from, std::span<float> to) {
///   std::size_t i = ferry::global_id();
///   to[i] = 0.5f * (from[i] + from[(i + 1) % from.size()]);
/// }
/// void run(std::vector<float> &v, std::vector<float> &scratch) {
///   ferry::resident a(v), b(scratch);
///   for (int i = 0; i < 1000; ++i) {
///     ferry::launch<step>(ferry::over(a.size()), a, b);
///     ferry::launch<step>(ferry::over(a.size()), b, a);
///   }
///   a.to_host(0, 1);
///   std::printf("%g\n", v[0]); // one element was copied
/// } // all others come home here
/// \endcode
template <class T> class resident {
  friend class stream;
  static_assert(detail::isPlain<std::remove_cv_t<T>>(),
                "ferry: the elements of a resident must be trivially copyable "
                "and hold no pointers or references");

public:
  /// Of all elements of a container, span or array, which stays what it is.
  /// Throws ferry::error: errc::invalid_argument where some of them have a
  /// resident already, errc::out_of_memory where the host has no memory left.
  /// Room on a device is made by the launches.
  template <detail::ContiguousRange R>
    requires(std::is_same_v<std::remove_const_t<detail::ElementOf<R>>,
                            std::remove_const_t<T>>)
  explicit resident(
      R &&range, std::source_location where = std::source_location::current())
      : resident(std::span(range).data(), std::span(range).size(), where) {
    static_assert(
        std::is_lvalue_reference_v<R> ||
            std::is_constructible_v<std::span<detail::ElementOf<R>>, R>,
        "ferry: a resident of a temporary: its elements would be gone before "
        "the resident is; make it of a variable");
  }

  /// Of the n elements at p.
  resident(T *p, detail::Count n,
           std::source_location where = std::source_location::current())
      : Elements(p, checked(n, where)) {
    ferry_source_place Place = {where.file_name(), strlen(where.file_name()),
                                where.line(), where.column()};
    if (int Code = ferry_resident_begin(
            p, Elements.size_bytes(),
            std::is_const_v<T> ? FERRY_RESIDENT_READ_ONLY : 0, &Place, &Id))
      detail::raise(Code);
  }

  /// The other has none any more.
  resident(resident &&other) noexcept
      : Elements(std::exchange(other.Elements, {})),
        Id(std::exchange(other.Id, 0)) {}
  resident &operator=(resident &&other) noexcept {
    if (this != &other) {
      end();
      Elements = std::exchange(other.Elements, {});
      Id = std::exchange(other.Id, 0);
    }
    return *this;
  }

  /// What launches have written comes home, and devices have the room again.
  ~resident() { end(); }

  /// The elements' addresses on the host, which launches recognise: of parts,
  /// too, such as `r.span().first(n)`.
  [[nodiscard]] std::span<T> span() const noexcept { return Elements; }
  [[nodiscard]] std::size_t size() const noexcept { return Elements.size(); }

  /// Brings home what launches have written, of all elements or of `count` from
  /// number `first`. What the host has already is not copied. Throws
  /// ferry::error (errc::invalid_argument) when there are no such elements.
  void to_host(std::source_location where = std::source_location::current()) {
    move(detail::toHost, 0, size(), where);
  }
  void to_host(detail::Count first, detail::Count count,
               std::source_location where = std::source_location::current()) {
    move(detail::toHost, first, count, where);
  }

  /// Says that the host has written elements: all, or `count` from number
  /// `first`. What launches had written to them is lost. The next launch that
  /// reads them on a device copies them in, as they are then. Throws as
  /// to_host() does.
  ///
  /// \code
  /// void scale(float by, std::span<float> v) { v[ferry::global_id()] *= by; }
  /// void run(std::vector<float> &v) {
  ///   ferry::resident r(v);
  ///   ferry::launch<scale>(ferry::over(v.size()), 2.f, r);
  ///   v[0] = 1;
  ///   r.to_device(0, 1);
  ///   ferry::launch<scale>(ferry::over(v.size()), 2.f, r); // copies v[0] in
  /// }
  /// \endcode
  void to_device(std::source_location where = std::source_location::current()) {
    move(detail::toDevice, 0, size(), where);
  }
  void to_device(detail::Count first, detail::Count count,
                 std::source_location where = std::source_location::current()) {
    move(detail::toDevice, first, count, where);
  }

private:
  std::span<T> Elements;
  std::uint64_t Id = 0;

  void end() noexcept {
    if (Id)
      ferry_resident_end(Elements.data(), Id);
  }

  [[noreturn, gnu::cold]] static void
  refuse(const std::string &What, const std::source_location &Where) {
    std::string Message = "resident at " + std::string(Where.file_name()) +
                          ":" + std::to_string(Where.line()) + ": " + What;
    detail::raise(ferry_fail(FERRY_STATUS_INVALID_ARGUMENT, Message.data(),
                             Message.size()));
  }

  static std::size_t checked(detail::Count N,
                             const std::source_location &Where) {
    if (N.Negative || N.Value > static_cast<std::size_t>(-1) / sizeof(T))
      refuse(N.text() + " elements, which no array can have", Where);
    return N.Value;
  }

  void move(int (*How)(std::uint32_t, const void *, std::uint64_t,
                       std::uint64_t),
            detail::Count First, detail::Count Number,
            const std::source_location &Where, std::uint32_t Stream = 0) {
    if (First.Negative || Number.Negative || First.Value > size() ||
        Number.Value > size() - First.Value)
      refuse("there are no " + Number.text() + " elements from number " +
                 First.text() + ": it has " + std::to_string(size()),
             Where);
    if (int Code = How(Stream, Elements.data() + First.Value,
                       Number.Value * sizeof(T), Id))
      detail::raise(Code);
  }
};

template <detail::ContiguousRange R>
resident(R &&) -> resident<detail::ElementOf<R>>;
template <class T> resident(T *, detail::Count) -> resident<T>;

/// in(), out() and inout() of a resident's elements, for kernels with
/// parameters `const T *` and `T *`, and for the promise that out() is.
template <class T> [[nodiscard]] auto in(const resident<T> &r) noexcept {
  return in(r.span());
}
template <class T> [[nodiscard]] auto out(const resident<T> &r) noexcept {
  return out(r.span());
}
template <class T> [[nodiscard]] auto inout(const resident<T> &r) noexcept {
  return inout(r.span());
}

} // namespace ferry

#endif // FERRY_RESIDENT_H
