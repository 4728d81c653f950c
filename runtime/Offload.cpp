//===- Offload.cpp - A launch through libomptarget ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes room on the device for the launch's buffers (Plan.h), copies in, calls
// __tgt_target_kernel, copies back.
//
// The obvious way, handing the buffers to __tgt_target_kernel as mapped
// arguments, ends the program when there is no room, when another launch has a
// part of the same array mapped, or when a copy fails. So room and copies go
// through omp_target_alloc and omp_target_memcpy, whose failures become error
// values, and the kernel is given device addresses; no table of libomptarget's
// is touched, so that concurrent launches can't get into each other's way. That
// is also faster. Copies are the same in number, size and direction.
//
// What lies in a region (Regions.h) has its place there, is copied in only
// where it is not valid, and stays after the launch.
//
// With LIBOMPTARGET_INFO and its kin the user watches what is mapped, by the
// names of the variables, and only mapped arguments have names: Mapped.cpp.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "OffloadParts.h"
#include "Panic.h"
#include "Pool.h"
#include "Print.h"
#include "Regions.h"
#include "Stats.h"
#include "Trace.h"
#include "Transfers.h"
#include "Usages.h"
#include <climits>
#include <cstring>

namespace ferry::rt {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

int failLaunch(const LaunchRequest &L, int Status, const Text &Why) {
  Text T;
  addLaunch(T, L.Kernel, L.Place);
  return fail(Status, T.add("%s", Why.chars()));
}

const char *nameOf(const Offload &O, const Buffer &B) {
  const char *Name = nullptr;
  if (B.Slot != Buffer::NoSlot)
    Name = O.L.Site.slots[B.Slot].name;
  for (uint64_t I = 0; B.Fixed && I < O.L.Kernel.num_globals; ++I)
    if (O.L.Kernel.globals[I]->address == reinterpret_cast<void *>(B.Begin))
      Name = O.L.Kernel.globals[I]->name;
  return Name && *Name ? Name : "an argument";
}

static int failRoom(const Offload &O, const Group &G) {
  uint64_t All = 0;
  for (uint32_t I = 0; I < O.P.NumGroups; ++I)
    All += O.P.Groups[I].End - O.P.Groups[I].Begin;
  Text Why;
  Why.add(
      "device %s has no room for '%s' (%llu bytes; the launch needs %llu in "
      "all)",
      O.D.Name, nameOf(O, O.P.Buffers[G.FirstBuffer]),
      static_cast<unsigned long long>(G.End - G.Begin),
      static_cast<unsigned long long>(All));
  return failLaunch(O.L, FERRY_STATUS_OUT_OF_MEMORY, Why);
}

static int failCopy(const Offload &O, const Group &G, const char *Direction) {
  Text Why;
  Why.add("copying '%s' %s device %s failed: the device may be lost",
          nameOf(O, O.P.Buffers[G.FirstBuffer]), Direction, O.D.Name);
  return failLaunch(O.L, FERRY_STATUS_LAUNCH_FAILED, Why);
}

//===----------------------------------------------------------------------===//
// Room and copies
//===----------------------------------------------------------------------===//

/// What a piece that is copied starts with.
static const char *nameAt(const Offload &O, const Group &G, Direction Way,
                          uint64_t Begin) {
  for (uint32_t I = G.FirstBuffer; I < G.EndBuffer; ++I) {
    Range R = O.P.Buffers[I].*Way;
    if (R.Begin <= Begin && Begin < R.End)
      return nameOf(O, O.P.Buffers[I]);
  }
  return nameOf(O, O.P.Buffers[G.FirstBuffer]);
}

/// Groups are sorted by address, and those of one region follow each other.
int placeInRegions(Offload &O) {
  for (uint32_t I = 0, End; I < O.P.NumGroups; I = End) {
    Group &First = O.P.Groups[I];
    Range All = {First.Begin, First.End};
    for (End = I + 1; First.Home && End < O.P.NumGroups &&
                      O.P.Groups[End].Home == First.Home;
         ++End)
      All.End = O.P.Groups[End].End;
    if (!First.Home)
      continue;
    setName(*First.Home, nameOf(O, O.P.Buffers[First.FirstBuffer]));
    DeviceCopy *Copy = placeOn(*First.Home, O.D, All);
    if (!Copy)
      return failRoom(O, First);
    First.Placed = true;
    for (uint32_t J = I; J < End; ++J) {
      Group &G = O.P.Groups[J];
      G.Copy = Copy;
      G.Device = Copy->addressOf(G.Begin);
    }
  }
  return FERRY_STATUS_OK;
}

static bool isNamed(const Buffer &B) { return B.Flags & FERRY_FIELD_RESIDENT; }

/// Some other buffer of the launch has bytes of the region, and others.
static bool isTorn(const Offload &O, const Region &R) {
  Range Bytes = bytesOf(R);
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I) {
    const Buffer &B = O.P.Buffers[I];
    if (B.Begin < Bytes.End && Bytes.Begin < B.End && B.Home != &R)
      return true;
  }
  return false;
}

