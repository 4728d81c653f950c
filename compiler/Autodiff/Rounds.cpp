//===- Rounds.cpp - The loops of the forward sweep ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop in LLVM's sense has one header, and each round begins there; so a
// value that the loop computes is told by the numbers of the rounds of all
// loops around it. Other cycles, that are entered in several places, have no
// such numbers: their blocks are irregular. A loop inside of such a cycle is a
// loop like any other, whose exits are irregular blocks.
//
// How many rounds there will be is ScalarEvolution's to say. Ways out of a loop
// from which the function does not return, as failed checks are, do not count:
// after them there is no reverse sweep.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Rounds.h"
#include "llvm/ADT/GenericCycleInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ferry::ad {

void simplifyLoops(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  AssumptionCache Assumptions(F);
  for (Loop *L : Loops) {
    simplifyLoop(L, &Dominators, &Loops, nullptr, &Assumptions, nullptr, false);
    formLCSSARecursively(*L, Dominators, &Loops, nullptr);
  }
}

/// All blocks of `Cycle`, and of the cycles in it, that are in no loop inside.
static void addIrregular(const Cycle &C, SmallVectorImpl<const Cycle *> &Out) {
  if (!C.isReducible())
    Out.push_back(&C);
  for (const Cycle *Child : C.children())
    addIrregular(*Child, Out);
}

Rounds::Rounds(Function &F, BasicBlock &Exit)
    : Dominators(F), Loops(Dominators), Assumptions(F),
      LibraryNames(F.getParent()->getTargetTriple()),
      Libraries(LibraryNames, &F),
      Evolution(F, Libraries, Assumptions, Dominators, Loops) {
  SmallVector<const BasicBlock *> Work{&Exit};
  Returning.insert(&Exit);
  while (!Work.empty())
    for (const BasicBlock *From : predecessors(Work.pop_back_val()))
      if (Returning.insert(From).second)
        Work.push_back(From);

  SmallVector<Loop *> All(Loops.getLoopsInPreorder());
  for (const Loop *L : All)
    if (L->isLoopSimplifyForm())
      Regular.insert(L);
  auto MarkUnless = [&](const BasicBlock *BB, auto Contains) {
    Loop *L = loopOf(*BB);
    if (!L || !Contains(L->getHeader()))
      Irregular.insert(BB);
  };
  for (const Loop *L : All)
    if (!Regular.contains(L))
      for (const BasicBlock *BB : L->blocks())
        MarkUnless(BB, [&](BasicBlock *Header) { return L->contains(Header); });
  CycleInfo Cycles;
  Cycles.compute(F);
  SmallVector<const Cycle *> Odd;
  for (const Cycle *C : Cycles.toplevel_cycles())
    addIrregular(*C, Odd);
  for (const Cycle *C : Odd)
    for (const BasicBlock *BB : C->blocks())
      MarkUnless(BB, [&](BasicBlock *Header) { return C->contains(Header); });
}

Loop *Rounds::loopOf(const BasicBlock &BB) const {
  Loop *L = Loops.getLoopFor(&BB);
  while (L && !Regular.contains(L))
    L = L->getParentLoop();
  return L;
}

Loop *Rounds::outer(const Loop &L) const {
  Loop *Outer = L.getParentLoop();
  while (Outer && !Regular.contains(Outer))
    Outer = Outer->getParentLoop();
  return Outer;
}

Loop *Rounds::headedBy(const BasicBlock &BB) const {
  Loop *L = Loops.getLoopFor(&BB);
  return L && L->getHeader() == &BB && Regular.contains(L) ? L : nullptr;
}

PHINode *Rounds::counter(Loop &L) {
  PHINode *&Counter = Counters[&L];
  if (Counter)
    return Counter;
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> B(Header, Header->begin());
  Counter = B.CreatePHI(B.getInt64Ty(), 2, "round");
  B.SetInsertPoint(Latch->getTerminator());
  Value *Next = B.CreateAdd(Counter, B.getInt64(1), "", /*HasNUW=*/true);
  // A preheader may be a block of a switch: several edges from one block.
  for (BasicBlock *From : predecessors(Header))
    Counter->addIncoming(From == Latch ? Next : B.getInt64(0), From);
  Counted[Counter] = &L;
  return Counter;
}

const SCEV *Rounds::lastRound(Loop &L) {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  BasicBlock *Only = nullptr;
  for (BasicBlock *BB : Exiting)
    for (BasicBlock *To : successors(BB)) {
      if (L.contains(To) || !reachesExit(*To) || Only == BB)
        continue;
      if (Only)
        return nullptr;
      Only = BB;
    }
  if (!Only || isIrregular(*Only) || loopOf(*Only) != &L)
    return nullptr;
  const SCEV *Last = Evolution.getExitCount(&L, Only);
  if (isa<SCEVCouldNotCompute>(Last) || !Last->getType()->isIntegerTy() ||
      Last->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  return Last;
}

std::optional<SmallVector<Rounds::Guard, 2>> Rounds::guards(Loop &L) {
  Loop *Outer = outer(L);
  BasicBlock *Before = L.getLoopPreheader();
  if (!Outer || isIrregular(*Before))
    return std::nullopt;
  BasicBlock *Latch = Outer->getLoopLatch();
  SmallVector<Guard, 2> All;
  BasicBlock *BB = Before;
  while (!Dominators.dominates(BB, Latch)) {
    BB = Dominators.getNode(BB)->getIDom()->getBlock();
    // Loops come to an end.
    if (loopOf(*BB) != Outer && !loopOf(*BB)->contains(Outer))
      continue;
    for (BasicBlock *To : successors(BB)) {
      BasicBlockEdge Edge(BB, To);
      if (!Dominators.dominates(Edge, Before) ||
          Dominators.dominates(Edge, Latch))
        continue;
      auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (Branch && Branch->isUnconditional())
        continue;
      if (!Branch || !Outer->isLoopInvariant(Branch->getCondition()))
        return std::nullopt;
      All.push_back({Branch->getCondition(), Branch->getSuccessor(0) == To});
    }
  }
  return All;
}

uint64_t Rounds::weight(const BasicBlock &BB) {
  uint64_t Weight = 1;
  for (Loop *L = loopOf(BB); L && Weight < 1000000000; L = outer(*L)) {
    unsigned Known = Evolution.getSmallConstantTripCount(L);
    Weight *= Known ? std::clamp(Known, 2U, 1000U) : 16U;
  }
  return isIrregular(BB) ? Weight * 16 : Weight;
}

} // namespace ferry::ad
