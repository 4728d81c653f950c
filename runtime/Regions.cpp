//===- Regions.cpp - Memory that stays on a device ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each byte of a region is right on the host, on devices, or both; `Newer` of
// at most one device has it when the host's is out of date. So there is no more
// to do than to keep three rules:
//
//   - what a launch reads is copied in where it is not valid, after it has come
//     home from another device that has something newer;
//   - what a launch writes is newer there, and no longer valid elsewhere;
//   - what the host reads comes home first; what it writes comes home, too,
//     unless all of it is written, and is then valid nowhere else.
//
// Where memory for the bookkeeping is missing, data comes home at once. A copy
// that fails there has nobody to return an error to and takes the computed data
// along, so that the program is ended.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Memory.h"
#include "Omptarget.h"
#include "RegionParts.h"
#include "Transfers.h"
#include <cstdio>
#include <cstring>
#include <new>
#include <search.h>

uint64_t __ferry_regions_away = 0;

namespace ferry::rt {

constinit Lock RegionsLock;
static void *RegionTree = nullptr;
Region *FirstRegion = nullptr;

/// Counts what those who wait may be waiting for.
static constinit std::atomic<uint32_t> Releases{0}, Waiters{0};

/// The host that asks for many small parts gets all of it.
static constexpr unsigned MostFetches = 8;

static void waitForRelease(Lock &Held) {
  Waiters.fetch_add(1);
  uint32_t Seen = Releases.load();
  Held.unlock();
  futexWait(&Releases, Seen);
  Held.lock();
  Waiters.fetch_sub(1);
}

static void noteRelease() {
  Releases.fetch_add(1);
  if (Waiters.load())
    futexWake(&Releases, INT_MAX);
}

static int order(const void *A, const void *B) {
  const Range &X = static_cast<const Region *>(A)->Bytes,
              &Y = static_cast<const Region *>(B)->Bytes;
  return X.End <= Y.Begin ? -1 : Y.End <= X.Begin ? 1 : 0;
}

Region *findRegion(Range Bytes) {
  Region Key;
  Key.Bytes = Bytes;
  void *Node = tfind(&Key, &RegionTree, order);
  return Node ? *static_cast<Region **>(Node) : nullptr;
}

bool enter(Region &R) {
  if (!tsearch(&R, &RegionTree, order))
    return false;
  R.Next = FirstRegion;
  if (FirstRegion)
    FirstRegion->Previous = &R;
  __atomic_store_n(&FirstRegion, &R, __ATOMIC_RELAXED);
  return true;
}

void forget(Region &R) {
  tdelete(&R, &RegionTree, order);
  (R.Previous ? R.Previous->Next : FirstRegion) = R.Next;
  if (R.Next)
    R.Next->Previous = R.Previous;
  dropCopies(R);
  free(R.Stash);
  destroy(&R);
}

bool isFree(const Region &R) {
  if (R.isFound() || R.Holders == 0)
    return true;
  if (isMappedHere(R)) {
    fprintf(stderr,
            "ferry: the resident made at %.*s:%llu ends while a with_device "
            "uses it\n",
            int(R.Place.file_length), R.Place.file,
            static_cast<unsigned long long>(R.Place.line));
    abort();
  }
  waitForRelease(RegionsLock);
  return false;
}

void giveUp(Region &R) {
  uint64_t Bytes = R.Stashed.bytesIn(R.Bytes);
  const char *Device = "of the parent process";
  for (const DeviceCopy *C = R.Copies; C; C = C->Next)
    if (uint64_t Newer = C->Newer.bytesIn(R.Bytes)) {
      Bytes += Newer;
      Device = C->D.Name;
    }
  if (Bytes)
    fprintf(stderr,
            "ferry: %llu bytes that kernels have written are lost on device "
            "%s: the resident made at %.*s:%llu never ended\n",
            static_cast<unsigned long long>(Bytes), Device,
            int(R.Place.file_length), R.Place.file,
            static_cast<unsigned long long>(R.Place.line));
  forget(R);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

[[noreturn]] static void dieOfLoss(const DeviceCopy &C, uint64_t Bytes) {
  fprintf(stderr,
          "ferry: copying %llu bytes back from device %s failed: the device "
          "may be lost, and with it what kernels have computed\n",
          static_cast<unsigned long long>(Bytes), C.D.Name);
  abort();
}

/// Copies bytes that are valid on the device to the host.
static void copyHome(const DeviceCopy &C, Range Bytes) {
  if (!copyToHost(C.D, C.addressOf(Bytes.Begin), Bytes, C.Of.Name))
    dieOfLoss(C, Bytes.End - Bytes.Begin);
}

void bringHome(DeviceCopy &C, Range Bytes) {
  if (!C.Newer.overlaps(Bytes))
    return;
  C.Newer.inside(Bytes, [&](Range R) { copyHome(C, R); });
  // Without memory to note that a part is home, all of it has to be.
  if (!C.Newer.remove(Bytes))
    bringHome(C, C.Room);
}

void becomeInvalid(DeviceCopy &C, Range Bytes) {
  bool Known = C.Newer.remove(Bytes);
  Known &= C.Valid.remove(Bytes);
  if (Known)
    return;
  bringHome(C, {C.Room.Begin, Bytes.Begin});
  bringHome(C, {Bytes.End, C.Room.End});
  C.Newer.clear();
  C.Valid.clear();
}

/// Announcements of the host's accesses are about it.
static bool isAnnounced(const Region &R) {
  return R.Kind != RegionKind::Borrowed;
}

void dropCopies(Region &R) {
  if (R.Copies && isAnnounced(R))
    __atomic_fetch_sub(&__ferry_regions_away, 1, __ATOMIC_RELEASE);
  while (DeviceCopy *C = R.Copies) {
    R.Copies = C->Next;
    deviceFree(C->D, C->Block, C->BlockBytes);
    destroy(C);
  }
}

void bringHome(Region &R) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next)
    bringHome(*C, R.Bytes);
}

