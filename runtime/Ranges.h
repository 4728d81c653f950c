//===- Ranges.h - Which bytes a launch touches ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_RANGES_H
#define FERRY_RUNTIME_RANGES_H

#include "Public.h"

namespace ferry::rt {

/// Bytes of a buffer, from its start.
struct Range {
  uint64_t Begin = 0, End = 0;

  bool empty() const { return Begin >= End; }
  bool operator==(const Range &) const = default;
};

/// The smallest range with all of both.
Range hull(Range A, Range B);

/// What the launch does to one buffer. `In` is what must come from the host:
/// what is read, and what is perhaps not written though it goes back.
struct Usage {
  Range In, Back, Room;
};

/// All of a buffer of `Bytes` bytes. `Flags` are its FERRY_FIELD_READ, WRITE
/// and SCRATCH: what the caller lets the kernel do.
Usage allOf(uint32_t Flags, uint64_t Bytes);

/// What formulas are about.
struct RangeInputs {
  const ferry_kernel &Kernel;
  const uint64_t *Slots;
  const ferry_geometry &Geometry;
  bool MayPanic = false;
};

/// Some thread of the launch may panic.
bool mayPanic(const RangeInputs &Inputs);

/// What the formulas leave of that.
Usage usageOf(const RangeInputs &Inputs, const ferry_usage &Used,
              uint32_t Flags, uint64_t Bytes);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_RANGES_H
