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

#include "Regions.h"
#include "Check.h"
#include "Devices.h"
#include "Memory.h"
#include "Omptarget.h"
#include "Process.h"
#include "Stats.h"
#include "Sync.h"
#include "Trace.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>
#include <search.h>

uint64_t __ferry_regions_away = 0;

namespace ferry::rt {

struct Region {
  Range Bytes;
  const void *Site = nullptr;
  pthread_t Owner;
  DeviceCopy *Copies = nullptr;
  /// Times that the host has asked for a part since the last launch.
  unsigned Fetches = 0;
  bool Held = false;
  bool Lent = false;  ///< and so like any other memory
  bool Again = false; ///< a launch uses it in a loop
  char Name[48] = "";
  Region *Next = nullptr, *Previous = nullptr;
};

/// Guards the tree, the list and each region's `Held`.
static constinit Lock RegionsLock;
static void *RegionTree = nullptr;
static Region *FirstRegion = nullptr;

/// The host that asks for many small parts gets all of it.
static constexpr unsigned MostFetches = 8;
/// What takes no longer to copy than a few bytes do.
static constexpr uint64_t CheapBytes = 64 << 10;

static int order(const void *A, const void *B) {
  const Range &X = static_cast<const Region *>(A)->Bytes,
              &Y = static_cast<const Region *>(B)->Bytes;
  return X.End <= Y.Begin ? -1 : Y.End <= X.Begin ? 1 : 0;
}

/// Any region that has some of the bytes. With the lock held.
static Region *findRegion(Range Bytes) {
  Region Key;
  Key.Bytes = Bytes;
  void *Node = tfind(&Key, &RegionTree, order);
  return Node ? *static_cast<Region **>(Node) : nullptr;
}

template <typename T> static void destroy(T *Object) {
  Object->~T();
  free(Object);
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
  TraceScope Copying(ActionKind::ToHost, C.D.Name, C.Of.Name,
                     Bytes.End - Bytes.Begin);
  int Host = Omp.GetInitialDevice();
  if (Omp.Memcpy(reinterpret_cast<void *>(Bytes.Begin),
                 C.addressOf(Bytes.Begin), Bytes.End - Bytes.Begin, 0, 0, Host,
                 C.D.OmpId) != 0)
    dieOfLoss(C, Bytes.End - Bytes.Begin);
  countToHost(Bytes.End - Bytes.Begin);
}

/// Copies back what the host lacks of these bytes.
static void bringHome(DeviceCopy &C, Range Bytes) {
  if (!C.Newer.overlaps(Bytes))
    return;
  C.Newer.inside(Bytes, [&](Range R) { copyHome(C, R); });
  // Without memory to note that a part is home, all of it has to be.
  if (!C.Newer.remove(Bytes))
    bringHome(C, C.Room);
}

/// The host or another device has something newer.
static void becomeInvalid(DeviceCopy &C, Range Bytes) {
  bool Known = C.Newer.remove(Bytes);
  Known &= C.Valid.remove(Bytes);
  if (Known)
    return;
  bringHome(C, {C.Room.Begin, Bytes.Begin});
  bringHome(C, {Bytes.End, C.Room.End});
  C.Newer.clear();
  C.Valid.clear();
}

static void dropCopies(Region &R) {
  if (R.Copies)
    __atomic_fetch_sub(&__ferry_regions_away, 1, __ATOMIC_RELEASE);
  while (DeviceCopy *C = R.Copies) {
    R.Copies = C->Next;
    deviceFree(C->D, C->Block, C->BlockBytes);
    destroy(C);
  }
}

static void bringHome(Region &R) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next)
    bringHome(*C, R.Bytes);
}

//===----------------------------------------------------------------------===//
// For launches
//===----------------------------------------------------------------------===//

static void forget(Region &R);

static bool anyRegions() {
  return __atomic_load_n(&FirstRegion, __ATOMIC_RELAXED) != nullptr;
}

static bool contains(Range Outer, Range Inner) {
  return Outer.Begin <= Inner.Begin && Inner.End <= Outer.End;
}