//===----------------------------------------------------------------------===//
// For launches
//===----------------------------------------------------------------------===//

static bool hasNewer(const Region &R) {
  for (const DeviceCopy *C = R.Copies; C; C = C->Next)
    if (!C->Newer.empty())
      return true;
  return false;
}

/// Some other region than one that has all of the bytes.
static bool isTorn(const Region *R, Range Bytes, bool Named) {
  return R && (!contains(R->Bytes, Bytes) ||
               (R->Kind == RegionKind::Borrowed && !Named));
}

/// One region that a launch cannot use as it is. Null when there is none.
static Region *findUnsettled(Range Bytes, bool Writes, bool Named) {
  for (Region *R = FirstRegion; R; R = R->Next) {
    if (!overlap(R->Bytes, Bytes))
      continue;
    bool IsPart = !contains(R->Bytes, Bytes);
    switch (R->Kind) {
    case RegionKind::Found:
      if (IsPart)
        return R;
      break;
    case RegionKind::Named:
      if (IsPart && R->Copies)
        return R;
      break;
    case RegionKind::Borrowed:
      // What is not named here is read by others at most, if it lives.
      if (!Named && (Writes || (!R->Holders && hasNewer(*R))))
        return R;
      break;
    }
  }
  return nullptr;
}

bool settleRegions(Range Bytes, bool Writes, bool Named) {
  if (!anyRegions())
    return true;
  Guard G(RegionsLock);
  if (!isTorn(findRegion(Bytes), Bytes, Named))
    return true;
  while (Region *R = findUnsettled(Bytes, Writes, Named)) {
    if (isMappedHere(*R))
      return false;
    if (!isFree(*R))
      continue;
    if (R->Kind == RegionKind::Borrowed) {
      giveUp(*R);
      continue;
    }
    bringHome(*R);
    if (R->isFound())
      forget(*R);
    else
      dropCopies(*R);
  }
  return true;
}

