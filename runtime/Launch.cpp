//===- Launch.cpp - Runs one launch ---------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch marker became: checks the shape, finds the device, and runs the
// kernel on the pool (cpu) or hands it to libomptarget (Offload.cpp).
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Check.h"
#include "Devices.h"
#include "Error.h"
#include "Offload.h"
#include "Panic.h"
#include "Pool.h"
#include "Regions.h"
#include "Stats.h"
#include "Streams.h"
#include "Trace.h"
#include <alloca.h>

namespace ferry::rt {

static constexpr uint64_t MostThreads = uint64_t(1) << 32;

/// Product of `N` extents, MostThreads + 1 when it is larger than that.
static uint64_t product(const uint64_t *Extents, unsigned N,
                        uint64_t Start = 1) {
  uint64_t Result = Start;
  for (unsigned I = 0; I < N; ++I) {
    if (Extents[I] == 0)
      return 0;
    if (Result > MostThreads / Extents[I])
      Result = MostThreads + 1;
    else
      Result *= Extents[I];
  }
  return Result;
}

/// "32 x 64", without the trailing ones.
static void addExtents(Text &T, const uint64_t *Extents) {
  unsigned N = Extents[2] != 1 ? 3 : Extents[1] != 1 ? 2 : 1;
  for (unsigned I = 0; I < N; ++I)
    T.add("%s%llu", I ? " x " : "",
          static_cast<unsigned long long>(Extents[I]));
}

/// The exact product of up to six 64-bit extents doesn't fit a word: in doubles
/// where it must be.
static void addProduct(Text &T, const uint64_t *A, const uint64_t *B) {
  unsigned __int128 Exact = 1;
  double Rough = 1;
  bool Fits = true;
  for (const uint64_t *Extents : {A, B})
    for (unsigned I = 0; Extents && I < 3; ++I) {
      Rough *= double(Extents[I]);
      Fits &= Rough < 1e19;
      Exact *= Extents[I];
    }
  if (Fits)
    T.add("%llu", static_cast<unsigned long long>(Exact));
  else
    T.add("%.3g", Rough);
}

/// Fills the geometry and checks what holds for every device. `Empty`: there is
/// nothing to run.
static int checkShape(LaunchRequest &L, bool &Empty) {
  const ferry_launch_shape &S = L.Shape;
  bool IsOver = L.Kernel.shape == FERRY_OVER;
  ferry_geometry &G = L.Geometry;
  G = {};
  for (unsigned I = 0; I < 3; ++I)
    G.extent[I] = S.extent[I];
  Empty = product(S.extent, 3) == 0;
  if (IsOver) {
    ferry_over_block(S.extent, G.block);
    if (product(S.extent, 3) <= MostThreads)
      return FERRY_STATUS_OK;
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("over(");
    addExtents(T, S.extent);
    T.add(") asks for ");
    addProduct(T, S.extent, nullptr);
    T.add(" threads: a launch has at most 4294967296 (2^32)");
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }

  uint64_t Block = product(S.block, 3);
  if (Block == 0) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("a block of ");
    addExtents(T, S.block);
    T.add(" threads is empty: each dimension needs at least 1");
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }
  if (product(S.extent, 3, Block) > MostThreads) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("blocks(");
    addExtents(T, S.extent);
    T.add(").threads(");
    addExtents(T, S.block);
    T.add(") asks for ");
    addProduct(T, S.extent, S.block);
    T.add(" threads: a launch has at most 4294967296 (2^32)");
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }
  for (unsigned I = 0; I < 3; ++I)
    G.block[I] = S.block[I];
  G.dynamic_shared = S.shared_bytes;
  return FERRY_STATUS_OK;
}

uint64_t blocksInGrid(const LaunchRequest &L, unsigned Dimension) {
  const ferry_geometry &G = L.Geometry;
  if (L.Kernel.shape == FERRY_BLOCKS)
    return G.extent[Dimension];
  return (G.extent[Dimension] + G.block[Dimension] - 1) / G.block[Dimension];
}

static int checkThreadNumber(const LaunchRequest &L, const Device &D) {
  const char *Bad = D.isGpu() ? nullptr : badThreadNumber();
  if (!Bad)
    return FERRY_STATUS_OK;
  Text T;
  addLaunch(T, L.Kernel, L.Place);
  T.add("FERRY_NUM_THREADS=%s is not a number of threads", Bad);
  return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
}

static uint64_t threadsInBlock(const LaunchRequest &L) {
  const uint32_t *Block = L.Geometry.block;
  return uint64_t(Block[0]) * Block[1] * Block[2];
}

static int checkLimits(LaunchRequest &L, const Device &D) {
  unsigned long long Threads = threadsInBlock(L);
  Text T;
  if (Threads > D.Limits.ThreadsPerBlock) {
    addLaunch(T, L.Kernel, L.Place);
    T.add("a block of ");
    addExtents(T, L.Shape.block);
    T.add(" threads has %llu: %s allows at most %llu", Threads, D.Name,
          static_cast<unsigned long long>(D.Limits.ThreadsPerBlock));
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }
  // Both parts are limited, so that the sum doesn't wrap.
  uint64_t Own = L.Kernel.static_shared, Asked = L.Shape.shared_bytes;
  if (Asked > D.Limits.SharedBytes || Own > D.Limits.SharedBytes - Asked) {
    addLaunch(T, L.Kernel, L.Place);
    T.add("a block asks for %llu bytes of shared memory",
          static_cast<unsigned long long>(Asked ? Asked : Own));
    if (Own && Asked)
      T.add(" besides the kernel's own %llu",
            static_cast<unsigned long long>(Own));
    T.add(": %s allows at most %llu", D.Name,
          static_cast<unsigned long long>(D.Limits.SharedBytes));
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }
  for (unsigned I = 0; I < 3; ++I) {
    if (blocksInGrid(L, I) <= D.Limits.Grid[I])
      continue;
    addLaunch(T, L.Kernel, L.Place);
    T.add("the grid has %llu blocks along %c: %s allows at most %llu",
          static_cast<unsigned long long>(blocksInGrid(L, I)), "xyz"[I], D.Name,
          static_cast<unsigned long long>(D.Limits.Grid[I]));
    return fail(FERRY_STATUS_INVALID_SHAPE, T);
  }
  return FERRY_STATUS_OK;
}

