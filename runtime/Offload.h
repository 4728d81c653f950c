//===- Offload.h - A launch through libomptarget ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_OFFLOAD_H
#define FERRY_RUNTIME_OFFLOAD_H

#include "Devices.h"
#include "Launch.h"

namespace ferry::rt {

int runOffloaded(LaunchRequest &L, Device &D);

/// Blocks of the launch's grid along one dimension.
uint64_t blocksInGrid(const LaunchRequest &L, unsigned Dimension);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_OFFLOAD_H
