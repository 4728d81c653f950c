//===- Mapped.cpp - A launch with mapped arguments ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs when LIBOMPTARGET_INFO, _DEBUG or _PROFILE is set: the buffers are
// mapped arguments of __tgt_target_kernel, as clang's would be, with the names
// of the user's variables. As mapping ends the program when there is no room,
// that is tested before, and launches go one at a time, since two that map
// parts of one array would get into each other's way. Buffers that the program
// itself has mapped go unmapped.
//
//===----------------------------------------------------------------------===//

#include "OffloadParts.h"
#include "Stats.h"
#include "Trace.h"
#include <new>
#include <utility>

namespace ferry::rt {

namespace {

/// The arrays of a launch with mapped arguments, and the texts they point to.
struct Mapped {
  uint64_t *Bases, *Values; ///< what a pointer points to, what is mapped of it
  int64_t *Sizes, *Types;
  void **Names;
  uint32_t Count = 0;
  Text *Texts;

  void add(uint64_t Value, int64_t Size, int64_t Type, const char *Name,
           const ferry_source_place &Place) {
    Bases[Count] = Values[Count] = Value;
    Sizes[Count] = Size;
    Types[Count] = Type;
    Text &T = Texts[Count];
    addSource(T, Name, Place);
    Names[Count++] = const_cast<char *>(T.chars());
  }

  /// ";name;file;line;column;;", as clang writes them.
  static void addSource(Text &T, const char *Name,
                        const ferry_source_place &Place) {
    T.add(";%s;", Name && *Name ? Name : "unknown");
    T.addBytes(Place.file, Place.file_length);
    T.add(";%llu;%llu;;", static_cast<unsigned long long>(Place.line),
          static_cast<unsigned long long>(Place.column));
  }
};

} // namespace

/// The group is one buffer, of which all or nothing is copied in and back.
static bool isSimple(const Offload &O, const Group &G) {
  const Buffer &B = O.P.Buffers[G.FirstBuffer];
  Range All = {B.Begin, B.End};
  return G.EndBuffer - G.FirstBuffer == 1 && (B.In.empty() || B.In == All) &&
         (B.Back.empty() || B.Back == All);
}

static int64_t copyBits(const Buffer &B) {
  return (B.In.empty() ? 0 : MapTo) | (B.Back.empty() ? 0 : MapFrom);
}

/// Other groups are mapped as a whole, which is not an argument; the pieces
/// that go there and back are copied once each, and the arguments find
/// themselves inside.
static void mapPieces(Offload &O, const Group &G, Mapped &M) {
  const char *Name = nameOf(O, O.P.Buffers[G.FirstBuffer]);
  M.add(G.Begin, G.End - G.Begin, 0, Name, O.L.Place);
  for (auto [Way, Type] :
       {std::pair(&Buffer::In, MapTo), std::pair(&Buffer::Back, MapFrom)})
    O.P.pieces(G, Way, [&, Type = Type](uint64_t Begin, uint64_t End) {
      M.add(Begin, End - Begin, Type | MapAlways, Name, O.L.Place);
    });
}

static void mapSlots(Offload &O, Mapped &M) {
  const ferry_launch_site &Site = O.L.Site;
  uint32_t First = M.Count;
  for (uint32_t I = 0; I < Site.num_slots; ++I)
    M.add(O.L.Values[I], sizeof(uint64_t), MapLiteral | MapTargetParam,
          Site.slots[I].name, O.L.Place);
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    const Group &G = O.P.Groups[I];
    for (uint32_t J = G.FirstBuffer; J < G.EndBuffer; ++J) {
      const Buffer &B = O.P.Buffers[J];
      if (B.Slot == Buffer::NoSlot)
        continue;
      uint32_t At = First + B.Slot;
      if (G.Device) {
        M.Bases[At] = M.Values[At] = G.addressOf(B);
        continue;
      }
      M.Bases[At] = B.Start;
      M.Values[At] = B.Begin;
      M.Sizes[At] = B.End - B.Begin;
      M.Types[At] = MapTargetParam | (isSimple(O, G) ? copyBits(B) : 0);
    }
  }
}

/// The name in ";name;file...".
static TraceName nameIn(const char *Source) {
  return *Source ? TraceName(Source + 1, strcspn(Source + 1, ";")) : "unknown";
}

