//===- Spmd.h - Thread loops in vector registers ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace ferry {

/// Gives the loop that `Latch` closes properties of its own: those that it has,
/// and one more unless that is empty.
void addLoopProperty(llvm::Instruction &Latch,
                     llvm::ArrayRef<llvm::Metadata *> Property);

/// Says that the iterations of the loop that `Latch` closes are threads of a
/// GPU between two barriers: any two of them may run at once, or in turns of
/// any length, as long as each does its own steps in order. Operations that
/// rely on a core's running one thread at a time (plain ones in place of
/// atomics) must not be in such a loop.
void markThreadLoop(llvm::BranchInst &Latch);

/// Whether markThreadLoop has marked the loop that `Latch` closes.
bool isThreadLoop(const llvm::Instruction &Latch);

/// Makes marked loops work on as many threads at a time as fit a register.
/// Wants a function that has been simplified, and leaves one for the usual
/// pipeline to clean up.
class SpmdPass : public llvm::PassInfoMixin<SpmdPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_H
