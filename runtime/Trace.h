//===- Trace.h - Records what the program does ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TraceScope stands around what shall appear in a trace: a launch, a copy, a
// kernel. What a scope contains in the same thread appears inside. Without
// FERRY_TRACE a scope costs a branch.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_TRACE_H
#define FERRY_RUNTIME_TRACE_H

#include "Error.h"
#include "TraceFile.h"
#include <cstring>

namespace ferry::rt {

struct LaunchRequest;
using trace::ActionKind;

extern std::atomic<bool> TraceOn;
inline bool tracing() {
  return __builtin_expect(TraceOn.load(std::memory_order_relaxed), false);
}

/// When the program starts: looks whether FERRY_TRACE names a directory.
void startTracing();

/// The user's name for something.
struct TraceName {
  const char *Chars;
  size_t Length;
  TraceName(const char *Chars) : Chars(Chars), Length(strlen(Chars)) {}
  TraceName(const char *Chars, size_t Length) : Chars(Chars), Length(Length) {}
};

class TraceScope {
public:
  explicit TraceScope(const LaunchRequest &L) {
    if (tracing())
      begin(L);
  }

  /// `Bytes` of `Name` on a device. `Name` is something that a TraceName is
  /// made of, or a function that returns such a thing and is called only when
  /// it is wanted.
  template <typename NameOrFunction>
  TraceScope(ActionKind What, const char *Device, NameOrFunction Name,
             uint64_t Bytes = 0) {
    if (!tracing())
      return;
    if constexpr (requires { Name(); })
      begin(What, Device, Name(), Bytes);
    else
      begin(What, Device, Name, Bytes);
  }

  ~TraceScope() {
    if (Number)
      end();
  }
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

  /// The launch ends with this status, and failed if it isn't 0, for the reason
  /// that ferry_last_error() gives. Returns it.
  int ends(int Status) {
    Failed = Status != 0;
    return Status;
  }

private:
  void begin(const LaunchRequest &L);
  void begin(ActionKind What, const char *Device, TraceName Name,
             uint64_t Bytes);
  void end();

  uint64_t Number = 0; ///< 0: nothing is recorded
  bool Failed = false;
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_TRACE_H
