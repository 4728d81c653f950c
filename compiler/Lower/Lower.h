//===- Lower.h - Target-neutral device code to one target's -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_H
#define FERRY_COMPILER_LOWER_H

#include "Records.h"

namespace ferry {

/// Code for `T`, optimised, ready for Emit; `Program` stays as it is.
/// Cpu and Virtual: `void <Symbol>.cpu(ptr slots, ptr geometry, ptr begin,
/// ptr end)` a kernel (runtime.h, ferry_cpu_kernel). Virtual and the GPUs: the
/// kernel `<Symbol>` with the hidden arguments of runtime.h, and the panic
/// records. Errors are user-facing (Diagnostics).
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerForTarget(const LaunchPlan &Plan, const DeviceProgram &Program,
               const Target &T);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_H