void settleRegions(Range Bytes) {
  if (!anyRegions())
    return;
  Guard G(RegionsLock);
  for (Region *R = findRegion(Bytes); R && !contains(R->Bytes, Bytes);
       R = findRegion(Bytes)) {
    bringHome(*R);
    forget(*R);
  }
}

Region *holdRegion(Range Bytes) {
  if (!anyRegions())
    return nullptr;
  Guard G(RegionsLock);
  Region *R = findRegion(Bytes);
  if (!R || R->Lent || !pthread_equal(R->Owner, pthread_self()))
    return nullptr;
  R->Held = true;
  R->Fetches = 0;
  return R;
}

void setName(Region &R, const char *Name) {
  if (tracing())
    snprintf(R.Name, sizeof(R.Name), "%s", Name);
}

void release(Region &R) {
  Guard G(RegionsLock);
  R.Held = false;
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
  DeviceCopy **Link = &R.Copies;
  while (*Link && &(*Link)->D != &D)
    Link = &(*Link)->Next;
  DeviceCopy *Old = *Link;
  if (Old && Old->Room.Begin <= Bytes.Begin && Bytes.End <= Old->Room.End)
    return Old;
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
    if (!R.Copies)
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
  return New;
}

/// What is used again and again will want its edges, too: they cost nothing if
/// they come along with something much larger.
static Range roundedOut(const DeviceCopy &C, Range Bytes) {
  if (C.Of.Copies->Next)
    return Bytes; // another device may have the edges
  uint64_t Little = (Bytes.End - Bytes.Begin) / 8;
  Range Before = {C.Room.Begin, Bytes.Begin}, After = {Bytes.End, C.Room.End};
  Range Result = Bytes;
  if (C.Valid.overlaps(Bytes))
    return Result;
  if (Bytes.Begin - Before.Begin <= Little && !C.Valid.overlaps(Before))
    Result.Begin = Before.Begin;
  if (After.End - Bytes.End <= Little && !C.Valid.overlaps(After))
    Result.End = After.End;
  return Result;
}

bool makeValid(Region &R, DeviceCopy &C, Range Bytes) {
  for (DeviceCopy *Other = R.Copies; Other; Other = Other->Next)
    if (Other != &C)
      bringHome(*Other, Bytes);
  int Host = Omp.GetInitialDevice();
  bool Copied = true;
  auto CopyIn = [&](Range Lacks) {
    TraceScope Copying(ActionKind::ToDevice, C.D.Name, R.Name,
                       Lacks.End - Lacks.Begin);
    Copied = Copied &&
             Omp.Memcpy(C.addressOf(Lacks.Begin),
                        reinterpret_cast<void *>(Lacks.Begin),
                        Lacks.End - Lacks.Begin, 0, 0, C.D.OmpId, Host) == 0;
    if (Copied)
      countToDevice(Lacks.End - Lacks.Begin);
  };
  Range Rounded = R.Again ? roundedOut(C, Bytes) : Bytes;
  C.Valid.missing(Rounded, CopyIn);
  Bytes = Rounded;
  // What is not noted is copied in again another time.
  (void)C.Valid.add(Bytes);
  return Copied;
}

void becomeNewer(Region &R, DeviceCopy &C, Range Bytes) {
  for (DeviceCopy *Other = R.Copies; Other; Other = Other->Next)
    if (Other != &C)
      becomeInvalid(*Other, Bytes);
  if (!C.Newer.add(Bytes)) {
    copyHome(C, Bytes);
    return;
  }
  if (!C.Valid.add(Bytes)) {
    bringHome(C, Bytes);
    return;
  }
  if (C.D.Kind == DeviceKind::Virtual && coherenceWanted())
    memset(reinterpret_cast<void *>(Bytes.Begin), 0xa5,
           Bytes.End - Bytes.Begin);
}

bool evictRegions(Device &D) {
  Guard G(RegionsLock);
  bool Any = false;
  for (Region *R = FirstRegion; R; R = R->Next) {
    if (R->Held)
      continue;
    for (DeviceCopy *C = R->Copies; C; C = C->Next)
      Any |= &C->D == &D;
    bringHome(*R);
    dropCopies(*R);
  }
  return Any;
}

