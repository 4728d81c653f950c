//===- Passes.h - Running LLVM's passes -------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_PASSES_H
#define FERRY_COMPILER_PASSES_H

#include "llvm/Passes/PassBuilder.h"

namespace ferry {

/// Runs `Passes`, which `PB` made, with fresh analyses.
void runPasses(llvm::Module &M, llvm::ModulePassManager &Passes,
               llvm::PassBuilder &PB);

} // namespace ferry

#endif // FERRY_COMPILER_PASSES_H
