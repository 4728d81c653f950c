//===- Devices.h - The numbering of devices, and the choice -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_DEVICES_H
#define FERRY_RUNTIME_DEVICES_H

#include "Error.h"
#include "Memory.h"

namespace ferry::rt {

enum class DeviceKind : uint8_t { Cpu, Virtual, Nvptx, Amdgpu };

/// What a launch may ask of a device.
struct DeviceLimits {
  uint64_t ThreadsPerBlock;
  uint64_t SharedBytes;
  uint64_t Grid[3]; ///< blocks
};

struct Device {
  DeviceKind Kind;
  int OmpId;     ///< libomptarget's number; -1 for cpu
  int Index;     ///< in our table
  char Name[96]; ///< "nvptx:0 (NVIDIA H200)"
  char Arch[32]; ///< "sm_90", "gfx90a"; empty when not known
  DeviceLimits Limits;
  MemoryCache Memory;
  /// Of kernels that print one runs at a time, since they share a buffer.
  Lock Printing;

  bool isGpu() const {
    return Kind == DeviceKind::Nvptx || Kind == DeviceKind::Amdgpu;
  }
};

/// Ids of libomptarget that the table can hold.
constexpr int MostDevices = 64;

/// Device `Number`, or for -1 the calling thread's current device, for a kernel
/// of `Module`, or for none. On failure adds the reason to `Why` and returns
/// null. Does not promise that the module has an image for a device that was
/// asked for.
Device *findDevice(const ferry_module *Module, int64_t Number, Text &Why);

/// In a forked child.
void resetDeviceLocks();

/// Null when the table doesn't have it.
const Device *deviceOfOmpId(int OmpId);

/// The module has an image that `D` can run.
bool hasImageFor(const ferry_module &Module, const Device &D);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_DEVICES_H