//===----------------------------------------------------------------------===//
// For the host
//===----------------------------------------------------------------------===//

/// Bytes of the region that the pointer is for. It may be one past the end, or,
/// as in code that counts from 1, one before the beginning.
static Range bytesAt(void *Pointer) {
  constexpr uint64_t Beside = 64;
  uint64_t At = reinterpret_cast<uint64_t>(Pointer);
  Guard G(RegionsLock);
  if (findRegion({At, At + 1}))
    return {At, At + 1};
  return {At < Beside ? 0 : At - Beside, At + Beside};
}

/// Calls F(region) for each of this thread's regions that has some of the
/// bytes, with the lock held.
template <typename Function> static void forRegions(Range Bytes, Function F) {
  Guard G(RegionsLock);
  Region *R = findRegion(Bytes);
  if (!R)
    return;
  bool Alone = contains(R->Bytes, Bytes);
  for (Region *Next = Alone ? R : FirstRegion; (R = Next);) {
    Next = Alone ? nullptr : R->Next;
    if (R->Bytes.Begin < Bytes.End && Bytes.Begin < R->Bytes.End &&
        pthread_equal(R->Owner, pthread_self()))
      F(*R);
  }
}

/// Calls F(region, bytes of it) for what the host touches.
template <typename Function>
static void touch(void *Pointer, uint64_t Bytes, Function F) {
  if (__atomic_load_n(&__ferry_regions_away, __ATOMIC_ACQUIRE) == 0)
    return;
  if (Bytes == FERRY_ALL_BYTES) {
    forRegions(bytesAt(Pointer), [&](Region &R) { F(R, R.Bytes); });
    return;
  }
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer), End;
  if (__builtin_add_overflow(Begin, Bytes, &End))
    End = UINT64_MAX;
  forRegions({Begin, End}, [&](Region &R) {
    F(R, {std::max(Begin, R.Bytes.Begin), std::min(End, R.Bytes.End)});
  });
}

static void fetch(Region &R, Range Bytes) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next) {
    if (!C->Newer.overlaps(Bytes))
      continue;
    bringHome(*C, ++R.Fetches > MostFetches ? R.Bytes : Bytes);
  }
}

static void invalidate(Region &R, Range Bytes) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next)
    becomeInvalid(*C, Bytes);
}

//===----------------------------------------------------------------------===//
// Begin, end, fork and exit
//===----------------------------------------------------------------------===//

static void takeOut(Region &R) {
  tdelete(&R, &RegionTree, order);
  (R.Previous ? R.Previous->Next : FirstRegion) = R.Next;
  if (R.Next)
    R.Next->Previous = R.Previous;
}

/// With the lock held.
static void forget(Region &R) {
  takeOut(R);
  dropCopies(R);
  destroy(&R);
}

static void beforeFork() {
  RegionsLock.lock();
  for (Region *R = FirstRegion; R; R = R->Next)
    if (!R->Held)
      bringHome(*R);
}

static void inParent() { RegionsLock.unlock(); }

/// The child has no devices, and no other threads whose regions could matter.
static void inChild() {
  RegionsLock.reset();
  for (Region *R = FirstRegion; R; R = R->Next) {
    while (DeviceCopy *C = R->Copies) {
      R->Copies = C->Next;
      destroy(C);
    }
    R->Held = false;
  }
  __ferry_regions_away = 0;
}

/// The program is ending: from now on everything is copied at once.
static constinit std::atomic<bool> RegionsOver{false};

/// Destructors may run after the device is gone.
static void atExit() {
  RegionsOver.store(true, std::memory_order_relaxed);
  Guard G(RegionsLock);
  for (Region *R = FirstRegion, *Next; R; R = Next) {
    Next = R->Next;
    if (R->Held || !pthread_equal(R->Owner, pthread_self()))
      continue;
    bringHome(*R);
    forget(*R);
  }
}

