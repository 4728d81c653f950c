//===- OffloadParts.h - The steps of an offloaded launch --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_OFFLOADPARTS_H
#define FERRY_RUNTIME_OFFLOADPARTS_H

#include "Error.h"
#include "Images.h"
#include "Offload.h"
#include "Omptarget.h"
#include "Plan.h"
#include <alloca.h>

namespace ferry::rt {

struct Offload {
  LaunchRequest &L;
  Device &D;
  OnDevice *On; ///< the kernel's module; null where there is none
  Plan &P;
  uint32_t PanicRecord = 0;
  bool MayPanic = false; ///< with these arguments and this shape

  bool canPanic() const { return L.Kernel.flags & FERRY_KERNEL_CAN_PANIC; }
  bool prints() const { return L.Kernel.flags & FERRY_KERNEL_PRINTS; }
};

/// What every kernel takes after its slots (runtime.h, ferry_kernel).
constexpr uint32_t HiddenArguments = 8;

/// A block's place on the device has the host address's last bits, so that what
/// is aligned on the host is on the device.
constexpr uint64_t Alignment = 256;

/// Memory from alloca, which lives as long as the caller.
template <typename T> T *roomFor(void *Memory) {
  return static_cast<T *>(Memory);
}

int failLaunch(const LaunchRequest &L, int Status, const Text &Why);

/// For messages: what the user calls the buffer.
const char *nameOf(const Offload &O, const Buffer &B);

/// Finds out which buffers are in regions, before they become groups.
int holdRegions(Offload &O);
/// What is in a region has its place there.
int placeInRegions(Offload &O);
void releaseRegions(Offload &O);

/// Finds room for each group that has no place yet.
int allocateGroups(Offload &O);
void freeGroups(Offload &O);

/// Copies the pieces that are read to the device, or those that are written
/// back. `OnlyPlaced`: of groups that have a place.
int copyIn(Offload &O, bool OnlyPlaced);
int copyBack(Offload &O, bool OnlyPlaced);

/// Writes the hidden arguments and returns how many there are.
uint32_t addHidden(const Offload &O, uint64_t *To);

/// Fills the shape into `Args` and calls __tgt_target_kernel.
int call(Offload &O, TgtKernelArgs &Args, TgtIdent *Ident);

/// The launch with device addresses instead of mapped arguments.
int runUnmapped(Offload &O);

/// The launch with mapped arguments, for who watches libomptarget.
int runMapped(Offload &O);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_OFFLOADPARTS_H