/// libomptarget has copied inside of its call, when exactly is not known.
static void countMapped(const Offload &O, const Mapped &M) {
  for (uint32_t I = 0; I < M.Count; ++I) {
    auto Name = [&] { return nameIn(M.Texts[I].chars()); };
    if (M.Types[I] & MapTo) {
      TraceScope Copied(ActionKind::ToDevice, O.D.Name, Name, M.Sizes[I]);
      countToDevice(M.Sizes[I]);
    }
    if (M.Types[I] & MapFrom) {
      TraceScope Copied(ActionKind::ToHost, O.D.Name, Name, M.Sizes[I]);
      countToHost(M.Sizes[I]);
    }
  }
}

/// The program's own OpenMP has a part of some buffer mapped. Mapping it again
/// would find that part instead of the host's data, or end the program because
/// the part can't be extended. Looks once a page (of large buffers: 65,536
/// times), and at both ends.
static bool mappedByOthers(const Offload &O) {
  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    const Group &G = O.P.Groups[I];
    if (G.Device)
      continue;
    uint64_t Step = std::max<uint64_t>(4096, (G.End - G.Begin) / 65536);
    for (uint64_t At = G.Begin; At < G.End + Step - 1; At += Step)
      if (Omp.GetMappedPtr(reinterpret_cast<void *>(std::min(At, G.End - 1)),
                           O.D.OmpId))
        return true;
  }
  return false;
}

int runMapped(Offload &O) {
  static constinit Lock OneAtATime;
  Guard OneLaunch(OneAtATime);
  // Groups have their places only for this test; a global's stays.
  if (int Status = allocateGroups(O))
    return Status;
  for (uint32_t I = 0; I < O.P.NumGroups; ++I)
    if (O.P.Groups[I].Block)
      O.P.Groups[I].Device = nullptr;
  freeGroups(O);
  emptyCache(O.D);
  if (mappedByOthers(O))
    return runUnmapped(O);

  uint32_t NumSlots = O.L.Site.num_slots;
  uint32_t Most = NumSlots + HiddenArguments + 1 + 3 * O.P.NumBuffers;
  Mapped M;
  M.Bases = roomFor<uint64_t>(alloca(Most * sizeof(uint64_t)));
  M.Values = roomFor<uint64_t>(alloca(Most * sizeof(uint64_t)));
  M.Sizes = roomFor<int64_t>(alloca(Most * sizeof(int64_t)));
  M.Types = roomFor<int64_t>(alloca(Most * sizeof(int64_t)));
  M.Names = roomFor<void *>(alloca(Most * sizeof(void *)));
  M.Texts = roomFor<Text>(alloca(Most * sizeof(Text)));
  for (uint32_t I = 0; I < Most; ++I)
    new (&M.Texts[I]) Text;

  for (uint32_t I = 0; I < O.P.NumGroups; ++I) {
    const Group &G = O.P.Groups[I];
    if (!G.Device && !isSimple(O, G))
      mapPieces(O, G, M);
  }
  mapSlots(O, M);
  uint64_t Hidden[HiddenArguments + 1];
  uint32_t NumHidden = addHidden(O, Hidden);
  for (uint32_t I = 0; I < NumHidden; ++I)
    M.add(Hidden[I], sizeof(uint64_t), MapLiteral | MapTargetParam,
          "ferry's own", O.L.Place);

  TgtKernelArgs Args;
  Args.NumArgs = M.Count;
  Args.BasePointers = reinterpret_cast<void **>(M.Bases);
  Args.Pointers = reinterpret_cast<void **>(M.Values);
  Args.Sizes = M.Sizes;
  Args.Types = M.Types;
  Args.Names = M.Names;
  Text Source;
  Source.add(";").addBytes(O.L.Place.file, O.L.Place.file_length);
  Source.add(";%s;%llu;%llu;;", O.L.Kernel.name,
             static_cast<unsigned long long>(O.L.Place.line),
             static_cast<unsigned long long>(O.L.Place.column));
  TgtIdent Ident;
  Ident.Source = Source.chars();

  int Status = copyIn(O, /*OnlyPlaced=*/true);
  if (!Status)
    Status = call(O, Args, &Ident);
  if (!Status) {
    countMapped(O, M);
    Status = copyBack(O, /*OnlyPlaced=*/true);
  }
  for (uint32_t I = 0; I < Most; ++I)
    M.Texts[I].~Text();
  return Status;
}

} // namespace ferry::rt
