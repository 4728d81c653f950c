//===- Coherence.h - Where the host looks -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RESIDENCY_COHERENCE_H
#define FERRY_COMPILER_RESIDENCY_COHERENCE_H

#include "Residency/PointsTo.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace ferry {

/// An instruction of the host that touches a region's memory.
struct HostAccess {
  llvm::Instruction *I;
  llvm::Value *Pointer;
  llvm::Value *Bytes = nullptr; ///< null: unknown
  bool Reads = false, Writes = false;
};

/// What has to be said in one function.
struct FunctionWork {
  /// Allocations, and whether a launch uses them in a loop.
  llvm::SmallVector<std::pair<llvm::CallBase *, bool>> Begins;
  llvm::SmallVector<std::pair<llvm::CallBase *, llvm::Value *>> Ends;
  /// Pointers, and allocation sites, that get out of sight at an instruction.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Value *>> Escapes;
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::CallBase *>>
      SiteEscapes;
  llvm::SmallVector<std::pair<llvm::CallBase *, llvm::Value *>> Lends;
  llvm::SmallVector<HostAccess> Accesses;

  bool empty() const {
    return Begins.empty() && Ends.empty() && Escapes.empty() &&
           SiteEscapes.empty() && Lends.empty() && Accesses.empty();
  }
};

struct FunctionAnalyses {
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
};

/// Announces the accesses of a function. `Launching` are the instructions after
/// which a device may have something newer.
void announce(llvm::Function &F, llvm::ArrayRef<HostAccess> Accesses,
              const llvm::SmallPtrSetImpl<llvm::Instruction *> &Launching,
              const FunctionAnalyses &Known);

} // namespace ferry

#endif // FERRY_COMPILER_RESIDENCY_COHERENCE_H
