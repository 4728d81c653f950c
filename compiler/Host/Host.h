//===- Host.h - Images, kernels and launches in the host module -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_HOST_H
#define FERRY_COMPILER_HOST_H

#include "Records.h"
#include "Transfer/Access.h"

namespace ferry {

/// What the other stages made for one host module.
struct DeviceCode {
  std::unique_ptr<llvm::Module> Cpu;     ///< null when cpu is no target
  std::unique_ptr<llvm::Module> Checked; ///< likewise
  std::vector<Image> Images;
  std::vector<KernelUsage> Usages; ///< one a kernel
};

/// Writes the records of runtime.h into `M` and turns its launch markers into
/// calls of __ferry_run. Consumes `Code`.
llvm::Error writeHost(llvm::Module &M, LaunchPlan &Plan,
                      const DeviceProgram &Program, DeviceCode Code);

} // namespace ferry

#endif // FERRY_COMPILER_HOST_H
