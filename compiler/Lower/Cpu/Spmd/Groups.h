//===- Groups.h - The loop over groups of threads ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_GROUPS_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_GROUPS_H

#include "Lower/Cpu/Spmd/Shapes.h"

namespace ferry::spmd {

/// A loop over groups of threads, before the loop over threads that is left
/// with the rest. What a group does comes between Body and Latch.
class GroupLoop {
public:
  GroupLoop(const Candidate &C, unsigned Width);

  llvm::BasicBlock *Start; ///< once, before the first group
  llvm::BasicBlock *Body, *Latch;
  llvm::PHINode *First; ///< the group's first thread
  /// What a group is handed, by Candidate::Pass::Phi.
  llvm::DenseMap<const llvm::Value *, llvm::PHINode *> Carried;

  /// Ends a group's work in `From` with a branch to Latch; `On` is what it
  /// hands on, as C.Carried is ordered.
  void endGroup(llvm::BasicBlock *From, llvm::ArrayRef<llvm::Value *> On);

  /// A group of which `Trusted` holds goes to `Then`; others to `Else`, or, if
  /// that is null, are left to the loop over threads with all that follow.
  void choose(llvm::ArrayRef<Bounded> Trusted, llvm::BasicBlock *Then,
              llvm::BasicBlock *Else);

private:
  const Candidate &C;
  llvm::BasicBlock *Done;
  llvm::PHINode *Reached; ///< the first thread that is left
  llvm::SmallVector<llvm::PHINode *> HandedOn, Left; ///< in Latch, in Done
};

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_GROUPS_H
