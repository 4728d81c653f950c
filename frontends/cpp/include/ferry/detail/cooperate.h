//===- ferry/detail/cooperate.h - Whole launches that cooperate -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What library kernels need that compute one thing with all their threads: a
// way to tell who finishes last, scratch memory, and the shape that suits the
// device.
//
// The last to finish. Every part of a launch counts itself when its result is
// written; the one that completes the number sees all results. The counter is a
// variable of the device, so nothing is copied. Its upper bits say which launch
// it counts for: a value of an earlier launch, even of one that failed
// half-way, stands for zero. Launches that run at the same time use different
// counters; a host thread takes a free one for as long as its launch runs.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_COOPERATE_H
#define FERRY_DETAIL_COOPERATE_H

#include "ferry/detail/marker.h"
#include "ferry/device.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <sched.h>

namespace ferry::detail {

//===----------------------------------------------------------------------===//
// Finish lines
//===----------------------------------------------------------------------===//

inline constexpr unsigned FinishLines = 64;
inline constexpr unsigned FinishCountBits = 24;

/// On the device. The section is told the plugin (markers.h).
[[gnu::section(
    "ferry.device")]] inline std::uint64_t FinishCounter[FinishLines] = {};

/// On the host: bit i is set when counter i is free.
inline std::atomic<std::uint64_t> FreeFinishLines{~std::uint64_t(0)};
inline std::atomic<std::uint64_t> FinishLaunches{0};

/// What a kernel is told.
struct FinishLine {
  std::uint64_t Launch;
  std::uint32_t Index;
  std::uint32_t Parts; ///< at most 2^24 - 1

  /// Whether all other parts were counted before. What they wrote before
  /// counting is then visible to this thread.
  bool isLast() const noexcept {
    std::uint64_t &Counter = FinishCounter[Index];
    std::uint64_t Old = __atomic_load_n(&Counter, __ATOMIC_RELAXED), New;
    do
      New = Old >> FinishCountBits == Launch ? Old + 1
                                             : (Launch << FinishCountBits) + 1;
    while (!__atomic_compare_exchange_n(&Counter, &Old, New, true,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return (New & ((std::uint64_t(1) << FinishCountBits) - 1)) == Parts;
  }
};

/// Keeps a counter for the length of a launch.
class FinishLineOwner {
public:
  explicit FinishLineOwner(std::uint32_t Parts) noexcept {
    // The launch's number has 40 bits and is never 0.
    constexpr std::uint64_t Numbers = (std::uint64_t(1) << 40) - 1;
    std::uint64_t Launch =
        FinishLaunches.fetch_add(1, std::memory_order_relaxed) % Numbers + 1;
    Line = {Launch, take(), Parts};
  }
  FinishLineOwner(const FinishLineOwner &) = delete;
  FinishLineOwner &operator=(const FinishLineOwner &) = delete;
  ~FinishLineOwner() {
    FreeFinishLines.fetch_or(std::uint64_t(1) << Line.Index,
                             std::memory_order_release);
  }
  const FinishLine &line() const noexcept { return Line; }

private:
  FinishLine Line;

  static std::uint32_t take() noexcept {
    std::uint64_t Free = FreeFinishLines.load(std::memory_order_relaxed);
    for (;;) {
      if (!Free) {
        sched_yield();
        Free = FreeFinishLines.load(std::memory_order_relaxed);
      } else if (FreeFinishLines.compare_exchange_weak(
                     Free, Free & (Free - 1), std::memory_order_acquire,
                     std::memory_order_relaxed))
        return static_cast<std::uint32_t>(__builtin_ctzll(Free));
    }
  }
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Room for objects that nobody constructs, on the heap; on cpu kernels work in
/// it, elsewhere it only stands for room on the device.
template <class T> class Room {
public:
  explicit Room(std::size_t Size) noexcept
      : Data(static_cast<T *>(::operator new(
            Size * sizeof(T), std::align_val_t(alignof(T)), std::nothrow))),
        Size(Size) {}
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;
  ~Room() { ::operator delete(Data, std::align_val_t(alignof(T))); }

  bool isThere() const noexcept { return Data; }
  T *data() const noexcept { return Data; }
  Mapped<T, FERRY_FIELD_SCRATCH> scratch() const noexcept {
    return {Data, Size};
  }

private:
  T *Data;
  std::size_t Size;
};

/// One object that a kernel writes and nobody constructs.
template <class T> struct Place {
  alignas(T) unsigned char Bytes[sizeof(T)];

  T *data() noexcept { return reinterpret_cast<T *>(Bytes); }
  const T &get() noexcept { return *std::launder(data()); }
};

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// cpu and virtual run the parts of a launch one after the other on each core;
/// a GPU runs thousands of threads at once.
template <class Shape> bool runsOnGpu(const Shape &S) noexcept {
  const char *Name =
      ferry_device_name(S.DeviceGiven ? S.Device : ferry_current_device());
  // A device that is not there is the launch's to report.
  return Name && *Name != 'c' && *Name != 'v';
}

template <class Shape> over_shape asOver(const Shape &S, std::size_t N) {
  over_shape Result({N, 1, 1}, S.Where);
  Result.Device = S.Device;
  Result.DeviceGiven = S.DeviceGiven;
  return Result;
}
template <class Shape>
grid_shape asBlocks(const Shape &S, std::size_t N, std::uint32_t Threads) {
  grid_shape Result({N, 1, 1}, {Threads, 1, 1}, S.Where);
  Result.Device = S.Device;
  Result.DeviceGiven = S.DeviceGiven;
  return Result;
}

} // namespace ferry::detail

#endif // FERRY_DETAIL_COOPERATE_H
