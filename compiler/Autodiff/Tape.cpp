//===- Tape.cpp - What the reverse sweep needs of the forward sweep -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the reverse sweep is built it reads whatever it wants; placeholders
// stand for that. When it is complete, Recompute.cpp chooses what is kept, and
// each placeholder becomes code, at the beginning of the block that undoes the
// one which is asked for:
//
//   - a value that is computed once on every way through the function is used
//     as it is: both sweeps are one function;
//   - the number of the round of a loop is a variable that counts down. It
//     starts, in what undoes a block behind the loop, with the last round;
//   - a value of a loop further outside is got there, once for all rounds, and
//     carried into the reversed loop in a variable;
//   - what is left belongs to the block's own loop: it is computed from
//     operands, which are got in the same way, or Stores.cpp has kept it.
//
// SSA form makes that simple: in a block, a value and all that it was computed
// from belong to the same rounds, or to fewer loops.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Tape.h"
#include "Autodiff/Rules.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ferry::ad {

Tape::Tape(Function &F, BasicBlock &Exit, ArrayRef<Instruction *> Originals)
    : F(F), Exit(Exit), R(F, Exit), Memory(F, R, Originals), Again(R, Memory),
      Kept(F, R) {}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

void Tape::setReversed(BasicBlock &Block, BasicBlock &Undoes) {
  Reversed[&Block] = &Undoes;
  Marker[&Block] =
      IRBuilder<>(&Undoes).CreateIntrinsic(Intrinsic::donothing, {});
}

/// Whether the reverse sweep can name `V`, or count it.
bool Tape::isThere(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || R.countedBy(I))
    return true;
  BasicBlock *Home = homeOf(*const_cast<Instruction *>(I));
  return !R.loopOf(*Home) && !R.isIrregular(*Home) &&
         R.dominators().dominates(Home, &Exit);
}

Value *Tape::read(Value *V, BasicBlock &Block) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (isThere(I) && !R.countedBy(I)))
    return V;
  Instruction *&Placeholder = Placeholders[{I, &Block}];
  if (!Placeholder) {
    Placeholder = new FreezeInst(PoisonValue::get(I->getType()));
    Placeholder->insertAfter(Marker[&Block]->getIterator());
  }
  return Placeholder;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

AllocaInst *Tape::counter(Loop &L) {
  AllocaInst *&Counter = Counters[&L];
  if (!Counter) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Counter = AtEntry.CreateAlloca(AtEntry.getInt64Ty());
  }
  return Counter;
}

void Tape::enterLoops(IRBuilderBase &B, BasicBlock &Block, BasicBlock &From) {
  for (Loop *L = R.loopOf(From); L && !L->contains(&Block); L = R.outer(*L)) {
    Value *Last;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    const SCEV *Known = R.lastRound(*L);
    SCEVExpander Expander(R.evolution(), "last");
    if (Known && Expander.isSafeToExpandAt(Known, Before)) {
      Value *V = Expander.expandCodeFor(Known, nullptr, Before->getIterator());
      Last = IRBuilder<>(Before).CreateZExt(V, B.getInt64Ty());
    } else {
      Last = copyAt(*R.counter(*L), Block);
    }
    B.CreateStore(read(Last, Block), counter(*L));
  }
}

Value *Tape::isFirstRound(IRBuilderBase &B, Loop &L) {
  return B.CreateICmpEQ(B.CreateLoad(B.getInt64Ty(), counter(L)),
                        B.getInt64(0));
}

void Tape::goToRoundBefore(IRBuilderBase &B, Loop &L) {
  Value *Round = B.CreateLoad(B.getInt64Ty(), counter(L));
  B.CreateStore(B.CreateSub(Round, B.getInt64(1)), counter(L));
}

//===----------------------------------------------------------------------===//
// Getting values
//===----------------------------------------------------------------------===//

/// Whether `I`, which nobody has chosen to keep, can be computed from what is
/// there or kept.
bool Tape::isEasy(Instruction &I) {
  if (ToKeep.contains(&I))
    return true;
  auto [Known, New] = Easy.try_emplace(&I, false);
  if (!New)
    return Known->second;
  if (Kept.mustKeep(I))
    return false;
  auto From = Again.operands(I);
  bool All = From && all_of(*From, [&](Value *V) {
               return isThere(V) || isEasy(*cast<Instruction>(V));
             });
  return Easy[&I] = All;
}

Value *Tape::get(Value *V, BasicBlock &Block) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (isThere(I) && !R.countedBy(I)))
    return V;
  if (Value *Found = Known.lookup({I, &Block}))
    return Found;
  Value *Got = make(*I, Block);
  return Known[{I, &Block}] = Got;
}

