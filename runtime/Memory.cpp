//===- Memory.cpp - Device memory -----------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drivers take long to make room for a buffer, and a program launches the same
// kernels on the same sizes again and again. So a device keeps a few of the
// blocks that launches gave back, up to 64 MB, and gives them up when room gets
// short.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Devices.h"
#include "Omptarget.h"
#include "Trace.h"

namespace ferry::rt {

/// More than any device has: not worth asking, and libomptarget would print.
static constexpr size_t Absurd = size_t(1) << 47;

static void *takeCached(MemoryCache &C, size_t &Bytes) {
  Guard G(C.Mutex);
  int Best = -1;
  for (int I = 0; I < C.Count; ++I)
    if (C.Blocks[I].Bytes >= Bytes && C.Blocks[I].Bytes / 2 <= Bytes &&
        (Best < 0 || C.Blocks[I].Bytes < C.Blocks[Best].Bytes))
      Best = I;
  if (Best < 0)
    return nullptr;
  MemoryCache::Block B = C.Blocks[Best];
  C.Blocks[Best] = C.Blocks[--C.Count];
  C.Bytes -= B.Bytes;
  Bytes = B.Bytes;
  return B.Address;
}

bool emptyCache(Device &D) {
  Guard G(D.Memory.Mutex);
  bool Any = D.Memory.Count != 0;
  while (D.Memory.Count)
    Omp.Free(D.Memory.Blocks[--D.Memory.Count].Address, D.OmpId);
  D.Memory.Bytes = 0;
  return Any;
}

void *deviceAlloc(Device &D, size_t &Bytes, const char *For) {
  if (Bytes >= Absurd)
    return nullptr;
  if (void *Cached = takeCached(D.Memory, Bytes))
    return Cached;
  TraceScope Allocating(ActionKind::Allocate, D.Name, For, Bytes);
  if (void *Fresh = Omp.Alloc(Bytes, D.OmpId))
    return Fresh;
  return emptyCache(D) ? Omp.Alloc(Bytes, D.OmpId) : nullptr;
}

void deviceFree(Device &D, void *Address, size_t Bytes) {
  MemoryCache &C = D.Memory;
  {
    Guard G(C.Mutex);
    if (C.Count < MemoryCache::MostBlocks &&
        C.Bytes + Bytes <= MemoryCache::MostBytes) {
      C.Blocks[C.Count++] = {Address, Bytes};
      C.Bytes += Bytes;
      return;
    }
  }
  Omp.Free(Address, D.OmpId);
}

} // namespace ferry::rt