static void letGo(Buffer &B) {
  release(*B.Home);
  B.Home = nullptr;
}

int holdRegions(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I) {
    const Buffer &B = O.P.Buffers[I];
    if (!settleRegions({B.Begin, B.End}, !B.Back.empty(), isNamed(B)))
      return failMapped(O.L);
  }
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I)
    if (Buffer &B = O.P.Buffers[I]; !B.Fixed)
      B.Home = holdRegion({B.Begin, B.End}, isNamed(B));
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I) {
    Region *Home = O.P.Buffers[I].Home;
    if (!Home || !isTorn(O, *Home))
      continue;
    for (uint32_t J = 0; J < O.P.NumBuffers; ++J)
      if (O.P.Buffers[J].Home == Home)
        letGo(O.P.Buffers[J]);
  }
  return FERRY_STATUS_OK;
}

void releaseRegions(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I)
    if (Group &G = O.P.Groups[I]; G.Placed)
      unplace(*G.Home, *G.Copy);
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I)
    if (O.P.Buffers[I].Home)
      letGo(O.P.Buffers[I]);
}

void freeGroups(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    if (G.Block)
      deviceFree(O.D, G.Block, G.BlockBytes);
    G.Block = nullptr;
  }
}

int allocateGroups(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    if (G.Device)
      continue;
    G.BlockBytes = G.End - G.Begin + Alignment - 1;
    G.Block =
        deviceAlloc(O.D, G.BlockBytes, nameOf(O, O.P.Buffers[G.FirstBuffer]));
    if (!G.Block) {
      int Status = failRoom(O, G);
      freeGroups(O);
      return Status;
    }
    // A virtual device's memory is the host's.
    if (O.D.Kind == DeviceKind::Virtual && coherenceWanted())
      memset(G.Block, 0xa5, G.BlockBytes);
    uint64_t Address = reinterpret_cast<uint64_t>(G.Block);
    Address += (G.Begin - Address) % Alignment;
    G.Device = reinterpret_cast<char *>(Address);
  }
  return FERRY_STATUS_OK;
}

/// What the launch was given there, used or not.
static Range passed(const Offload &O, const Group &G) {
  Range All;
  for (uint32_t I = G.FirstBuffer; I < G.EndBuffer; ++I) {
    const Buffer &B = O.P.Buffers[I];
    if (B.Slot != Buffer::NoSlot)
      All = hull(All, {B.Start, B.Start + O.L.Bytes[B.Slot]});
  }
  return All;
}

int copyIn(Offload &O, bool OnlyPlaced) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    if (OnlyPlaced && !G.Device)
      continue;
    bool Failed = false;
    O.P.pieces(G, &Buffer::In, [&](uint64_t Begin, uint64_t End) {
      if (G.Copy) {
        Failed |= !makeValid(*G.Home, *G.Copy, {Begin, End}, passed(O, G));
        return;
      }
      Failed |= !copyToDevice(O.D, G.Device + (Begin - G.Begin), {Begin, End},
                              [&] { return nameAt(O, G, &Buffer::In, Begin); });
    });
    if (Failed)
      return failCopy(O, G, "to");
  }
  return FERRY_STATUS_OK;
}

int copyBack(Offload &O, bool OnlyPlaced) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    if (OnlyPlaced && !G.Device)
      continue;
    bool Failed = false;
    O.P.pieces(G, &Buffer::Back, [&](uint64_t Begin, uint64_t End) {
      if (G.Copy) {
        becomeNewer(*G.Home, *G.Copy, {Begin, End});
        return;
      }
      Failed |= !copyToHost(O.D, G.Device + (Begin - G.Begin), {Begin, End},
                            [&] { return nameAt(O, G, &Buffer::Back, Begin); });
    });
    if (Failed)
      return failCopy(O, G, "from");
  }
  return FERRY_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

