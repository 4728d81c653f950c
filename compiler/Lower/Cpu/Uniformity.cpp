//===- Uniformity.cpp - What all threads of a block agree on --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's uniformity analysis (Sampaio et al., "Divergence Analysis", TOPLAS
// 2013; Moll and Hack, PLDI 2018), with threads of a block in place of lanes of
// a wave. Sources of difference are the thread's own place, its private memory
// and atomics. A plain load from an address that all threads agree on is
// uniform: if another thread could change the memory meanwhile, the program
// would have a data race.
//
// A thread that panics ends there, and the launch fails; where it would have
// gone is nobody's concern. So the analysis looks at a copy of the function
// without the paths that never return. Otherwise each bounds check would make
// threads part.
//
// Threads meet at a collective unless some branch on which they differ lies
// before it, and the collective is reached before the branches join again.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Uniformity.h"
#include "Records.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/SSAContext.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

static std::optional<Collective> collectiveOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? collectiveFor(*Callee) : std::nullopt;
}

static bool isSource(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return true;
  if (std::optional<Query> Q = queryFor(*Callee))
    return *Q == Query::ThreadIdx || *Q == Query::GlobalIdx ||
           *Q == Query::GlobalId || *Q == Query::WarpLane;
  return collectiveFor(*Callee) || !Call.doesNotAccessMemory();
}

/// A relaxed load can find what another thread has just stored. If threads came
/// to different barriers for that, nothing would be defined, so it counts for
/// what they keep, but not for where they go.
static bool isRelaxed(const LoadInst &Load) {
  return Load.getOrdering() == AtomicOrdering::Monotonic && !Load.isVolatile();
}

/// Whether threads may differ in the value of `I` though they agree on all its
/// operands.
static bool isSource(const Instruction &I, bool ForControl) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isSource(*Call);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple() && !(ForControl && isRelaxed(*Load));
  return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst, FreezeInst>(I);
}

/// Blocks from which the function's end can be reached.
static SmallPtrSet<BasicBlock *, 32> returningBlocks(Function &F) {
  SmallPtrSet<BasicBlock *, 32> Seen;
  SmallVector<BasicBlock *> Queue;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()) && Seen.insert(&BB).second)
      Queue.push_back(&BB);
  while (!Queue.empty())
    for (BasicBlock *Pred : predecessors(Queue.pop_back_val()))
      if (Seen.insert(Pred).second)
        Queue.push_back(Pred);
  return Seen;
}

/// Makes control of the copy `F` avoid the blocks that never return.
static void dropDeadEnds(Function &F) {
  SmallPtrSet<BasicBlock *, 32> Live = returningBlocks(F);
  for (BasicBlock &BB : F) {
    Instruction *End = BB.getTerminator();
    if (!Live.contains(&BB))
      continue;
    BasicBlock *Kept = nullptr;
    for (BasicBlock *Next : successors(&BB))
      if (Live.contains(Next))
        Kept = Next;
    for (unsigned I = 0; Kept && I != End->getNumSuccessors(); ++I) {
      BasicBlock *Next = End->getSuccessor(I);
      if (Live.contains(Next))
        continue;
      Next->removePredecessor(&BB, /*KeepOneInputPHIs=*/true);
      End->setSuccessor(I, Kept);
      for (PHINode &Phi : Kept->phis())
        Phi.addIncoming(Phi.getIncomingValueForBlock(&BB), &BB);
    }
    // Both ways lead to the same place now.
    if (auto *Branch = dyn_cast<BranchInst>(End);
        Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) == Branch->getSuccessor(1)) {
      Kept->removePredecessor(&BB, /*KeepOneInputPHIs=*/true);
      BranchInst::Create(Kept, Branch->getIterator());
      Branch->eraseFromParent();
    }
  }
  removeUnreachableBlocks(F);
}

/// Whether threads that part at the end of `From` may come to a collective
/// before they are together again.
static bool partsBeforeCollective(BasicBlock &From,
                                  const PostDominatorTree &Post) {
  const DomTreeNode *Node = Post.getNode(&From);
  const DomTreeNode *Parent = Node ? Node->getIDom() : nullptr;
  BasicBlock *Join = Parent ? Parent->getBlock() : nullptr;
  SmallPtrSet<BasicBlock *, 32> Seen;
  SmallVector<BasicBlock *> Queue(successors(&From));
  while (!Queue.empty()) {
    BasicBlock *BB = Queue.pop_back_val();
    if (BB == Join || !Seen.insert(BB).second)
      continue;
    if (any_of(*BB, [](Instruction &I) { return collectiveOf(I).has_value(); }))
      return true;
    Queue.append(succ_begin(BB), succ_end(BB));
  }
  return false;
}

using Divergence = GenericUniformityAnalysisImpl<SSAContext>;

/// `BB` is in a loop that threads leave after different numbers of rounds, so
/// that behind it they differ even in what they agreed on in every round.
static bool leavesAtDifferentTimes(BasicBlock &BB, const CycleInfo &Cycles,
                                   const Divergence &Analysis) {
  for (const Cycle *C = Cycles.getCycle(&BB); C; C = C->getParentCycle()) {
    SmallVector<BasicBlock *> Exiting;
    C->getExitingBlocks(Exiting);
    if (any_of(Exiting, [&](BasicBlock *Exit) {
          return Analysis.hasDivergentTerminator(*Exit);
        }))
      return true;
  }
  return false;
}

/// Calls `Use` with the analysis of `F`.
static void analyze(Function &F, bool ForControl,
                    function_ref<void(const Divergence &, CycleInfo &)> Use) {
  DominatorTree Dominators(F);
  CycleInfo Cycles;
  Cycles.compute(F);
  Divergence Analysis(Dominators, Cycles, nullptr);
  for (Instruction &I : instructions(F))
    if (isSource(I, ForControl))
      Analysis.markDivergent(I);
  Analysis.compute();
  Use(Analysis, Cycles);
}

Uniformity::Uniformity(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  dropDeadEnds(*Copy);
  analyze(*Copy, false, [&](const Divergence &Analysis, CycleInfo &Cycles) {
    for (Instruction &I : instructions(F)) {
      auto Found = Map.find(&I);
      Value *There = nullptr;
      if (Found != Map.end())
        There = Found->second;
      // What only dead ends have is of no interest.
      auto *Copied = dyn_cast_or_null<Instruction>(There);
      if (Copied && !I.getType()->isVoidTy() && !Analysis.isDivergent(Copied) &&
          !leavesAtDifferentTimes(*Copied->getParent(), Cycles, Analysis))
        Uniform.insert(&I);
    }
  });
  analyze(*Copy, true, [&](const Divergence &Analysis, CycleInfo &) {
    PostDominatorTree Post(*Copy);
    for (BasicBlock &BB : *Copy)
      if (Analysis.hasDivergentTerminator(BB) &&
          partsBeforeCollective(BB, Post))
        Meets = false;
  });
  Copy->eraseFromParent();
}

} // namespace ferry
