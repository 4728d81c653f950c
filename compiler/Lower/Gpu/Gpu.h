//===- Gpu.h - Device code for GPUs -----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_GPU_H
#define FERRY_COMPILER_LOWER_GPU_GPU_H

#include "Records.h"

namespace ferry {

/// lowerForTarget for the GPUs: `Program`'s code with the kernels' entries as
/// runtime.h (ferry_kernel) lays them down, optimised for `T`.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerForGpu(const LaunchPlan &Plan, const DeviceProgram &Program,
            const Target &T);

/// `F`, which has no body, is a function of the C or compiler library that some
/// GPU's code can call: Ferry brings it, or the device libraries have it.
bool isDeviceFunction(const llvm::Function &F);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_GPU_H