uint32_t addHidden(const Offload &O, uint64_t *To) {
  const ferry_geometry &G = O.L.Geometry;
  uint32_t N = 0;
  for (uint64_t Extent : G.extent)
    To[N++] = Extent;
  for (uint32_t Block : G.block)
    To[N++] = Block;
  To[N++] = G.dynamic_shared;
  ferry_cpu_runner Runner =
      O.D.Kind == DeviceKind::Virtual ? runOnPool : nullptr;
  To[N++] = reinterpret_cast<uint64_t>(Runner);
  if (O.canPanic())
    To[N++] = uint64_t(O.On->Generations[O.PanicRecord]) << 32 | O.PanicRecord;
  return N;
}

int call(Offload &O, TgtKernelArgs &Args, TgtIdent *Ident) {
  TraceScope Running(ActionKind::Kernel, O.D.Name, O.L.Kernel.name);
  for (unsigned I = 0; I < 3; ++I) {
    Args.Teams[I] = std::min<uint64_t>(blocksInGrid(O.L, I), uint64_t(INT_MAX));
    Args.Threads[I] = O.L.Geometry.block[I];
  }
  Args.DynamicSharedBytes = ferry_gpu_dynamic_shared(O.L.Kernel.static_shared,
                                                     O.L.Shape.shared_bytes);
  const void *Key = &O.L.Kernel;
  if (O.L.Kernel.apart_symbol && O.P.buffersLieApart())
    Key = static_cast<const void *>(&O.L.Kernel.apart_symbol);
  if (Omp.TargetKernel(Ident, O.D.OmpId, Args.Teams[0], Args.Threads[0],
                       const_cast<void *>(Key), &Args) == 0)
    return ranOutOfScratch() ? failScratch(O.L) : FERRY_STATUS_OK;
  Text Why;
  Why.add("device %s refused the launch", O.D.Name);
  return failLaunch(O.L, FERRY_STATUS_LAUNCH_FAILED, Why);
}

/// What a kernel has for a buffer of which nothing is on the device: the host's
/// pointer, which it may compare with null. A virtual device could follow it.
static uint64_t unplaced(const Offload &O, uint64_t Pointer) {
  constexpr uint64_t Nowhere = uint64_t(1) << 62;
  bool Spoil = Pointer && O.D.Kind == DeviceKind::Virtual && coherenceWanted();
  return Spoil ? Pointer | Nowhere : Pointer;
}

int runUnmapped(Offload &O) {
  if (int Status = allocateGroups(O))
    return Status;
  uint32_t NumSlots = O.L.Site.num_slots;
  uint32_t Most = NumSlots + HiddenArguments + 1;
  auto *Values = roomFor<uint64_t>(alloca(Most * sizeof(uint64_t)));
  auto *Sizes = roomFor<int64_t>(alloca(Most * sizeof(int64_t)));
  auto *Types = roomFor<int64_t>(alloca(Most * sizeof(int64_t)));
  for (uint32_t I = 0; I < NumSlots; ++I)
    Values[I] =
        O.L.Site.slots[I].flags ? unplaced(O, O.L.Values[I]) : O.L.Values[I];
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    for (uint32_t J = G.FirstBuffer; J < G.EndBuffer; ++J)
      if (O.P.Buffers[J].Slot != Buffer::NoSlot)
        Values[O.P.Buffers[J].Slot] = G.addressOf(O.P.Buffers[J]);
  }
  TgtKernelArgs Args;
  Args.NumArgs = NumSlots + addHidden(O, Values + NumSlots);
  for (uint32_t I = 0; I < Args.NumArgs; ++I) {
    Sizes[I] = sizeof(uint64_t);
    Types[I] = MapLiteral | MapTargetParam;
  }
  Args.BasePointers = Args.Pointers = reinterpret_cast<void **>(Values);
  Args.Sizes = Sizes;
  Args.Types = Types;

  int Status = copyIn(O, /*OnlyPlaced=*/false);
  if (!Status)
    Status = call(O, Args, nullptr);
  if (!Status)
    Status = copyBack(O, /*OnlyPlaced=*/false);
  freeGroups(O);
  return Status;
}