void endFork(Region &R) {
  if (R.Stash) {
    R.Stashed.inside(R.Bytes, [&](Range Part) {
      memcpy(reinterpret_cast<void *>(Part.Begin),
             R.Stash + (Part.Begin - R.Bytes.Begin), Part.End - Part.Begin);
    });
    free(R.Stash);
    R.Stash = nullptr;
    R.Stashed.clear();
  }
  if (!R.Lost)
    return;
  fprintf(stderr,
          "ferry: this process was forked while what kernels had written was "
          "on a device: the resident made at %.*s:%llu is its parent's\n",
          int(R.Place.file_length), R.Place.file,
          static_cast<unsigned long long>(R.Place.line));
  abort();
}

Region *holdRegion(Range Bytes, bool Named) {
  if (!anyRegions())
    return nullptr;
  Guard G(RegionsLock);
  Region *R = findRegion(Bytes);
  if (!R || !contains(R->Bytes, Bytes))
    return nullptr;
  if (R->isFound() ? R->Lent || !pthread_equal(R->Owner, pthread_self())
                   : R->Kind == RegionKind::Borrowed && !Named)
    return nullptr;
  endFork(*R);
  ++R->Holders;
  R->Fetches = R->Writes = 0;
  return R;
}

Range bytesOf(const Region &R) { return R.Bytes; }

void setName(Region &R, const char *Name) {
  if (tracing())
    snprintf(R.Name, sizeof(R.Name), "%s", Name);
}

void release(Region &R) {
  {
    Guard G(RegionsLock);
    --R.Holders;
  }
  if (!R.isFound())
    noteRelease();
}

/// Room for the bytes at a place that is aligned as the host's.
static DeviceCopy *newCopy(Region &R, Device &D, Range Bytes) {
  constexpr uint64_t Alignment = 256;
  size_t BlockBytes = Bytes.End - Bytes.Begin + Alignment - 1;
  void *Block = deviceAlloc(D, BlockBytes, R.Name);
  if (!Block && evictRegions(D))
    Block = deviceAlloc(D, BlockBytes, R.Name);
  if (!Block)
    return nullptr;
  // A virtual device's memory is the host's.
  if (D.Kind == DeviceKind::Virtual && coherenceWanted())
    memset(Block, 0xa5, BlockBytes);
  uint64_t Address = reinterpret_cast<uint64_t>(Block);
  Address += (Bytes.Begin - Address) % Alignment;
  void *Memory = malloc(sizeof(DeviceCopy));
  if (!Memory) {
    deviceFree(D, Block, BlockBytes);
    return nullptr;
  }
  return new (Memory) DeviceCopy{
      R,  D, Bytes, Block, BlockBytes, reinterpret_cast<char *>(Address),
      {}, {}};
}

/// Moves what the old copy has to the new one.
static bool moveContents(DeviceCopy &From, DeviceCopy &To) {
  bool Moved = true;
  From.Valid.inside(From.Room, [&](Range R) {
    Moved = Moved &&
            Omp.Memcpy(To.addressOf(R.Begin), From.addressOf(R.Begin),
                       R.End - R.Begin, 0, 0, To.D.OmpId, From.D.OmpId) == 0 &&
            To.Valid.add(R);
  });
  From.Newer.inside(From.Room,
                    [&](Range R) { Moved = Moved && To.Newer.add(R); });
  return Moved;
}

DeviceCopy *placeOn(Region &R, Device &D, Range Bytes) {
  RegionGuard G(R);
  DeviceCopy **Link, *Old;
  while (true) {
    Link = &R.Copies;
    while (*Link && &(*Link)->D != &D)
      Link = &(*Link)->Next;
    Old = *Link;
    if (Old && contains(Old->Room, Bytes)) {
      ++Old->Users;
      return Old;
    }
    if (!Old || !Old->Users)
      break;
    waitForRelease(R.Own);
  }
  // Who asks for the larger part, or for more a second time, will want all.
  Range Needed = Old ? hull(Old->Room, Bytes) : Bytes;
  bool All =
      Old || (Bytes.End - Bytes.Begin) * 2 >= R.Bytes.End - R.Bytes.Begin;
  DeviceCopy *New = newCopy(R, D, All ? R.Bytes : Needed);
  if (!New && All)
    New = newCopy(R, D, Needed);
  if (!New)
    return nullptr;
  if (!Old) {
    if (!R.Copies && isAnnounced(R))
      __atomic_fetch_add(&__ferry_regions_away, 1, __ATOMIC_RELAXED);
  } else if (!moveContents(*Old, *New)) {
    bringHome(*Old, Old->Room);
    New->Valid.clear();
    New->Newer.clear();
  }
  New->Next = Old ? Old->Next : nullptr;
  *Link = New;
  if (Old) {
    deviceFree(D, Old->Block, Old->BlockBytes);
    destroy(Old);
  }
  ++New->Users;
  return New;
}

