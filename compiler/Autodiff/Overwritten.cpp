//===- Overwritten.cpp - Is memory still as it was read? ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load can be done again if nothing that may write there can run after it,
// in the same round of a loop or in a later one. So addresses are compared
// across rounds: that `a[i]` is not `a[i + 1]` in one round says nothing. What
// holds for one execution of an inlined body, `!noalias`, is not asked either.
//
// The function writes its own memory, and the instructions that keep shadows
// write shadows; neither gets at the other's. Blocks that are released once
// wait for that until the reverse sweep is over. What runs only when the
// function does not return does not matter.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Overwritten.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Recompute.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ferry::ad {

namespace {
/// Which blocks can follow which, on a way of at least one edge.
class Following {
public:
  explicit Following(Function &F);
  /// Whether `Later` may run after `Earlier`.
  bool mayFollow(const Instruction &Later, const Instruction &Earlier) const;

private:
  DenseMap<const BasicBlock *, unsigned> Components;
  std::vector<BitVector> Reach;
};
} // namespace

Following::Following(Function &F) {
  // Components come with those that they lead to first.
  for (auto It = scc_begin(&F); !It.isAtEnd(); ++It) {
    auto Number = static_cast<unsigned>(Reach.size());
    for (const BasicBlock *BB : *It)
      Components[BB] = Number;
    BitVector To(Number + 1);
    for (const BasicBlock *BB : *It)
      for (const BasicBlock *Next : successors(BB)) {
        unsigned N = Components.lookup(Next);
        To.set(N);
        if (N != Number)
          To |= Reach[N];
      }
    Reach.push_back(std::move(To));
  }
}

bool Following::mayFollow(const Instruction &Later,
                          const Instruction &Earlier) const {
  const BasicBlock *To = Later.getParent(), *From = Earlier.getParent();
  if (To == From && Earlier.comesBefore(&Later))
    return true;
  auto A = Components.find(From), B = Components.find(To);
  if (A == Components.end() || B == Components.end())
    return true;
  const BitVector &Reached = Reach[A->second];
  return B->second < Reached.size() && Reached.test(B->second);
}

bool canWait(const CallBase &Release, const Rounds &R) {
  const BasicBlock &BB = *Release.getParent();
  return mayRecompute() && isa<CallInst>(Release) &&
         classify(Release) == Callee::Release && !R.loopOf(BB) &&
         !R.isIrregular(BB);
}

/// Functions with a rule set errno at most; allocators give out new memory.
static bool writesNothingOfOurs(const Instruction &I, const Rounds &R) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  Callee K = classify(*Call);
  return K == Callee::Rule || K == Callee::Allocation || canWait(*Call, R);
}

Overwritten::Overwritten(Function &F, Rounds &R,
                         ArrayRef<Instruction *> Originals) {
  DenseSet<const Instruction *> Own(Originals.begin(), Originals.end());
  SmallVector<Instruction *> Writers[2];
  SmallVector<LoadInst *> Loads;
  for (Instruction &I : instructions(F)) {
    if (!R.reachesExit(*I.getParent()))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isUnordered())
      Loads.push_back(Load);
    else if (I.mayWriteToMemory() && !writesNothingOfOurs(I, R))
      Writers[Own.contains(&I)].push_back(&I);
    // The forward sweep of a call does both.
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && classify(*Call) == Callee::Defined)
      Writers[!Own.contains(&I)].push_back(&I);
  }
  // Functions with thousands of either are not worth minutes.
  if (Loads.size() * (Writers[0].size() + Writers[1].size()) > 2'000'000)
    return;

  Following Order(F);
  AAResults Alias(R.libraries());
  BasicAAResult Basic(F.getDataLayout(), F, R.libraries(), R.assumptions(),
                      &R.dominators());
  TypeBasedAAResult Typed(/*UsingTypeSanitizer=*/false);
  Alias.addAAResult(Basic);
  Alias.addAAResult(Typed);
  BatchAAResults Batch(Alias);
  Batch.enableCrossIterationMode();
  for (LoadInst *Load : Loads) {
    MemoryLocation Place = MemoryLocation::get(Load);
    bool Changes =
        any_of(Writers[Own.contains(Load)], [&](const Instruction *Writer) {
          return Order.mayFollow(*Writer, *Load) &&
                 isModSet(Batch.getModRefInfo(Writer, Place));
        });
    if (!Changes)
      Lasting.insert(Load);
  }
}

} // namespace ferry::ad
