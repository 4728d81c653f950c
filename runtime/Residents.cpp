//===- Residents.cpp - Memory that the program keeps on devices -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Residents are regions that the program itself has made. The compiler's own
// end where one begins: to it the call is code that it does not see, which gets
// the pointer. So at no time two regions have one byte.
//
// C++ has destructors to rely on: who leaves an object out breaks the
// language's rules. In Rust a safe program may forget it, and the borrow with
// it. What is left behind then must not be taken for the memory that comes to
// the same address later, nor be copied there. The rules of
// FERRY_RESIDENT_BORROWED see to that; and what kernels had written there is
// reported as lost when somebody comes across it, or at the end of the program.
//
//===----------------------------------------------------------------------===//

#include "RegionParts.h"
#include <new>

namespace ferry::rt {

static void addPlace(Text &T, const ferry_source_place &P) {
  T.addBytes(P.file, P.file_length);
  T.add(":%llu", static_cast<unsigned long long>(P.line));
}

static int failTwice(const Region &New, const Region &Old) {
  Text T;
  T.add("resident made at ");
  addPlace(T, New.Place);
  T.add(": its %llu bytes at %#llx are, some or all, those of the resident "
        "made at ",
        static_cast<unsigned long long>(New.Bytes.End - New.Bytes.Begin),
        static_cast<unsigned long long>(New.Bytes.Begin));
  addPlace(T, Old.Place);
  T.add(": memory has one resident at a time");
  return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
}

/// Makes room among the regions. With the lock held.
static int enterAlone(Region &R) {
  while (Region *Old = findRegion(R.Bytes)) {
    if (Old->Kind == RegionKind::Named && R.Kind == RegionKind::Named)
      return failTwice(R, *Old);
    if (!isFree(*Old))
      continue;
    if (Old->Kind == RegionKind::Borrowed) {
      giveUp(*Old);
      continue;
    }
    bringHome(*Old);
    forget(*Old);
  }
  if (enter(R))
    return FERRY_STATUS_OK;
  Text T;
  T.add("resident made at ");
  addPlace(T, R.Place);
  T.add(": the host has no memory left");
  return fail(FERRY_STATUS_OUT_OF_MEMORY, T);
}

/// Calls F(region, bytes of it) with the resident of that number held, if it is
/// still one.
template <typename Function>
static int withResident(Range Bytes, uint64_t Id, Function F) {
  uint64_t At = Bytes.Begin;
  Region *R;
  {
    Guard G(RegionsLock);
    R = findRegion({At, At + 1});
    if (!R || R->Id != Id)
      return FERRY_STATUS_OK;
    endFork(*R);
    ++R->Holders;
  }
  int Status = F(*R, Range{At, std::min(Bytes.End, R->Bytes.End)});
  release(*R);
  return Status;
}

void bringResidentHome(Range Bytes, uint64_t Id) {
  withResident(Bytes, Id, [](Region &R, Range Part) {
    RegionGuard G(R);
    for (DeviceCopy *C = R.Copies; C; C = C->Next)
      bringHome(*C, Part);
    return FERRY_STATUS_OK;
  });
}

static int outdate(Region &R, Range Part) {
  RegionGuard G(R);
  invalidate(R, Part);
  return FERRY_STATUS_OK;
}

int bringResidentTo(Device &D, Range Bytes, uint64_t Id, bool Written) {
  return withResident(Bytes, Id, [&](Region &R, Range Part) {
    if (Written)
      outdate(R, Part);
    if (D.Kind == DeviceKind::Cpu)
      return FERRY_STATUS_OK;
    DeviceCopy *C = placeOn(R, D, Part);
    bool Copied = C && makeValid(R, *C, Part, R.Bytes);
    if (C)
      unplace(R, *C);
    if (Copied)
      return FERRY_STATUS_OK;
    Text T;
    T.add("resident made at ");
    addPlace(T, R.Place);
    if (C) {
      T.add(": copying to device %s failed: the device may be lost", D.Name);
      return fail(FERRY_STATUS_LAUNCH_FAILED, T);
    }
    T.add(": device %s has no room for its %llu bytes", D.Name,
          static_cast<unsigned long long>(R.Bytes.End - R.Bytes.Begin));
    return fail(FERRY_STATUS_OUT_OF_MEMORY, T);
  });
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" int ferry_resident_begin(const void *Pointer, uint64_t Bytes,
                                    uint32_t Flags,
                                    const ferry_source_place *Place,
                                    uint64_t *Id) {
  static constinit std::atomic<uint64_t> Numbers{0};
  *Id = 0;
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer), End;
  bool Wraps = __builtin_add_overflow(Begin, Bytes, &End);
  if (Bytes == 0)
    return FERRY_STATUS_OK;
  if (!Pointer || Wraps) {
    Text T;
    T.add("resident made at ");
    addPlace(T, *Place);
    T.add(": there are no %llu bytes at address %#llx",
          static_cast<unsigned long long>(Bytes),
          static_cast<unsigned long long>(Begin));
    return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
  }
  // While the program ends, launches copy everything at once.
  if (!watchRegions())
    return FERRY_STATUS_OK;
  void *Memory = malloc(sizeof(Region));
  if (!Memory) {
    Text T;
    T.add("resident made at ");
    addPlace(T, *Place);
    return fail(FERRY_STATUS_OUT_OF_MEMORY,
                T.add(": the host has no memory left"));
  }
  auto *R = new (Memory) Region;
  R->Bytes = {Begin, End};
  R->Kind = Flags & FERRY_RESIDENT_BORROWED ? RegionKind::Borrowed
                                            : RegionKind::Named;
  R->ReadOnly = Flags & FERRY_RESIDENT_READ_ONLY;
  R->Again = true;
  R->Place = *Place;
  setName(*R, "a resident");
  R->Id = Numbers.fetch_add(1, std::memory_order_relaxed) + 1;
  Guard G(RegionsLock);
  if (int Status = enterAlone(*R)) {
    destroy(R);
    return Status;
  }
  *Id = R->Id;
  return FERRY_STATUS_OK;
}

extern "C" void ferry_resident_end(const void *Pointer, uint64_t Id) {
  uint64_t At = reinterpret_cast<uint64_t>(Pointer);
  Guard G(RegionsLock);
  while (Region *R = findRegion({At, At + 1})) {
    if (R->Id != Id || Id == 0)
      return;
    if (!isFree(*R))
      continue;
    endFork(*R);
    bringHome(*R);
    forget(*R);
    return;
  }
}

extern "C" int ferry_resident_to_host(const void *Pointer, uint64_t Bytes,
                                      uint64_t Id) {
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer);
  if (Bytes == 0 || Id == 0)
    return FERRY_STATUS_OK;
  bringResidentHome({Begin, Begin + Bytes}, Id);
  return FERRY_STATUS_OK;
}

extern "C" int ferry_resident_to_device(const void *Pointer, uint64_t Bytes,
                                        uint64_t Id) {
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer);
  if (Bytes == 0 || Id == 0)
    return FERRY_STATUS_OK;
  return withResident({Begin, Begin + Bytes}, Id, outdate);
}