void unplace(Region &R, DeviceCopy &C) {
  {
    RegionGuard G(R);
    --C.Users;
  }
  if (!R.isFound())
    noteRelease();
}

/// What is used again and again will want its edges, too: they cost nothing if
/// they come along with something much larger.
static Range roundedOut(const DeviceCopy &C, Range Bytes, Range Within) {
  if (C.Of.Copies->Next)
    return Bytes; // another device may have the edges
  uint64_t Little = (Bytes.End - Bytes.Begin) / 8;
  Range Before = {std::clamp(Within.Begin, C.Room.Begin, Bytes.Begin),
                  Bytes.Begin};
  Range After = {Bytes.End, std::clamp(Within.End, Bytes.End, C.Room.End)};
  Range Result = Bytes;
  if (C.Valid.overlaps(Bytes))
    return Result;
  if (Bytes.Begin - Before.Begin <= Little && !C.Valid.overlaps(Before))
    Result.Begin = Before.Begin;
  if (After.End - Bytes.End <= Little && !C.Valid.overlaps(After))
    Result.End = After.End;
  return Result;
}

bool makeValid(Region &R, DeviceCopy &C, Range Bytes, Range Within) {
  RegionGuard G(R);
  for (DeviceCopy *Other = R.Copies; Other; Other = Other->Next)
    if (Other != &C)
      bringHome(*Other, Bytes);
  bool Copied = true;
  auto CopyIn = [&](Range Lacks) {
    Copied =
        Copied && copyToDevice(C.D, C.addressOf(Lacks.Begin), Lacks, R.Name);
  };
  Range Rounded = R.Again ? roundedOut(C, Bytes, Within) : Bytes;
  C.Valid.missing(Rounded, CopyIn);
  Bytes = Rounded;
  // What is not noted is copied in again another time.
  if (Copied)
    (void)C.Valid.add(Bytes);
  return Copied;
}

void becomeNewer(Region &R, DeviceCopy &C, Range Bytes) {
  RegionGuard G(R);
  for (DeviceCopy *Other = R.Copies; Other; Other = Other->Next)
    if (Other != &C)
      becomeInvalid(*Other, Bytes);
  if (R.ReadOnly || !C.Newer.add(Bytes)) {
    copyHome(C, Bytes);
    return;
  }
  if (!C.Valid.add(Bytes)) {
    bringHome(C, Bytes);
    return;
  }
  // Who has forgotten a borrow may look, and must find values of the type.
  if (C.D.Kind == DeviceKind::Virtual && coherenceWanted() &&
      R.Kind != RegionKind::Borrowed)
    memset(reinterpret_cast<void *>(Bytes.Begin), 0xa5,
           Bytes.End - Bytes.Begin);
}

bool evictRegions(Device &D) {
  Guard G(RegionsLock);
  bool Any = false;
  for (Region *R = FirstRegion; R; R = R->Next) {
    // Where a borrow may be over, nothing can be copied to.
    if (R->Holders || (R->Kind == RegionKind::Borrowed && hasNewer(*R)))
      continue;
    for (DeviceCopy *C = R->Copies; C; C = C->Next)
      Any |= &C->D == &D;
    bringHome(*R);
    dropCopies(*R);
  }
  return Any;
}

void fetch(Region &R, Range Bytes) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next) {
    if (!C->Newer.overlaps(Bytes))
      continue;
    bringHome(*C, ++R.Fetches > MostFetches ? R.Bytes : Bytes);
  }
}

void invalidate(Region &R, Range Bytes) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next)
    becomeInvalid(*C, Bytes);
}

} // namespace ferry::rt
