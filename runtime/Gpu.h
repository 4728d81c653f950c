//===- Gpu.h - What the drivers know of their GPUs --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_GPU_H
#define FERRY_RUNTIME_GPU_H

#include "Devices.h"

namespace ferry::rt {

/// A kernel driver for GPUs is loaded: loading libomptarget may pay.
bool gpuDriverPresent();

/// Fills name, architecture and limits of the GPU with libomptarget's `Uid`,
/// the `Ordinal`-th of its kind.
void describeGpu(Device &D, const char *Uid, int Ordinal);

/// False where the driver can't, or won't.
bool fillGpuWithZeros(const Device &D, void *Begin, size_t Bytes);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_GPU_H
