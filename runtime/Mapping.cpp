//===- Mapping.cpp - Device memory for host code --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch does around its kernel, in two halves: before and after host
// code that works with device addresses. A mapping is made to look like a
// launch whose kernel nothing is known of, so that buffers which overlap share
// a place, residents are used where they are, and failures read alike.
//
//===----------------------------------------------------------------------===//

#include "OffloadParts.h"
#include "Regions.h"
#include <cstdlib>
#include <new>

namespace ferry::rt {

namespace {

/// The names of buffers, for messages and traces.
constexpr const char *ArgumentNames[] = {
    "argument 1", "argument 2", "argument 3", "argument 4",
    "argument 5", "argument 6", "argument 7", "argument 8"};
constexpr uint32_t MostMappings = 8;

struct Mapping {
  ferry_kernel Kernel = {};
  ferry_launch_site Site = {};
  ferry_slot Slots[MostMappings] = {};
  ferry_launch_shape Shape = {};
  ferry_source_place Place;
  uint64_t Values[MostMappings] = {}, Bytes[MostMappings] = {};
  LaunchRequest L{Kernel, Site, Shape, Place, Values, Bytes, {}};
  alignas(Buffer) char BufferRoom[MostMappings * sizeof(Buffer)];
  alignas(Group) char GroupRoom[MostMappings * sizeof(Group)];
  Mapping *Outer = nullptr; ///< that this thread is in
  Plan P{reinterpret_cast<Buffer *>(BufferRoom),
         reinterpret_cast<Group *>(GroupRoom)};
  Offload O;

  Mapping(const ferry_source_place &Where, Device &D)
      : Place(Where), O{L, D, nullptr, P} {
    Kernel.name = "with_device";
    Site.slots = Slots;
  }
};

} // namespace

static thread_local Mapping *Innermost = nullptr;

bool isMappedHere(const Region &R) {
  for (const Mapping *M = Innermost; M; M = M->Outer)
    for (uint32_t I = 0; I < M->P.NumBuffers; ++I)
      if (M->P.Buffers[I].Home == &R)
        return true;
  return false;
}

/// All of each region gets room, so that launches inside of the host's code
/// need no more of it: it could not be moved then.
static int makeRoom(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumBuffers; ++I) {
    Region *R = O.P.Buffers[I].Home;
    if (!R)
      continue;
    DeviceCopy *C = placeOn(*R, O.D, bytesOf(*R));
    if (C) {
      unplace(*R, *C);
      continue;
    }
    Text Why;
    Why.add("device %s has no room for all of the resident that '%s' is of",
            O.D.Name, nameOf(O, O.P.Buffers[I]));
    return failLaunch(O.L, FERRY_STATUS_OUT_OF_MEMORY, Why);
  }
  return FERRY_STATUS_OK;
}

static int failMapping(const ferry_source_place &Place, int Status,
                       const char *Why) {
  ferry_kernel Nothing = {};
  Nothing.name = "with_device";
  Text T;
  addLaunch(T, Nothing, Place);
  return fail(Status, T.add("%s", Why));
}

static void undo(Mapping &M) {
  freeGroups(M.O);
  releaseRegions(M.O);
  M.~Mapping();
  free(&M);
}

static int mapOnDevice(Mapping &M, ferry_mapping *Mappings, uint32_t Count) {
  M.Site.num_slots = Count;
  for (uint32_t I = 0; I < Count; ++I) {
    const ferry_mapping &Given = Mappings[I];
    M.Slots[I] = {Given.flags, 0, ArgumentNames[I]};
    M.Values[I] = reinterpret_cast<uint64_t>(Given.host);
    M.Bytes[I] = Given.bytes;
    if (Given.bytes)
      M.P.add(
          Buffer(M.Values[I], allOf(Given.flags, Given.bytes), Given.flags, I));
  }
  if (int Failed = holdRegions(M.O))
    return Failed;
  M.P.group(); // without globals nothing is torn
  int Status = makeRoom(M.O);
  if (!Status)
    Status = placeInRegions(M.O);
  if (!Status)
    Status = allocateGroups(M.O);
  if (!Status)
    Status = copyIn(M.O, /*OnlyPlaced=*/false);
  if (Status)
    return Status;
  for (uint32_t I = 0; I < Count; ++I)
    Mappings[I].device = const_cast<void *>(Mappings[I].host);
  for (uint32_t I = 0; I < M.P.NumGroups; ++I) {
    const Group &G = M.P.Groups[I];
    for (uint32_t J = G.FirstBuffer; J < G.EndBuffer; ++J)
      Mappings[M.P.Buffers[J].Slot].device =
          reinterpret_cast<void *>(G.addressOf(M.P.Buffers[J]));
  }
  return FERRY_STATUS_OK;
}

/// Where the host's code has been, nobody knows what a resident has.
static void noteWrites(Offload &O) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    Group &G = O.P.Groups[I];
    if (G.Copy)
      O.P.pieces(G, &Buffer::Back, [&](uint64_t Begin, uint64_t End) {
        becomeNewer(*G.Home, *G.Copy, {Begin, End});
      });
  }
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" int ferry_map(ferry_mapping *Mappings, uint32_t Count,
                         const ferry_source_place *Place, void **State) {
  *State = nullptr;
  if (Count > MostMappings)
    return failMapping(*Place, FERRY_STATUS_INVALID_ARGUMENT,
                       "more than 8 arguments");
  for (uint32_t I = 0; I < Count; ++I) {
    uint64_t End;
    if (Mappings[I].bytes &&
        (!Mappings[I].host ||
         __builtin_add_overflow(reinterpret_cast<uint64_t>(Mappings[I].host),
                                Mappings[I].bytes, &End)))
      return failMapping(*Place, FERRY_STATUS_INVALID_ARGUMENT,
                         "an argument has no memory of its size");
  }
  Text Why;
  Device *D = findDevice(nullptr, -1, Why);
  if (!D)
    return failMapping(*Place, FERRY_STATUS_NO_DEVICE, Why.chars());
  if (D->Kind == DeviceKind::Cpu) {
    for (uint32_t I = 0; I < Count; ++I) {
      ferry_mapping &M = Mappings[I];
      uint64_t Begin = reinterpret_cast<uint64_t>(M.host);
      if (M.bytes &&
          !hostTouches({Begin, Begin + M.bytes}, M.flags & FERRY_FIELD_WRITE,
                       M.flags & FERRY_FIELD_RESIDENT))
        return failMapping(*Place, FERRY_STATUS_INVALID_ARGUMENT, InUseAround);
      M.device = const_cast<void *>(M.host);
    }
    return FERRY_STATUS_OK;
  }
  void *Memory = malloc(sizeof(Mapping));
  if (!Memory)
    return failMapping(*Place, FERRY_STATUS_OUT_OF_MEMORY,
                       "the host has no memory left");
  auto *M = new (Memory) Mapping(*Place, *D);
  if (int Status = mapOnDevice(*M, Mappings, Count)) {
    undo(*M);
    return Status;
  }
  M->Outer = Innermost;
  Innermost = M;
  *State = M;
  return FERRY_STATUS_OK;
}

extern "C" int ferry_unmap(void *State, int Abandoned) {
  if (!State)
    return FERRY_STATUS_OK;
  auto &M = *static_cast<Mapping *>(State);
  Innermost = M.Outer; // they end in the reverse order
  int Status = FERRY_STATUS_OK;
  if (Abandoned)
    noteWrites(M.O);
  else
    Status = copyBack(M.O, /*OnlyPlaced=*/false);
  undo(M);
  return Status;
}
