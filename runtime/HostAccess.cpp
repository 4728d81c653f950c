//===- HostAccess.cpp - What the host says about regions ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin's announcements (runtime.h): where a region begins and ends, and
// where the host looks. They may be of any memory, and find what they are about
// by address. Regions that the program has made itself hear of accesses, too.
//
//===----------------------------------------------------------------------===//

#include "Omptarget.h"
#include "Process.h"
#include "RegionParts.h"
#include <cstring>
#include <new>

namespace ferry::rt {

/// What takes no longer to copy than a few bytes do.
static constexpr uint64_t CheapBytes = 64 << 10;

/// The host that writes as many parts is at work on all of it, and the next
/// launch wants it in one copy rather than in as many.
static constexpr unsigned MostWrites = 1 << 14;

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
/// bytes, with the lock held. Gives one that any thread may use, or null.
template <typename Function>
static Region *forRegions(Range Bytes, Function F) {
  Guard G(RegionsLock);
  Region *R = findRegion(Bytes), *Shared = nullptr;
  if (!R)
    return nullptr;
  bool Alone = contains(R->Bytes, Bytes);
  for (Region *Next = Alone ? R : FirstRegion; (R = Next);) {
    Next = Alone ? nullptr : R->Next;
    if (!overlap(R->Bytes, Bytes))
      continue;
    if (R->Kind == RegionKind::Named)
      Shared = R;
    else if (R->isFound() && pthread_equal(R->Owner, pthread_self()))
      F(*R);
  }
  return Shared;
}

/// Calls F(region, bytes of it) for each region that any thread may use. They
/// are not copied with the lock held that all launches need.
template <typename Function>
static void forNamed(Range Bytes, bool AlsoBorrowed, Function F) {
  for (uint64_t From = Bytes.Begin; From < Bytes.End;) {
    Region *Next = nullptr;
    {
      Guard G(RegionsLock);
      for (Region *R = FirstRegion; R; R = R->Next)
        if (!R->isFound() && (AlsoBorrowed || R->Kind == RegionKind::Named) &&
            overlap(R->Bytes, {From, Bytes.End}) &&
            (!Next || R->Bytes.Begin < Next->Bytes.Begin))
          Next = R;
      if (!Next)
        return;
      endFork(*Next);
      ++Next->Holders;
    }
    Range Part = {std::max(From, Next->Bytes.Begin),
                  std::min(Bytes.End, Next->Bytes.End)};
    From = Next->Bytes.End;
    {
      RegionGuard G(*Next);
      F(*Next, Part);
    }
    release(*Next);
  }
}

/// Calls F(region, bytes of it) for what the host touches.
template <typename Function>
static void touch(void *Pointer, uint64_t Bytes, Function F) {
  bool All = Bytes == FERRY_ALL_BYTES;
  Range Touched;
  if (All) {
    Touched = bytesAt(Pointer);
  } else {
    Touched.Begin = reinterpret_cast<uint64_t>(Pointer);
    if (__builtin_add_overflow(Touched.Begin, Bytes, &Touched.End))
      Touched.End = UINT64_MAX;
  }
  auto PartOf = [&](Region &R, Range Part) { F(R, All ? R.Bytes : Part); };
  if (forRegions(Touched, [&](Region &R) {
        PartOf(R, {std::max(Touched.Begin, R.Bytes.Begin),
                   std::min(Touched.End, R.Bytes.End)});
      }))
    forNamed(Touched, /*AlsoBorrowed=*/false, PartOf);
}

//===----------------------------------------------------------------------===//
// Begin, end, fork and exit
//===----------------------------------------------------------------------===//

/// Copies what only devices have of a region that may be over, and whose memory
/// may be another's. Without memory for that it is lost.
static void stash(Region &R) {
  for (DeviceCopy *C = R.Copies; C; C = C->Next) {
    if (C->Newer.empty())
      continue;
    if (!R.Stash)
      R.Stash = static_cast<char *>(malloc(R.Bytes.End - R.Bytes.Begin));
    R.Lost |= !R.Stash;
    C->Newer.inside(R.Bytes, [&](Range Part) {
      R.Lost = R.Lost ||
               Omp.Memcpy(R.Stash, C->addressOf(Part.Begin),
                          Part.End - Part.Begin, Part.Begin - R.Bytes.Begin, 0,
                          Omp.GetInitialDevice(), C->D.OmpId) != 0 ||
               !R.Stashed.add(Part);
    });
  }
}

static void beforeFork() {
  RegionsLock.lock();
  for (Region *R = FirstRegion; R; R = R->Next) {
    if (R->Kind == RegionKind::Borrowed)
      R->Holders ? void(R->Lost = true) : stash(*R);
    else if (!R->Holders)
      bringHome(*R);
  }
}

static void inParent() {
  for (Region *R = FirstRegion; R; R = R->Next) {
    free(R->Stash);
    R->Stash = nullptr;
    R->Stashed.clear();
    R->Lost = false;
  }
  RegionsLock.unlock();
}

/// The child has no devices, and no other threads whose regions could matter.
static void inChild() {
  RegionsLock.reset();
  for (Region *R = FirstRegion; R; R = R->Next) {
    while (DeviceCopy *C = R->Copies) {
      R->Copies = C->Next;
      destroy(C);
    }
    R->Holders = 0;
    R->Own.reset();
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
    if (R->Holders ||
        (R->isFound() && !pthread_equal(R->Owner, pthread_self())))
      continue;
    if (!R->isFound()) {
      giveUp(*R);
      continue;
    }
    bringHome(*R);
    forget(*R);
  }
}

static bool isSet(const char *Name, const char *Value) {
  const char *Text = getenv(Name);
  return Text && strcmp(Text, Value) == 0;
}

bool watchRegions() {
  static constinit std::atomic<int> Answer{-1};
  int Known = Answer.load(std::memory_order_acquire);
  if (Known < 0) {
    Guard G(RegionsLock);
    Known = Answer.load(std::memory_order_relaxed);
    if (Known < 0) {
      Known = pthread_atfork(beforeFork, inParent, inChild) == 0;
      if (Known) {
        pinLibrary();
        Known = atexit(atExit) == 0;
      }
      Answer.store(Known, std::memory_order_release);
    }
  }
  return Known && !RegionsOver.load(std::memory_order_relaxed);
}

/// Decided once. Where nothing is ever copied, there is nothing to keep.
static bool regionsWanted() {
  static constinit std::atomic<int> Answer{-1};
  int Known = Answer.load(std::memory_order_relaxed);
  if (Known < 0) {
    Known = !isSet("FERRY_EAGER", "1") && !isSet("FERRY_DEVICE", "cpu");
    Answer.store(Known, std::memory_order_relaxed);
  }
  return Known && watchRegions();
}

static void endAtHome(Region &R) {
  bringHome(R);
  forget(R);
}

/// A region of the compiler's, whoever began it.
void leaveAlone(Range Bytes) {
  if (!anyRegions())
    return;
  Guard G(RegionsLock);
  for (Region *R = FirstRegion, *Next; R; R = Next) {
    Next = R->Next;
    if (R->isFound() && !R->Holders && overlap(R->Bytes, Bytes))
      endAtHome(*R);
  }
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
    if (isFree(*Old))
      Old->isFound() ? forget(*Old) : giveUp(*Old);
  if (!enter(*R))
    destroy(R);
}

extern "C" void __ferry_region_end(void *Pointer) {
  if (!Pointer)
    return;
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer);
  Guard G(RegionsLock);
  while (Region *R = findRegion({Begin, Begin + 1}))
    if (isFree(*R))
      R->isFound() ? forget(*R) : giveUp(*R);
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

/// Whether the region now is the host's alone, so that it need ask no more.
static bool becomesHosts(Region &R) {
  if (!R.isFound() || R.Holders || ++R.Writes <= MostWrites)
    return false;
  bringHome(R);
  dropCopies(R);
  return true;
}

extern "C" void __ferry_host_writes(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, [](Region &R, Range Touched) {
    if (becomesHosts(R))
      return;
    fetch(R, Touched);
    invalidate(R, Touched);
  });
}

extern "C" void __ferry_host_overwrites(void *Pointer, uint64_t Bytes) {
  touch(Pointer, Bytes, [](Region &R, Range Touched) {
    if (!becomesHosts(R))
      invalidate(R, Touched);
  });
}

bool ferry::rt::hostTouches(Range Bytes, bool Writes, bool Named) {
  if (!anyRegions())
    return true;
  if (!settleRegions(Bytes, Writes, Named))
    return false;
  auto *Begin = reinterpret_cast<void *>(Bytes.Begin);
  uint64_t Length = Bytes.End - Bytes.Begin;
  (Writes ? __ferry_host_writes : __ferry_host_reads)(Begin, Length);
  if (Named)
    forNamed(Bytes, /*AlsoBorrowed=*/true, [&](Region &R, Range Part) {
      fetch(R, Part);
      if (Writes)
        invalidate(R, Part);
    });
  return true;
}
