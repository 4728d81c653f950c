//===- Target.h - The devices that code is made for -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TARGET_H
#define FERRY_COMPILER_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ferry {

enum class TargetKind { Cpu, Virtual, Nvptx, Amdgpu };

struct Target {
  TargetKind Kind = TargetKind::Cpu;
  std::string Arch; ///< "sm_90", "gfx90a"; empty for Cpu and Virtual

  /// As the user writes it: "cpu", "virtual", "sm_90", "gfx90a".
  std::string name() const;
  bool isGpu() const {
    return Kind == TargetKind::Nvptx || Kind == TargetKind::Amdgpu;
  }
};

/// Parses "cpu,sm_90,gfx90a" or "native" (cpu, and the GPUs that LLVM's
/// offload-arch finds). `cpu` brings `virtual` along. No target twice, cpu
/// first.
llvm::Expected<std::vector<Target>> parseTargets(llvm::StringRef List);

} // namespace ferry

#endif // FERRY_COMPILER_TARGET_H
