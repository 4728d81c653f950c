//===- ferry/stream.h - Launches that nobody waits for ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STREAM_H
#define FERRY_STREAM_H

#include "ferry/error.h"
#include "ferry/resident.h"
#include "ferry/shape.h"

#include <climits>
#include <cstdint>
#include <source_location>
#include <utility>

namespace ferry {

/// A place in the work of a stream; see stream::record(). It may be copied, and
/// outlive the stream.
class event {
public:
  /// Waits until all work before it is done. Throws its failure, which the
  /// stream's own wait() will throw, too.
  void wait() const {
    if (int Code = ferry_event_wait(Number, Place))
      detail::raise(Code);
  }
  /// All work before it is done.
  [[nodiscard]] bool done() const noexcept {
    return ferry_event_done(Number, Place);
  }

private:
  friend class stream;
  event(std::uint32_t Number, std::uint64_t Place) noexcept
      : Number(Number), Place(Place) {}

  std::uint32_t Number;
  std::uint64_t Place;
};

/// Launches and copies that are done in the order in which they are given,
/// while the program goes on. Those of different streams are done at the same
/// time, on one device or several.
///
/// Until wait() the arguments of launches belong to the stream: what it reads
/// must not be written, what it writes not be looked at, and all must live.
/// Values, whatever their size, are copied when they are given. A resident's
/// elements stay on the device from launch to launch.
///
/// What fails stops the stream: work after it is left out until wait() has
/// thrown the failure. What was wrong in the giving (an argument that cannot be
/// passed, a device that is not there) is thrown there.
///
/// \code
/// void scale(float by, std::span<float> v) { v[ferry::global_id()] *= by; }
/// void run(std::vector<float> &a, std::vector<float> &b) {
///   ferry::stream s, t;
///   ferry::launch<scale>(ferry::over(a.size()).on(s), 2.f, a);
///   ferry::launch<scale>(ferry::over(b.size()).on(t), 3.f, b);
///   // ... the host does something else ...
///   s.wait();
///   t.wait();
/// }
/// \endcode
class stream {
public:
  /// For launches without .device(i): the device that is current when they are
  /// given, or device i. Throws ferry::error: errc::no_device,
  /// errc::out_of_memory where the host has no thread left.
  stream() : stream(-1, 0) {}
  explicit stream(int device) : stream(device < 0 ? INT_MAX : device, 0) {}

  stream(stream &&other) noexcept : Number(std::exchange(other.Number, 0)) {}
  stream &operator=(stream &&other) noexcept {
    if (this != &other) {
      end();
      Number = std::exchange(other.Number, 0);
    }
    return *this;
  }
  /// Waits. A failure that nobody has waited for is written to stderr.
  ~stream() { end(); }

  /// Waits until all is done that was given before, and throws the first
  /// failure of it.
  void wait() {
    if (int Code = ferry_stream_wait(Number))
      detail::raise(Code);
  }
  /// The same, but returns what happened.
  status try_wait() noexcept {
    int Code = ferry_stream_wait(Number);
    return Code ? status(static_cast<errc>(Code), ferry_last_error())
                : status();
  }

  /// The place after all that was given so far.
  [[nodiscard]] event record() const noexcept {
    return {Number, ferry_stream_event(Number)};
  }

  /// What is given from now on starts after an event of another stream. If that
  /// has failed by then, this one has failed as well.
  ///
  /// \code
  /// void scale(float by, std::span<float> v) { v[ferry::global_id()] *= by; }
  /// void run(std::vector<float> &v) {
  ///   ferry::stream s, t;
  ///   ferry::resident r(v);
  ///   ferry::launch<scale>(ferry::over(v.size()).on(s), 2.f, r);
  ///   t.after(s.record());
  ///   ferry::launch<scale>(ferry::over(v.size()).on(t), 3.f, r);
  ///   t.to_host(r, 0, 1);
  ///   t.wait();
  /// }
  /// \endcode
  void after(const event &e) {
    if (int Code = ferry_stream_after(Number, e.Number, e.Place))
      detail::raise(Code);
  }

  /// Brings elements of a resident home, as resident::to_host does.
  template <class T>
  void to_host(resident<T> &r,
               std::source_location where = std::source_location::current()) {
    r.move(detail::toHost, 0, r.size(), where, Number);
  }
  template <class T>
  void to_host(resident<T> &r, detail::Count first, detail::Count count,
               std::source_location where = std::source_location::current()) {
    r.move(detail::toHost, first, count, where, Number);
  }

  /// Copies elements of a resident, which the host has written, to the stream's
  /// device, without waiting for a launch that needs them there.
  template <class T>
  void to_device(resident<T> &r,
                 std::source_location where = std::source_location::current()) {
    r.move(detail::toDevice, 0, r.size(), where, Number);
  }
  template <class T>
  void to_device(resident<T> &r, detail::Count first, detail::Count count,
                 std::source_location where = std::source_location::current()) {
    r.move(detail::toDevice, first, count, where, Number);
  }

  /// For shapes.
  std::uint32_t number() const noexcept { return Number; }

private:
  std::uint32_t Number = 0;

  stream(int Device, int) {
    if (int Code = ferry_stream_create(Device, &Number))
      detail::raise(Code);
  }

  void end() noexcept {
    if (Number)
      ferry_stream_destroy(Number);
  }
};

template <class Derived>
constexpr Derived
detail::ShapeBase<Derived>::on(const stream &s) const noexcept {
  Derived Result = static_cast<const Derived &>(*this);
  // One that was moved away is refused when the launch is given.
  constexpr std::uint32_t None = INT32_MAX;
  Result.Stream = s.number() ? s.number() : None;
  return Result;
}

} // namespace ferry

#endif // FERRY_STREAM_H
