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
// would not see. The plan takes of each buffer the part that the kernel uses
// (Ranges.h), sorts these by address and joins those that overlap into groups;
// each group gets one allocation. What is copied are the pieces of a group that
// some buffer needs (to the device) or writes (back): never a byte twice, and
// never a byte that no buffer has, since another thread may be using it. A
// piece that one buffer overwrites is still copied in where another reads it.
// Small buffers that nearly touch, such as members of one record, share a place
// as well, and are copied in as one with the few bytes between them, which the
// kernel doesn't look at; they go back one by one.
// Scratch buffers only take room. Globals that the kernel names take part as
// buffers with a place of their own.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PLAN_H
#define FERRY_RUNTIME_PLAN_H

#include "Ranges.h"
#include <algorithm>

namespace ferry::rt {

struct DeviceCopy;
struct Region;

/// Host addresses throughout.
struct Buffer {
  uint64_t Start;         ///< what the kernel's pointer points to
  uint64_t Begin, End;    ///< the part that needs room
  Range In, Back;         ///< what is copied
  uint32_t Flags;         ///< FERRY_FIELD_READ, WRITE, SCRATCH
  uint32_t Slot;          ///< of the launch; NoSlot for a global
  char *Fixed;            ///< a global's place on the device, else null
  Region *Home = nullptr; ///< that it is in, held during the launch

  static constexpr uint32_t NoSlot = ~0u;

  /// An argument of the launch, as far as the kernel uses it.
  Buffer(uint64_t Start, const Usage &U, uint32_t Flags, uint32_t Slot)
      : Start(Start), Begin(Start + U.Room.Begin), End(Start + U.Room.End),
        In(moved(U.In)), Back(moved(U.Back)), Flags(Flags), Slot(Slot),
        Fixed(nullptr) {}

  /// A global has room for all of it.
  Buffer(const ferry_global &G, const Usage &U, char *Place)
      : Start(reinterpret_cast<uint64_t>(G.address)), Begin(Start),
        End(Start + G.bytes), In(moved(U.In)), Back(moved(U.Back)),
        Flags(FERRY_FIELD_READ | FERRY_FIELD_WRITE), Slot(NoSlot),
        Fixed(Place) {}

  bool isWritten() const {
    return !Back.empty() || (Flags & FERRY_FIELD_SCRATCH);
  }

private:
  Range moved(Range R) const {
    return R.empty() ? Range() : Range{Start + R.Begin, Start + R.End};
  }
};

/// Buffers that overlap: [FirstBuffer, EndBuffer) of the sorted buffers.
struct Group {
  uint64_t Begin, End; ///< host addresses
  uint32_t FirstBuffer, EndBuffer;
  char *Device = nullptr; ///< where Begin is on the device
  void *Block = nullptr;  ///< from deviceAlloc; null for a global
  size_t BlockBytes = 0;
  Region *Home = nullptr; ///< held during the launch; null for other memory
  bool HasGlobal = false;
  DeviceCopy *Copy = nullptr;
  bool Placed = false; ///< to be unplaced; the region's others are with it

  /// What the kernel's pointer to a buffer is on the device. The start may lie
  /// before the part that is there.
  uint64_t addressOf(const Buffer &B) const {
    return reinterpret_cast<uint64_t>(Device) + (B.Start - Begin);
  }
};

/// Which of a buffer's ranges.
using Direction = Range Buffer::*;

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
      if (NumGroups && belongsTo(B, Groups[NumGroups - 1])) {
        Group &G = Groups[NumGroups - 1];
        G.End = std::max(G.End, B.End);
        G.EndBuffer = I + 1;
        G.HasGlobal |= B.Fixed != nullptr;
      } else {
        Groups[NumGroups++] = {B.Begin, B.End, I, I + 1};
        Groups[NumGroups - 1].Home = B.Home;
        Groups[NumGroups - 1].HasGlobal = B.Fixed != nullptr;
      }
    }
    for (uint32_t I = 0; I < NumBuffers; ++I)
      if (Buffers[I].Fixed && !place(Buffers[I]))
        return &Buffers[I];
    return nullptr;
  }

  /// No buffer that is written overlaps another.
  bool buffersLieApart() const {
    for (uint32_t I = 0; I < NumGroups; ++I) {
      const Group &G = Groups[I];
      for (uint32_t J = G.FirstBuffer; J < G.EndBuffer; ++J)
        for (uint32_t K = J + 1;
             K < G.EndBuffer && Buffers[K].Begin < Buffers[J].End; ++K)
          if (Buffers[J].isWritten() || Buffers[K].isWritten())
            return false;
    }
    return true;
  }

  /// Calls F(begin, end) for each piece of the group that goes this way.
  template <typename Function>
  void pieces(const Group &G, Direction Way, Function F) const {
    uint64_t Gap = Way == &Buffer::In ? NearBytes : 0;
    // The next piece starts with the lowest address that is left.
    for (uint64_t Done = 0;;) {
      Range Piece;
      for (uint32_t I = G.FirstBuffer; I < G.EndBuffer; ++I) {
        Range R = Buffers[I].*Way;
        R.Begin = std::max(R.Begin, Done);
        if (!R.empty() && (Piece.empty() || R.Begin < Piece.Begin))
          Piece = R;
      }
      if (Piece.empty())
        return;
      for (bool Grows = true; Grows;) {
        Grows = false;
        for (uint32_t I = G.FirstBuffer; I < G.EndBuffer; ++I) {
          const Range &R = Buffers[I].*Way;
          if (!R.empty() && R.Begin <= Piece.End + Gap && R.End > Piece.End) {
            Piece.End = R.End;
            Grows = true;
          }
        }
      }
      F(Piece.Begin, Piece.End);
      Done = Piece.End;
    }
  }

private:
  /// What is read between two buffers must be there: it is in their pages.
  static constexpr uint64_t NearBytes = 64, SmallBytes = 4096;

  static bool belongsTo(const Buffer &B, const Group &G) {
    if (B.Begin < G.End)
      return true;
    return B.Home == G.Home && !B.Fixed && !G.HasGlobal &&
           B.Begin - G.End <= NearBytes && B.End - G.Begin <= SmallBytes;
  }

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
