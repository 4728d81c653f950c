//===- Plan.h - Which bytes a launch moves ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers of one launch may overlap: the same array twice, a part and the
// whole. Then they share one place on the device, or what one writes the other
// would not see. The plan sorts the buffers by address and joins those that
// overlap into groups; each group gets one allocation. What is copied are the
// pieces of a group that some buffer reads (to the device) or writes (back):
// never a byte twice, and never a byte that no buffer has, since another thread
// may be using it. Scratch buffers are neither, and only take room. Globals
// that the kernel names take part as buffers with a place of their own.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PLAN_H
#define FERRY_RUNTIME_PLAN_H

#include "Public.h"
#include <algorithm>

namespace ferry::rt {

/// Buffers that overlap: [FirstBuffer, EndBuffer) of the sorted buffers.
struct Group {
  uint64_t Begin, End; ///< host addresses
  uint32_t FirstBuffer, EndBuffer;
  char *Device = nullptr; ///< where Begin is on the device
  void *Block = nullptr;  ///< from deviceAlloc; null for a global
  size_t BlockBytes = 0;
};

struct Buffer {
  uint64_t Begin, End; ///< host addresses
  uint32_t Flags;      ///< FERRY_FIELD_READ, WRITE, SCRATCH
  uint32_t Slot;       ///< of the launch; NoSlot for a global
  char *Fixed;         ///< a global's place on the device, else null

  static constexpr uint32_t NoSlot = ~0u;
};

struct Plan {
  Buffer *Buffers;
  uint32_t NumBuffers = 0;
  Group *Groups;
  uint32_t NumGroups = 0;

  /// The caller has room for as many as there can be.
  Plan(Buffer *Buffers, Group *Groups) : Buffers(Buffers), Groups(Groups) {}

  void add(const Buffer &B) { Buffers[NumBuffers++] = B; }

  /// Makes the groups. Null, or the global that a buffer overlaps without lying
  /// inside it, for which there is no place.
  const Buffer *group() {
    // Launches have a handful of buffers, and mostly in order.
    for (uint32_t I = 1; I < NumBuffers; ++I)
      for (uint32_t J = I; J && Buffers[J].Begin < Buffers[J - 1].Begin; --J)
        std::swap(Buffers[J], Buffers[J - 1]);
    for (uint32_t I = 0; I < NumBuffers; ++I) {
      const Buffer &B = Buffers[I];
      if (NumGroups && B.Begin < Groups[NumGroups - 1].End) {
        Group &G = Groups[NumGroups - 1];
        G.End = std::max(G.End, B.End);
        G.EndBuffer = I + 1;
      } else {
        Groups[NumGroups++] = {B.Begin, B.End, I, I + 1};
      }
    }
    for (uint32_t I = 0; I < NumBuffers; ++I)
      if (Buffers[I].Fixed && !place(Buffers[I]))
        return &Buffers[I];
    return nullptr;
  }

  /// No buffer that is written overlaps another.
  bool buffersLieApart() const {
    constexpr uint32_t Written = FERRY_FIELD_WRITE | FERRY_FIELD_SCRATCH;
    for (uint32_t I = 0; I < NumGroups; ++I) {
      const Group &G = Groups[I];
      bool Shared = G.EndBuffer - G.FirstBuffer > 1;
      for (uint32_t J = G.FirstBuffer; Shared && J < G.EndBuffer; ++J)
        if (Buffers[J].Flags & Written)
          return false;
    }
    return true;
  }

  /// Calls F(begin, end) for each piece of the group that has `Flag`.
  template <typename Function>
  void pieces(const Group &G, uint32_t Flag, Function F) const {
    uint64_t Begin = 0, End = 0;
    for (uint32_t I = G.FirstBuffer; I < G.EndBuffer; ++I) {
      const Buffer &B = Buffers[I];
      if (!(B.Flags & Flag))
        continue;
      if (B.Begin <= End) {
        End = std::max(End, B.End);
        continue;
      }
      if (Begin != End)
        F(Begin, End);
      Begin = B.Begin;
      End = B.End;
    }
    if (Begin != End)
      F(Begin, End);
  }

private:
  bool place(const Buffer &Global) {
    for (uint32_t I = 0; I < NumGroups; ++I) {
      Group &G = Groups[I];
      if (Global.Begin < G.Begin || Global.Begin >= G.End)
        continue;
      G.Device = Global.Fixed;
      return G.Begin == Global.Begin && G.End == Global.End;
    }
    return false;
  }
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_PLAN_H