//===----------------------------------------------------------------------===//
// Panics
//===----------------------------------------------------------------------===//

/// Looks at the record after a launch.
static int checkPanic(Offload &O) {
  ferry_panic_record Record;
  auto Place = reinterpret_cast<uint64_t>(&Record);
  if (!copyToHost(O.D, O.On->PanicRecords + O.PanicRecord * sizeof(Record),
                  {Place, Place + sizeof(Record)}, "Ferry's panic record")) {
    Text Why;
    Why.add("copying the panic record from device %s failed: the device may be "
            "lost",
            O.D.Name);
    return failLaunch(O.L, FERRY_STATUS_LAUNCH_FAILED, Why);
  }
  if (Record.state != O.On->Generations[O.PanicRecord])
    return FERRY_STATUS_OK;
  ++O.On->Generations[O.PanicRecord];
  return failWithPanic(O.L.Kernel, O.L.Geometry, Record);
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// Where a global that the kernel names is on the device.
static char *placeOf(const Offload &O, const ferry_global &Global) {
  const ferry_module &M = *O.L.Kernel.module;
  for (uint64_t I = 0; I < M.num_globals; ++I)
    if (M.globals[I] == &Global)
      return static_cast<char *>(O.On->Globals[I]);
  return nullptr;
}

static int makePlan(Offload &O, const Usage *Used) {
  const ferry_launch_site &Site = O.L.Site;
  auto Add = [&](const Buffer &B) {
    if (B.Begin != B.End)
      O.P.add(B);
  };
  for (uint32_t I = 0; I < Site.num_slots; ++I, ++Used)
    if (uint32_t Flags = Site.slots[I].flags)
      Add(Buffer(O.L.Values[I], *Used, Flags, I));
  for (uint64_t I = 0; I < O.L.Kernel.num_globals; ++I, ++Used) {
    const ferry_global &G = *O.L.Kernel.globals[I];
    char *Place = placeOf(O, G);
    if (!Place) {
      Text Why;
      Why.add("global '%s' is missing from the module's list: the program was "
              "compiled by a broken plugin",
              G.name);
      return failLaunch(O.L, FERRY_STATUS_INVALID_ARGUMENT, Why);
    }
    Add(Buffer(G, *Used, Place));
  }
  if (int Status = holdRegions(O))
    return Status;
  const Buffer *Torn = O.P.group();
  if (!Torn)
    return FERRY_STATUS_OK;
  Text Why;
  Why.add("an argument reaches over the edge of global '%s', which the kernel "
          "uses too",
          nameOf(O, *Torn));
  return failLaunch(O.L, FERRY_STATUS_INVALID_ARGUMENT, Why);
}

static int runPlanned(Offload &O) {
  ferry_module &M = *O.L.Kernel.module;
  if (O.canPanic())
    O.PanicRecord = takePanicRecord(M);
  if (O.prints())
    O.D.Printing.lock();
  int Status = OmpTraced ? runMapped(O) : runUnmapped(O);
  if (!Status && O.prints())
    Status = printLines(O);
  if (O.prints())
    O.D.Printing.unlock();
  if (!Status)
    countLaunch();
  if (!Status && O.MayPanic)
    Status = checkPanic(O);
  if (O.canPanic())
    returnPanicRecord(M, O.PanicRecord);
  return Status;
}

int runOffloaded(LaunchRequest &L, Device &D) {
  ferry_module &M = *L.Kernel.module;
  Text Why;
  OnDevice *On = prepare(M, D, Why);
  if (!On)
    return failLaunch(L, FERRY_STATUS_NO_DEVICE, Why);

  size_t Most = L.Site.num_slots + L.Kernel.num_globals;
  Plan P(roomFor<Buffer>(alloca((Most + 1) * sizeof(Buffer))),
         roomFor<Group>(alloca((Most + 1) * sizeof(Group))));
  Offload O{L, D, On, P};
  auto *Used = roomFor<Usage>(alloca((Most + 1) * sizeof(Usage)));
  O.MayPanic = usagesOf(L, Used);
  int Status = makePlan(O, Used);
  if (!Status)
    Status = placeInRegions(O);
  if (!Status)
    Status = runPlanned(O);
  releaseRegions(O);
  return Status;
}

} // namespace ferry::rt
