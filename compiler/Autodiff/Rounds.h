//===- Rounds.h - The loops of the forward sweep ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_ROUNDS_H
#define FERRY_COMPILER_AUTODIFF_ROUNDS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

namespace ferry::ad {

/// The loops of a function and which round of each a block runs in. Analyses
/// are of the function as it was; blocks that are added are in no loop.
class Rounds {
public:
  /// `Exit` is where the function returns.
  Rounds(llvm::Function &F, llvm::BasicBlock &Exit);

  /// The innermost loop of `BB` that has a preheader, one latch, and exits of
  /// its own.
  llvm::Loop *loopOf(const llvm::BasicBlock &BB) const;
  llvm::Loop *outer(const llvm::Loop &L) const;
  llvm::Loop *headedBy(const llvm::BasicBlock &BB) const;
  /// Whether `BB` may run several times within one round of `loopOf(BB)`.
  bool isIrregular(const llvm::BasicBlock &BB) const {
    return Irregular.contains(&BB);
  }
  bool reachesExit(const llvm::BasicBlock &BB) const {
    return Returning.contains(&BB);
  }

  /// A phi of the header: 0 in the first round, 1 in the second.
  llvm::PHINode *counter(llvm::Loop &L);
  /// The loop that `V` counts the rounds of.
  llvm::Loop *countedBy(const llvm::Value *V) const {
    return Counted.lookup(V);
  }

  /// The last round's number, if it is known at the end of the preheader and
  /// the function returns.
  const llvm::SCEV *lastRound(llvm::Loop &L);
  /// What has to hold for `L` to run in a round of the loop around it. Nothing,
  /// if that is not the same in all of them.
  struct Guard {
    llvm::Value *If = nullptr;
    bool Then = true; ///< the value with which it runs
  };
  std::optional<llvm::SmallVector<Guard, 2>> guards(llvm::Loop &L);
  /// How often `BB` may be expected to run.
  uint64_t weight(const llvm::BasicBlock &BB);

  llvm::DominatorTree &dominators() { return Dominators; }
  llvm::ScalarEvolution &evolution() { return Evolution; }
  llvm::AssumptionCache &assumptions() { return Assumptions; }
  llvm::TargetLibraryInfo &libraries() { return Libraries; }

private:
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::AssumptionCache Assumptions;
  llvm::TargetLibraryInfoImpl LibraryNames;
  llvm::TargetLibraryInfo Libraries;
  llvm::ScalarEvolution Evolution;
  llvm::SmallPtrSet<const llvm::Loop *, 8> Regular;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Irregular, Returning;
  llvm::DenseMap<const llvm::Loop *, llvm::PHINode *> Counters;
  llvm::DenseMap<const llvm::Value *, llvm::Loop *> Counted;
};

/// Brings the loops of `F` into a form that is easy to run backwards: with a
/// preheader, and what is used behind a loop goes through a phi there.
void simplifyLoops(llvm::Function &F);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_ROUNDS_H
