//===- RegionParts.h - What a region is made of -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the files that implement Regions.h alone.
//
// A region that the compiler has found is the business of the thread that began
// it. One that the program has made itself (Residents.cpp) may be used by any
// thread, so that it has a lock of its own: for its copies and what is known of
// them, while RegionsLock guards which regions there are and who holds them.
// Who holds a region may lock it; RegionsLock may be taken then, but not the
// other way around. The room of a copy that a launch uses neither moves nor
// goes; who would change that waits.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_REGIONPARTS_H
#define FERRY_RUNTIME_REGIONPARTS_H

#include "Devices.h"
#include "Regions.h"
#include "Sync.h"
#include <cstdlib>
#include <pthread.h>

namespace ferry::rt {

enum class RegionKind : uint8_t {
  Found,   ///< by the compiler
  Named,   ///< by the program; launches know it by its address
  Borrowed ///< likewise, but only by launches that name it. Its end may be
           ///< missed, and other memory be at its address
};

struct Region {
  Range Bytes;
  RegionKind Kind = RegionKind::Found;
  const void *Site = nullptr;
  pthread_t Owner;
  DeviceCopy *Copies = nullptr;
  /// Times that the host has asked for a part since the last launch.
  unsigned Fetches = 0;
  /// Times that it has said since then that it writes one.
  unsigned Writes = 0;
  uint32_t Holders = 0;
  bool Lent = false;     ///< and so like any other memory
  bool Again = false;    ///< a launch uses it in a loop
  bool ReadOnly = false; ///< kernels' writes come home at once
  bool Lost = false;     ///< a forked child lacks what its parent's device has
  /// What a forked child has of that: bytes of it, in memory for all.
  char *Stash = nullptr;
  RangeSet Stashed;
  char Name[48] = "";
  Region *Next = nullptr, *Previous = nullptr;
  // Of those that the program has made:
  uint64_t Id = 0;
  Lock Own;
  ferry_source_place Place = {};

  bool isFound() const { return Kind == RegionKind::Found; }
};

/// Guards the tree, the list, and each region's `Holders` and `Lent`.
extern Lock RegionsLock;
extern Region *FirstRegion;

/// Locks what any thread may use.
class RegionGuard {
public:
  explicit RegionGuard(Region &R) : R(R) {
    if (!R.isFound())
      R.Own.lock();
  }
  ~RegionGuard() {
    if (!R.isFound())
      R.Own.unlock();
  }
  RegionGuard(const RegionGuard &) = delete;
  RegionGuard &operator=(const RegionGuard &) = delete;

private:
  Region &R;
};

inline bool anyRegions() {
  return __atomic_load_n(&FirstRegion, __ATOMIC_RELAXED) != nullptr;
}

inline bool contains(Range Outer, Range Inner) {
  return Outer.Begin <= Inner.Begin && Inner.End <= Outer.End;
}

inline bool overlap(Range A, Range B) {
  return A.Begin < B.End && B.Begin < A.End;
}

template <typename T> void destroy(T *Object) {
  Object->~T();
  free(Object);
}

// With RegionsLock held:

/// Any region that has some of the bytes.
Region *findRegion(Range Bytes);
/// Returns false without memory for the bookkeeping.
bool enter(Region &R);
/// Frees the room, and the region. Nobody holds it.
void forget(Region &R);
/// Before it ends: nobody holds it, as is always so of regions that the
/// compiler has found. If not, waits until somebody has let go of something;
/// the region may be gone then.
bool isFree(const Region &R);
/// For a region whose end was missed: says so if that loses data.
void giveUp(Region &R);

/// In a forked child, when a region is named and thus not over: what is stashed
/// comes home. Ends the program where it is lost.
void endFork(Region &R);

// By who holds the region, and has locked it:

/// Copies back what the host lacks, of these bytes or of all.
void bringHome(DeviceCopy &C, Range Bytes);
void bringHome(Region &R);
/// The host has something newer.
void becomeInvalid(DeviceCopy &C, Range Bytes);
void dropCopies(Region &R);
/// For a read or a write of these bytes.
void fetch(Region &R, Range Bytes);
void invalidate(Region &R, Range Bytes);

/// Makes ready for fork and exit, once. False: the program is ending, or can't
/// be watched.
bool watchRegions();

} // namespace ferry::rt

#endif // FERRY_RUNTIME_REGIONPARTS_H
