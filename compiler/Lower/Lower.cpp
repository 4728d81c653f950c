//===- Lower.cpp - Target-neutral device code to one target's -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower/Lower.h"
#include "Lower/Cpu/Cpu.h"
#include "Lower/Gpu/Gpu.h"

using namespace llvm;

namespace ferry {

Expected<std::unique_ptr<Module>> lowerForTarget(const LaunchPlan &Plan,
                                                 const DeviceProgram &Program,
                                                 const Target &T) {
  return T.isGpu() ? lowerForGpu(Plan, Program, T)
                   : lowerForCpu(Plan, Program, T);
}

} // namespace ferry
