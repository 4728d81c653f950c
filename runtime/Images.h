//===- Images.h - Modules as libomptarget knows them ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_IMAGES_H
#define FERRY_RUNTIME_IMAGES_H

#include "Devices.h"
#include "Error.h"

namespace ferry::rt {

/// Where a module's globals are on a device.
struct OnDevice {
  void **Globals;     ///< in the order of ferry_module::globals
  char *PanicRecords; ///< null when no kernel can panic
  char *PrintBuffer;  ///< null when no kernel prints
  /// Of the next launch that takes the record; whoever took it owns the number.
  uint32_t Generations[FERRY_PANIC_RECORDS];
};

/// Hands the module's images to libomptarget, unless that is done. The caller
/// holds ModulesLock. On failure adds the reason to `Why`.
bool registerWithOmptarget(ferry_module &M, Text &Why);

/// At dlclose. The caller holds ModulesLock.
void unregisterFromOmptarget(ferry_module &M);

/// The module, ready to be launched on `D`: registered and its image loaded. On
/// failure adds the reason to `Why` and returns null.
OnDevice *prepare(ferry_module &M, Device &D, Text &Why);

/// One of the module's panic records, for a launch. Waits while all are taken.
unsigned takePanicRecord(ferry_module &M);
void returnPanicRecord(ferry_module &M, unsigned Index);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_IMAGES_H
