//===- Facts.h - What a thread knows about its launch -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_FACTS_H
#define FERRY_COMPILER_LOWER_GPU_FACTS_H

#include "Steps.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

/// What the hidden arguments say about a launch, in one form for both shapes,
/// as values at the start of one function.
struct LaunchFacts {
  llvm::Value *Block[3] = {};           ///< i32
  llvm::Value *Grid[3] = {};            ///< i32, in blocks
  llvm::Value *GlobalDim[3] = {};       ///< i64, in threads
  llvm::Value *DynamicShared = nullptr; ///< i64, bytes
  llvm::Value *PanicIndex = nullptr;    ///< i64
};

/// Gives every function its facts. An entry computes them from its arguments;
/// any other function reads them from the block's shared memory.
class FactSource {
public:
  FactSource(llvm::Module &M, llvm::ArrayRef<KernelEntry> Kernels,
             const GpuTarget &Gpu)
      : M(M), Kernels(Kernels), Gpu(Gpu) {}

  const LaunchFacts &in(llvm::Function &F);
  bool isEntry(const llvm::Function &F) const;

  /// This thread's own flag (i8, in shared memory): it has panicked.
  llvm::Value *endedFlag(llvm::IRBuilder<> &B, const LaunchFacts &Facts);

  /// Lets the kernels write what other functions read. Call it last.
  void finish();

private:
  llvm::Value *sharedField(llvm::IRBuilder<> &B, unsigned Field,
                           unsigned Dimension);
  LaunchFacts computed(const KernelEntry &K, llvm::IRBuilder<> &B);
  LaunchFacts loaded(llvm::IRBuilder<> &B);
  void store(llvm::IRBuilder<> &B, const LaunchFacts &Facts);

  llvm::Module &M;
  llvm::ArrayRef<KernelEntry> Kernels;
  const GpuTarget &Gpu;
  llvm::DenseMap<llvm::Function *, LaunchFacts> Known;
  llvm::GlobalVariable *Shared = nullptr;
  llvm::GlobalVariable *Ended = nullptr;
};

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_FACTS_H
