//===- Ranges.cpp - Which bytes a launch touches --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hull of what the accesses of a buffer touch (Box.h). What goes back to
// the host must have come from there, except what is certainly overwritten.
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"
#include "Box.h"

namespace ferry::rt {

namespace {

/// Ranges that are certainly overwritten, as far as there is room.
struct Overwritten {
  Range Parts[16];
  unsigned Count = 0;

  void add(Range R) {
    if (Count < 16 && !R.empty())
      Parts[Count++] = R;
  }

  /// What of `Written` is left at most.
  Range takenFrom(Range Written) const {
    for (bool Changed = true; Changed && !Written.empty();) {
      Changed = false;
      for (unsigned I = 0; I < Count; ++I) {
        const Range &P = Parts[I];
        if (P.Begin <= Written.Begin && P.End > Written.Begin) {
          Written.Begin = P.End;
          Changed = true;
        }
        if (!Written.empty() && P.End >= Written.End && P.Begin < Written.End) {
          Written.End = P.Begin;
          Changed = true;
        }
      }
    }
    return Written.empty() ? Range() : Written;
  }
};

} // namespace

Range hull(Range A, Range B) {
  if (A.empty())
    return B.empty() ? Range() : B;
  if (B.empty())
    return A;
  return {std::min(A.Begin, B.Begin), std::max(A.End, B.End)};
}

static Range inside(Int Begin, Int End, uint64_t Bytes) {
  Int Least = std::max<Int>(Begin, 0), Largest = std::min<Int>(End, Bytes);
  if (Least >= Largest)
    return {};
  return {static_cast<uint64_t>(Least), static_cast<uint64_t>(Largest)};
}

Usage allOf(uint32_t Flags, uint64_t Bytes) {
  Range All = {0, Bytes}, None;
  return {Flags & FERRY_FIELD_READ ? All : None,
          Flags & FERRY_FIELD_WRITE ? All : None, All};
}

bool mayPanic(const RangeInputs &Inputs) {
  const ferry_kernel &K = Inputs.Kernel;
  return std::any_of(K.panics, K.panics + K.num_panics,
                     [&](const ferry_access &Panic) {
                       return Box(Inputs, Panic).run() != Box::Answer::Nothing;
                     });
}

Usage usageOf(const RangeInputs &Inputs, const ferry_usage &Used,
              uint32_t Flags, uint64_t Bytes) {
  Range Read, Written;
  Overwritten Sure;
  for (uint64_t I = 0; I < Used.num_accesses; ++I) {
    const ferry_access &A = Used.accesses[I];
    if (A.does == FERRY_DOES_OVERWRITE && Inputs.MayPanic)
      continue;
    Range R = {0, Bytes};
    bool Full = false;
    if (!(A.does & FERRY_DOES_ANYWHERE)) {
      Box B(Inputs, A);
      Box::Answer Answer = B.run();
      if (Answer == Box::Answer::Nothing)
        continue;
      if (Answer == Box::Answer::Some) {
        R = inside(B.Begin, B.End, Bytes);
        Full = B.Full;
      }
    }
    if (A.does & FERRY_DOES_READ)
      Read = hull(Read, R);
    if (A.does & FERRY_DOES_WRITE)
      Written = hull(Written, R);
    if ((A.does & FERRY_DOES_OVERWRITE) && Full)
      Sure.add(R);
  }

  Usage U;
  U.Room = hull(hull(Read, Written), {0, std::min(Used.room, Bytes)});
  if (Flags & FERRY_FIELD_WRITE)
    U.Back = Written;
  if (Flags & FERRY_FIELD_READ)
    U.In = hull(Read, Sure.takenFrom(U.Back));
  return U;
}

} // namespace ferry::rt