static bool isSet(const char *Name, const char *Value) {
  const char *Text = getenv(Name);
  return Text && strcmp(Text, Value) == 0;
}

/// Decided once. Where nothing is ever copied, there is nothing to keep.
static bool regionsWanted() {
  static constinit std::atomic<int> Answer{-1};
  int Known = Answer.load(std::memory_order_acquire);
  if (Known < 0) {
    Guard G(RegionsLock);
    Known = Answer.load(std::memory_order_relaxed);
    if (Known < 0) {
      Known = !isSet("FERRY_EAGER", "1") && !isSet("FERRY_DEVICE", "cpu") &&
              pthread_atfork(beforeFork, inParent, inChild) == 0;
      if (Known) {
        pinLibrary();
        Known = atexit(atExit) == 0;
      }
      Answer.store(Known, std::memory_order_release);
    }
  }
  return Known && !RegionsOver.load(std::memory_order_relaxed);
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" void __ferry_region_begin(void *Pointer, uint64_t Bytes,
                                     const void *Site, uint32_t Again) {
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer), End;
  if (!Pointer || Bytes == 0 || __builtin_add_overflow(Begin, Bytes, &End) ||
      !regionsWanted())
    return;
  void *Memory = malloc(sizeof(Region));
  if (!Memory)
    return;
  auto *R = new (Memory) Region;
  R->Bytes = {Begin, End};
  R->Site = Site;
  R->Again = Again != 0;
  R->Owner = pthread_self();
  Guard G(RegionsLock);
  // The memory of a region that code has left without freeing it.
  while (Region *Old = findRegion(R->Bytes))
    forget(*Old);
  if (!tsearch(R, &RegionTree, order)) {
    destroy(R);
    return;
  }
  R->Next = FirstRegion;
  if (FirstRegion)
    FirstRegion->Previous = R;
  __atomic_store_n(&FirstRegion, R, __ATOMIC_RELAXED);
}

extern "C" void __ferry_region_end(void *Pointer) {
  if (!Pointer)
    return;
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer);
  Guard G(RegionsLock);
  if (Region *R = findRegion({Begin, Begin + 1}))
    forget(*R);
}

static void endAtHome(Region &R) {
  bringHome(R);
  forget(R);
}

extern "C" void __ferry_region_escapes(void *Pointer) {
  forRegions(bytesAt(Pointer), endAtHome);
}

extern "C" void __ferry_region_lent(void *Pointer) {
  forRegions(bytesAt(Pointer), [](Region &R) {
    bringHome(R);
    dropCopies(R);
    R.Lent = true;
  });
}

extern "C" void __ferry_region_returned(void *Pointer) {
  forRegions(bytesAt(Pointer), [](Region &R) { R.Lent = false; });
}

extern "C" void __ferry_regions_escape(const void *Site) {
  Guard G(RegionsLock);
  for (Region *R = FirstRegion, *Next; R; R = Next) {
    Next = R->Next;
    if (R->Site == Site && pthread_equal(R->Owner, pthread_self()))
      endAtHome(*R);
  }
}

extern "C" void __ferry_host_reads(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, fetch);
}

extern "C" void __ferry_host_reads_together(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, [](Region &R, Range Touched) {
    for (DeviceCopy *C = R.Copies; C; C = C->Next)
      if (C->Newer.bytesIn(Touched) <= CheapBytes)
        bringHome(*C, Touched);
  });
}

extern "C" void __ferry_host_writes(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, [](Region &R, Range Touched) {
    fetch(R, Touched);
    invalidate(R, Touched);
  });
}

extern "C" void __ferry_host_overwrites(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, invalidate);
}

void ferry::rt::hostReads(Range Bytes) {
  __ferry_host_reads(reinterpret_cast<void *>(Bytes.Begin),
                     Bytes.End - Bytes.Begin);
}

void ferry::rt::hostWrites(Range Bytes) {
  __ferry_host_writes(reinterpret_cast<void *>(Bytes.Begin),
                      Bytes.End - Bytes.Begin);
}
