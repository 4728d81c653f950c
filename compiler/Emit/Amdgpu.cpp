//===- Amdgpu.cpp - Code objects for AMD GPUs -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

using namespace llvm;

namespace ferry {

Expected<SmallVector<char, 0>> emitAmdgpu(Module &M, const Target &T) {
  return linkShared(M, T, {});
}

} // namespace ferry
