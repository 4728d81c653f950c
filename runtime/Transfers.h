//===- Transfers.h - Bytes that go to a device and back ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// User data crosses here and nowhere else, except what libomptarget maps
// (Mapped.cpp); it is traced and counted. Nothing but zeros need not cross: the
// device fills the place itself. Whether bytes are that is looked up where they
// are, which ends at the first that is not zero and costs less than a copy.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_TRANSFERS_H
#define FERRY_RUNTIME_TRANSFERS_H

#include "Devices.h"
#include "Gpu.h"
#include "Omptarget.h"
#include "RangeSet.h"
#include "Stats.h"
#include "Trace.h"

namespace ferry::rt {

bool nothingButZeros(const void *Begin, size_t Bytes);

/// False where the device can't, or won't: then zeros are copied.
bool fillWithZeros(const Device &D, void *Begin, size_t Bytes);

/// Brings the host's bytes to `To` on the device. False: the copy failed.
/// `Name`, for traces, is what TraceScope takes.
template <typename NameOrFunction>
bool copyToDevice(const Device &D, void *To, Range Host, NameOrFunction Name) {
  auto *From = reinterpret_cast<const void *>(Host.Begin);
  size_t Bytes = Host.End - Host.Begin;
  if (nothingButZeros(From, Bytes) && fillWithZeros(D, To, Bytes))
    return true;
  TraceScope Copying(ActionKind::ToDevice, D.Name, Name, Bytes);
  if (Omp.Memcpy(To, From, Bytes, 0, 0, D.OmpId, Omp.GetInitialDevice()) != 0)
    return false;
  countToDevice(Bytes);
  return true;
}

/// Brings the bytes at `From` on the device home. False: the copy failed.
template <typename NameOrFunction>
bool copyToHost(const Device &D, const void *From, Range Host,
                NameOrFunction Name) {
  size_t Bytes = Host.End - Host.Begin;
  TraceScope Copying(ActionKind::ToHost, D.Name, Name, Bytes);
  if (Omp.Memcpy(reinterpret_cast<void *>(Host.Begin), From, Bytes, 0, 0,
                 Omp.GetInitialDevice(), D.OmpId) != 0)
    return false;
  countToHost(Bytes);
  return true;
}

} // namespace ferry::rt

#endif // FERRY_RUNTIME_TRANSFERS_H
