//===- MergeBarriers.cpp - Makes one barrier of copies --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All barriers of a group jump to one block, which waits and goes on to where
// each thread came from: a phi tells. Values that live across the barriers no
// longer dominate their uses, so they go through the frame, and are promoted to
// phis again.
//
//       a: sync      b: sync                  a:        b:
//       |            |             =>            \     /
//       c            d                    [0,a],[1,b]: sync; switch
//                                                /     \
//                                               c       d
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace ferry {

static void joinGroup(Function &F, ArrayRef<CallBase *> Group) {
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "meet", &F));
  PHINode *From = B.CreatePHI(B.getInt32Ty(), Group.size(), "from");
  Instruction *Wait = Group.front()->clone();
  B.Insert(Wait);
  BasicBlock *Nowhere = BasicBlock::Create(F.getContext(), "nowhere", &F);
  new UnreachableInst(F.getContext(), Nowhere);
  SwitchInst *Onward = B.CreateSwitch(From, Nowhere, Group.size());
  for (auto [I, Call] : enumerate(Group)) {
    BasicBlock *Before = Call->getParent();
    BasicBlock *After = SplitBlock(Before, Call->getNextNode());
    Call->eraseFromParent();
    ReplaceInstWithInst(Before->getTerminator(),
                        BranchInst::Create(B.GetInsertBlock()));
    From->addIncoming(B.getInt32(I), Before);
    Onward->addCase(B.getInt32(I), After);
  }
}

void mergeBarriers(Function &F, ArrayRef<Sites> Groups) {
  if (Groups.empty())
    return;
  for (const Sites &Group : Groups)
    joinGroup(F, Group);

  DominatorTree Tree(F);
  SmallVector<Instruction *, 32> Torn;
  for (Instruction &I : instructions(F))
    if (any_of(I.uses(), [&](const Use &U) { return !Tree.dominates(&I, U); }))
      Torn.push_back(&I);
  SmallVector<AllocaInst *, 32> Frame;
  for (Instruction *I : Torn)
    Frame.push_back(DemoteRegToStack(*I));
  PromoteMemToReg(Frame, Tree);
}

} // namespace ferry
