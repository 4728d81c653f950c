//===- Unrolling.cpp - How far loops are unrolled -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM unrolls loops of unknown length until they fill a fixed room, which
// gives short bodies eight copies and middling ones two, with a loop for the
// rest beside them: registers and instructions for little, where other threads
// hide what a thread waits for. So short bodies get four copies, enough for
// several loads to be under way at once, and longer ones stay as they are.
//
// A thread's own array is in registers when each index is a constant, else in
// memory far away. So a loop of known length that such an array is indexed by
// is unrolled altogether, as long as that makes no more code than a user who
// asks for unrolling would get.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ferry {

static constexpr unsigned ShortBody = 18, Copies = 4;

/// `I` becomes no instruction.
static bool isFree(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return isa<PHINode>(I) || (Intrinsic && Intrinsic->isAssumeLikeIntrinsic());
}

static unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += count_if(*Block, [](const Instruction &I) { return !isFree(I); });
  return Size;
}

/// Atomic operations and the like, whose time copies cannot hide.
static bool waits(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      return I.isAtomic() ||
             (isa<CallBase>(I) && I.mayHaveSideEffects() && !isFree(I));
    });
  });
}

/// What the program says itself. clang -O1 says `disable` of all loops, which
/// is no wish of the user's.
static bool hasUnrollHint(const Loop &L, bool HeedDisable) {
  const MDNode *Id = L.getLoopID();
  return Id &&
         any_of(drop_begin(Id->operands()), [=](const MDOperand &Operand) {
           auto *Hint = dyn_cast<MDNode>(Operand);
           auto *Name = Hint && Hint->getNumOperands()
                            ? dyn_cast<MDString>(Hint->getOperand(0))
                            : nullptr;
           return Name && Name->getString().starts_with("llvm.loop.unroll.") &&
                  (HeedDisable ||
                   Name->getString() != "llvm.loop.unroll.disable");
         });
}

/// A forced count would be kept at any price, so the number of rounds must be
/// one that is found without a division.
static bool isCheap(const SCEV *Rounds) {
  return !isa<SCEVCouldNotCompute>(Rounds) &&
         !SCEVExprContains(Rounds, [](const SCEV *Part) {
           auto *Quotient = dyn_cast<SCEVUDivExpr>(Part);
           return Quotient && !isa<SCEVConstant>(Quotient->getRHS());
         });
}

static constexpr unsigned MostUnrolled = 12000;

static bool indexesPrivateArray(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      return Pointer && !L.isLoopInvariant(Pointer) &&
             isa<AllocaInst>(getUnderlyingObject(Pointer));
    });
  });
}

PreservedAnalyses UnrollPrivatePass::run(Loop &L, LoopAnalysisManager &,
                                         LoopStandardAnalysisResults &Results,
                                         LPMUpdater &) {
  unsigned Rounds = Results.SE.getSmallConstantTripCount(&L);
  if (L.isInnermost() && Rounds && !hasUnrollHint(L, /*HeedDisable=*/false) &&
      uint64_t(Rounds) * sizeOf(L) <= MostUnrolled && indexesPrivateArray(L)) {
    LLVMContext &Context = L.getHeader()->getContext();
    MDNode *Full =
        MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.full"));
    L.setLoopID(makePostTransformationMetadata(Context, L.getLoopID(),
                                               {"llvm.loop.unroll."}, {Full}));
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses LimitUnrollingPass::run(Function &F,
                                          FunctionAnalysisManager &Analyses) {
  auto &Evolution = Analyses.getResult<ScalarEvolutionAnalysis>(F);
  for (Loop *L : Analyses.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    if (!L->isInnermost() || hasUnrollHint(*L, /*HeedDisable=*/true) ||
        waits(*L) || Evolution.getSmallConstantTripCount(L))
      continue;
    if (sizeOf(*L) <= ShortBody) {
      if (L->getExitingBlock() == L->getLoopLatch() &&
          isCheap(Evolution.getBackedgeTakenCount(L)))
        addStringMetadataToLoop(L, "llvm.loop.unroll.count", Copies);
    } else {
      addStringMetadataToLoop(L, "llvm.loop.unroll.runtime.disable", 1);
    }
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