int checkBuffers(const LaunchRequest &L) {
  for (uint32_t I = 0; I < L.Site.num_slots; ++I) {
    uint64_t Last;
    if (!L.Site.slots[I].flags || L.Bytes[I] == 0 ||
        (L.Values[I] != 0 &&
         !__builtin_add_overflow(L.Values[I], L.Bytes[I], &Last)))
      continue;
    const char *Name = L.Site.slots[I].name;
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("argument '%s' is said to have %llu bytes at address %#llx",
          Name && *Name ? Name : "unknown",
          static_cast<unsigned long long>(L.Bytes[I]),
          static_cast<unsigned long long>(L.Values[I]));
    return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
  }
  return FERRY_STATUS_OK;
}

int failScratch(const LaunchRequest &L) {
  Text T;
  addLaunch(T, L.Kernel, L.Place);
  T.add("the host has no memory for what %llu threads keep at a barrier",
        static_cast<unsigned long long>(threadsInBlock(L)));
  return fail(FERRY_STATUS_OUT_OF_MEMORY, T);
}

int failMapped(const LaunchRequest &L) {
  Text T;
  addLaunch(T, L.Kernel, L.Place);
  return fail(FERRY_STATUS_INVALID_ARGUMENT, T.add("%s", InUseAround));
}

/// On cpu a buffer is where it is.
static int runOnCpu(LaunchRequest &L) {
  if (!L.Kernel.cpu) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("the program has no code for device cpu: add cpu to the targets it "
          "is built for (FERRY_TARGETS=cpu,...)");
    return fail(FERRY_STATUS_NO_DEVICE, T);
  }
  uint64_t *Slots = static_cast<uint64_t *>(
      alloca((L.Site.num_slots + 1) * sizeof(uint64_t)));
  for (uint32_t I = 0; I < L.Site.num_slots; ++I) {
    Slots[I] = L.Values[I];
    // Another launch may have left it on a device.
    uint32_t Flags = L.Site.slots[I].flags;
    if (Flags &&
        !hostTouches({Slots[I], Slots[I] + L.Bytes[I]},
                     Flags & FERRY_FIELD_WRITE, Flags & FERRY_FIELD_RESIDENT))
      return failMapped(L);
  }

  L.Geometry.generation = 1;
  L.Geometry.unit_threads =
      L.Kernel.shape == FERRY_BLOCKS ? threadsInBlock(L) : 1;
  TraceScope Running(ActionKind::Kernel, "cpu", L.Kernel.name);
  if (checksWanted())
    return runChecked(L, Slots);
  ferry_panic_record Record = {};
  if (L.Kernel.flags & FERRY_KERNEL_CAN_PANIC)
    L.Geometry.panic = &Record;
  L.Geometry.scratch_bytes =
      ferry_scratch_bytes(L.Kernel.static_shared, L.Geometry.dynamic_shared,
                          L.Kernel.thread_bytes, threadsInBlock(L));
  runOnPool(L.Kernel.cpu, Slots, &L.Geometry);
  if (ranOutOfScratch())
    return failScratch(L);
  countLaunch();
  if (Record.state == L.Geometry.generation)
    return failWithPanic(L.Kernel, L.Geometry, Record);
  return FERRY_STATUS_OK;
}

static int run(LaunchRequest &L) {
  bool Empty;
  if (int Status = checkShape(L, Empty))
    return Status;
  if (Empty)
    return FERRY_STATUS_OK;
  if (int Status = checkBuffers(L))
    return Status;
  Text Why;
  Device *D = findDevice(L.Kernel.module, L.Shape.device, Why);
  if (!D) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    return fail(FERRY_STATUS_NO_DEVICE, T.add("%s", Why.chars()));
  }
  if (int Status = checkLimits(L, *D))
    return Status;
  if (int Status = checkThreadNumber(L, *D))
    return Status;
  if (checksWanted())
    if (int Status = refuseChecks(L, *D))
      return Status;
  return D->Kind == DeviceKind::Cpu ? runOnCpu(L) : runOffloaded(L, *D);
}

int runLaunch(LaunchRequest &L) {
  TraceScope Launch(L);
  return Launch.ends(run(L));
}

} // namespace ferry::rt

using namespace ferry::rt;

extern "C" int __ferry_run(const ferry_launch_site *Site,
                           const ferry_launch_shape *Shape,
                           const ferry_source_place *Place,
                           const uint64_t *Values, const uint64_t *Bytes) {
  LaunchRequest L{*Site->kernel, *Site, *Shape, *Place, Values, Bytes, {}};
  return streamOf(*Shape) ? giveToStream(L) : runLaunch(L);
}