Value *Tape::make(Instruction &I, BasicBlock &Block) {
  IRBuilder<> B(Marker[&Block]);
  if (Loop *L = R.countedBy(&I); L && L->contains(&Block))
    return B.CreateLoad(B.getInt64Ty(), counter(*L));
  Loop *Mine = R.loopOf(*homeOf(I)), *Here = R.loopOf(Block);
  if (Mine != Here) {
    for (Loop *L = Here; L; L = R.outer(*L))
      if (R.outer(*L) == Mine)
        return carry(I, *L, Block);
    return get(copyAt(I, Block), Block);
  }
  auto Read = [&](Value *V) { return get(V, Block); };
  if (!ToKeep.contains(&I) && isEasy(I))
    return Again.emit(I, B, Read);
  return Kept.load(I, Block, B, *Reversed[&Block], Read);
}

/// The value of `I`, which lives outside of the loop `Into`, for the rounds of
/// that loop.
Value *Tape::carry(Instruction &I, Loop &Into, BasicBlock &Block) {
  AllocaInst *Variable = Carried.lookup({&I, &Into});
  if (!Variable) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Variable = AtEntry.CreateAlloca(I.getType());
    Carried[{&I, &Into}] = Variable;
    SmallVector<BasicBlock *> Behind;
    Into.getUniqueExitBlocks(Behind);
    for (BasicBlock *BB : Behind)
      if (BasicBlock *Undoes = Reversed.lookup(BB)) {
        Value *V = get(&I, *BB);
        IRBuilder<>(Undoes->getTerminator()).CreateStore(V, Variable);
      }
  }
  return IRBuilder<>(Marker[&Block]).CreateLoad(I.getType(), Variable);
}

/// A phi in `Block`, which is outside of the loop that `I` lives in, that is
/// `I`.
PHINode *Tape::copyAt(Instruction &I, BasicBlock &Block) {
  PHINode *&Copy = Copies[{&I, &Block}];
  if (!Copy) {
    Copy = PHINode::Create(I.getType(), 1, "", Block.begin());
    for (BasicBlock *From : predecessors(&Block))
      Copy->addIncoming(&I, From);
  }
  return Copy;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Rules call functions which the forward sweep may have called, too: the
/// derivative of a sine is the cosine, which is often wanted as well.
void Tape::reuseCalls() {
  DenseMap<const Value *, Place> Read;
  for (auto [At, Placeholder] : Placeholders)
    Read[Placeholder] = At;
  SmallVector<std::pair<Instruction *, Place>> Found;
  for (auto [Block, Undoes] : Reversed)
    for (Instruction &I : *Undoes) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      const Rule *Function = Call ? findRule(*Call) : nullptr;
      if (!Function || Call->arg_size() != 1)
        continue;
      Value *X = Call->getArgOperand(0);
      if (auto At = Read.find(X); At != Read.end())
        X = At->second.first;
      if (isa<Constant>(X))
        continue;
      for (User *U : X->users()) {
        auto *Earlier = dyn_cast<CallInst>(U);
        if (Earlier && findRule(*Earlier) == Function &&
            R.dominators().getNode(Earlier->getParent()) &&
            R.dominators().dominates(Earlier, Block->getTerminator())) {
          Found.push_back({&I, {Earlier, Block}});
          break;
        }
      }
    }
  for (auto [I, At] : Found) {
    I->replaceAllUsesWith(read(At.first, *At.second));
    I->eraseFromParent();
  }
}

/// Not all that was read turned out to matter.
void Tape::dropUnused() {
  SmallPtrSet<const Value *, 16> Gone;
  auto Forget = [&](Value *V) { Gone.insert(V); };
  SmallPtrSet<Instruction *, 16> Markers;
  for (auto [Block, M] : Marker)
    Markers.insert(M);
  SmallVector<WeakTrackingVH> Dead;
  for (BasicBlock &BB : F)
    if (!R.dominators().getNode(&BB))
      for (Instruction &I : BB)
        if (!Markers.contains(&I) && isInstructionTriviallyDead(&I))
          Dead.emplace_back(&I);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead, &R.libraries(),
                                                       nullptr, Forget);
  Placeholders.remove_if([&](auto &P) { return Gone.contains(P.second); });
}

void Tape::write(Instruction &End) {
  reuseCalls();
  dropUnused();
  SetVector<Instruction *> Needed;
  for (auto [At, Placeholder] : Placeholders)
    if (!isThere(At.first))
      Needed.insert(At.first);
  ToKeep = Again.chooseKept(Needed.getArrayRef(),
                            [&](const Value *V) { return isThere(V); });
  for (auto [At, Placeholder] : Placeholders) {
    Placeholder->replaceAllUsesWith(get(At.first, *At.second));
    Placeholder->eraseFromParent();
  }
  Kept.write([&](BasicBlock *BB) { return Reversed.lookup(BB); },
             [&](Value *V, BasicBlock &At) { return get(V, At); }, End);
  for (auto [Block, M] : Marker)
    M->eraseFromParent();
}

} // namespace ferry::ad
