//===- Duplicates.cpp - Undoes the copying of collectives -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads meet at a call in the source. A front end's compiler that takes the
// call for an ordinary one may copy it: rustc's jump threading turns
//
//   if t == 0 { a }  sync();  if t == 0 { b }
//
// into `if t == 0 { a; sync(); b } else { sync() }`, from its first -O level on
// and with no way to say otherwise. The threads would then meet in two places,
// each time without the others. Copies share their place in the debug info, so
// they can be found and made one call again:
//
//       a: sync      b: sync                  a:        b:
//       |            |             =>            \     /
//       c            d                    [0,a],[1,b]: sync; switch
//                                                /     \
//                                               c       d
//
// A copy that comes before or after the other on the same way, as unrolling
// makes them, does no harm and stays. The same goes for calls of functions in
// which threads meet. Where there is no debug info nothing is found.
//
//===----------------------------------------------------------------------===//

#include "Outline/Outline.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>

using namespace llvm;

namespace ferry {

using Copies = SmallVector<CallInst *, 2>;

/// Where a call stands in the source: line, column and function, then the same
/// of the call that this function was inlined for, and so on. Inlining gives
/// each copy of a call nodes of its own, so the nodes cannot be compared.
using Place = std::vector<std::tuple<unsigned, unsigned, const Metadata *>>;

static Place placeOf(const CallInst &Call) {
  Place P;
  for (const DILocation *At = Call.getDebugLoc(); At; At = At->getInlinedAt())
    P.emplace_back(At->getLine(), At->getColumn(), At->getScope());
  return P;
}

/// Calls of one function from one place in the source, none of which is on the
/// way to another.
static std::vector<Copies> findCopies(Function &F, const DominatorTree &Tree) {
  MapVector<std::pair<Function *, Place>, Copies,
            std::map<std::pair<Function *, Place>, unsigned>>
      Places;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getDebugLoc() ||
        !Tree.isReachableFromEntry(I.getParent()))
      continue;
    Function *Callee = Call->getCalledFunction();
    if (Callee && Callee->isConvergent() && !Callee->isVarArg())
      Places[{Callee, placeOf(*Call)}].push_back(Call);
  }
  std::vector<Copies> Found;
  for (auto &[At, Calls] : Places) {
    bool Ordered = any_of(Calls, [&, &Calls = Calls](CallInst *A) {
      return any_of(
          Calls, [&](CallInst *B) { return A != B && Tree.dominates(A, B); });
    });
    if (Calls.size() > 1 && !Ordered)
      Found.push_back(Calls);
  }
  return Found;
}

/// Makes all copies jump to one call, which goes on to where each came from.
static void merge(Function &F, const Copies &Calls) {
  CallInst *First = Calls.front();
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "meet", &F));
  PHINode *From = B.CreatePHI(B.getInt32Ty(), Calls.size(), "from");
  SmallVector<PHINode *> Arguments;
  for (Value *A : First->args())
    Arguments.push_back(B.CreatePHI(A->getType(), Calls.size()));
  auto *Meeting = cast<CallInst>(First->clone());
  B.Insert(Meeting);
  for (auto [I, Phi] : enumerate(Arguments))
    Meeting->setArgOperand(I, Phi);
  BasicBlock *Nowhere = BasicBlock::Create(F.getContext(), "nowhere", &F);
  new UnreachableInst(F.getContext(), Nowhere);
  SwitchInst *Onward = B.CreateSwitch(From, Nowhere, Calls.size());

  for (auto [Number, Call] : enumerate(Calls)) {
    BasicBlock *Before = Call->getParent();
    BasicBlock *After = SplitBlock(Before, Call->getNextNode());
    ReplaceInstWithInst(Before->getTerminator(),
                        BranchInst::Create(B.GetInsertBlock()));
    From->addIncoming(B.getInt32(Number), Before);
    for (auto [I, Phi] : enumerate(Arguments))
      Phi->addIncoming(Call->getArgOperand(I), Before);
    Onward->addCase(B.getInt32(Number), After);
    Call->replaceAllUsesWith(Meeting);
    Call->eraseFromParent();
  }
}

/// Values that live across a meeting no longer dominate their uses. They go
/// through the frame, and are promoted to phis again.
static void repair(Function &F) {
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

void mergeDuplicates(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.isConvergent())
      continue;
    std::vector<Copies> Found;
    {
      DominatorTree Tree(F);
      Found = findCopies(F, Tree);
    }
    for (const Copies &Calls : Found)
      merge(F, Calls);
    if (!Found.empty())
      repair(F);
  }
}

} // namespace ferry
