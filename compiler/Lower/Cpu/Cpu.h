//===- Cpu.h - Kernels as loops over work-items ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_H
#define FERRY_COMPILER_LOWER_CPU_H

#include "Records.h"

namespace ferry {

/// lowerForTarget for Cpu and Virtual.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerForCpu(const LaunchPlan &Plan, const DeviceProgram &Program,
            const Target &T);

/// Where one thread stands, as values that dominate its code.
struct Position {
  llvm::Value *BlockIdx[3], *ThreadIdx[3]; ///< i32
  llvm::Value *BlockDim[3], *GridDim[3];   ///< i32
  llvm::Value *GlobalIdx[3], *GlobalDim[3], *GlobalId; ///< i64
  llvm::Value *Panic; ///< the launch's record
};

/// Gives `Symbol.cpu` (runtime.h, ferry_cpu_kernel) to the kernel function
/// `Thread` and removes it.
void buildWorkItemLoops(const Kernel &K, llvm::Function &Thread);

/// Whether functions that were not inlined ask where they are or can panic, so
/// that threads must leave their position where those find it.
bool needsThreadState(llvm::Module &M, const DeviceProgram &Program);

/// Puts `P` where functions that were not inlined look for it.
void storeThreadState(llvm::Module &M, const Position &P,
                      llvm::Instruction *Before);

/// Lowers queries and panics in the functions that were not inlined, and ends
/// the thread in every caller of one that panicked.
void lowerOutOfLineFunctions(llvm::Module &M, const DeviceProgram &Program);

/// Replaces the queries of `F` by the values of `P`.
void replaceQueries(llvm::Function &F, const Position &P);

/// Replaces the panics of `F`: the record is written, control goes to `End`.
void replacePanics(llvm::Function &F, const Position &P, llvm::BasicBlock *End);

/// After each call in `F` of a function that can panic: to `End` if it did.
void checkThreadEnd(llvm::Function &F, llvm::BasicBlock *End);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_H
