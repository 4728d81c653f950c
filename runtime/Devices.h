//===- Devices.h - The numbering of devices, and the choice -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_DEVICES_H
#define FERRY_RUNTIME_DEVICES_H

#include "Public.h"

namespace ferry::rt {

enum class DeviceKind { Cpu, Virtual, Gpu };

/// What a launch may ask of a device.
struct DeviceLimits {
  uint64_t ThreadsPerBlock;
  uint64_t SharedBytes;
  uint64_t Grid[3]; ///< blocks
};

struct Device {
  DeviceKind Kind;
  int OmpId; ///< libomptarget's number; -1 for cpu
  const char *Name;
  DeviceLimits Limits;
};

/// Device `Number`, or the calling thread's current device for -1. On failure
/// returns null, with the thread's last error set (FERRY_STATUS_NO_DEVICE).
const Device *findDevice(int64_t Number);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_DEVICES_H
