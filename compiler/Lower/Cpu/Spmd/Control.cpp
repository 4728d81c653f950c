//===- Control.cpp - Blocks, edges and masks of the widened loop ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block of the thread is written once, in the order and with the ways on
// that Linearize.cpp found. A block that only some threads run has a mask. At
// the end of a block each of its edges adds the threads that take it to its
// target's mask, and hands over what the target's phis choose; where threads
// of several edges meet, by blending. A mask is read and cleared when its block
// starts, so that it is empty whenever no thread is on the way there.
//
// Where a mask may be empty and much would be done for nobody, or something
// that must not be done for nobody (a load from the one address that all
// threads have in common), control jumps over everything that can be reached
// through the block only.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Widener.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::spmd {

/// Instructions beyond which a test is cheaper than running them for nobody.
static constexpr unsigned CheapBlock = 8;

/// What the group hands on: that of a thread that has replaced what it got.
void Widener::passOn() {
  SmallVector<Value *> On;
  for (const Candidate::Pass &P : C.Carried) {
    Value *Old = G.Carried.lookup(P.Phi);
    if (!S.of(P.On).isVarying()) {
      On.push_back(native(P.On));
      continue;
    }
    Value *New = vector(P.On);
    auto Bits = [&](Value *V) {
      return V->getType()->isFPOrFPVectorTy()
                 ? B.CreateBitCast(V, wide(B.getIntNTy(
                                          V->getType()->getScalarSizeInBits())))
                 : V;
    };
    Value *Replaced = B.CreateBitCast(
        B.CreateICmpNE(Bits(New), Bits(steps(Old, 0))), B.getIntNTy(Width));
    Value *Lane =
        B.CreateBinaryIntrinsic(Intrinsic::cttz, Replaced, B.getFalse());
    Value *Any = B.CreateIsNotNull(Replaced);
    Lane = B.CreateSelect(Any, Lane, Constant::getNullValue(Lane->getType()));
    On.push_back(B.CreateSelect(
        Any,
        B.CreateExtractElement(New, B.CreateZExtOrTrunc(Lane, B.getInt64Ty())),
        Old));
  }
  G.endGroup(B.GetInsertBlock(), On);
}

void Widener::createNodes() {
  LLVMContext &Ctx = F.getContext();
  for (const BasicBlock *BB : O.Blocks) {
    Node &N = Nodes[BB];
    N.Entry = BasicBlock::Create(Ctx, BB->getName() + ".enter", &F, Latch);
    N.Head = BasicBlock::Create(Ctx, BB->getName() + ".group", &F, Latch);
    BranchInst::Create(N.Head, N.Entry);
    if (!S.isMasked(BB))
      continue;
    Type *MaskTy = FixedVectorType::get(B.getInt1Ty(), Width);
    N.Mask = createHome(MaskTy, "mask");
    B.SetInsertPoint(G.Start->getTerminator());
    B.CreateStore(Constant::getNullValue(MaskTy), N.Mask);
  }
  BranchInst::Create(Nodes[C.Header].Entry, Enter);

  // What threads bring to a meeting is forgotten where they part, lest it look
  // as if it lived from one iteration to the next.
  for (auto &[Phi, Home] : Incoming)
    if (S.isJoin(Phi->getParent()) && S.of(Phi).isVarying())
      Fresh[decider(Phi->getParent())].push_back(Home);
}

/// The closest block that decides whether a thread comes to `BB`, among those
/// that run once for each time that `BB` does.
const BasicBlock *Widener::decider(const BasicBlock *BB) const {
  const BasicBlock *D = DT[BB]->getIDom()->getBlock();
  for (const Loop *L = LI.getLoopFor(D); !L->contains(BB); L = LI.getLoopFor(D))
    D = DT[L->getHeader()]->getIDom()->getBlock();
  return D;
}

void Widener::block(const BasicBlock *BB) {
  Current = BB;
  Local.clear();
  Node &N = Nodes[BB];
  B.SetInsertPoint(N.Head);
  Mask = nullptr;
  if (N.Mask) {
    Mask = B.CreateLoad(N.Mask->getAllocatedType(), N.Mask, "active");
    B.CreateStore(Constant::getNullValue(Mask->getType()), N.Mask);
  }
  for (const PHINode &Phi : BB->phis())
    if (BB != C.Header) {
      AllocaInst *From = Incoming[&Phi];
      define(Phi, B.CreateLoad(From->getAllocatedType(), From));
    }
  for (AllocaInst *Home : Fresh[BB])
    B.CreateStore(PoisonValue::get(Home->getAllocatedType()), Home);
  for (const Instruction &I : *BB) {
    if (isa<PHINode>(I) || I.isTerminator() || isIgnored(I) || C.isControl(I))
      continue;
    B.SetCurrentDebugLocation(I.getDebugLoc());
    instruction(I);
  }
  B.SetCurrentDebugLocation(BB->getTerminator()->getDebugLoc());
  terminator(BB);
}

BasicBlock *Widener::target(const BasicBlock *From,
                            const BasicBlock *To) const {
  const Node &N = Nodes.find(To)->second;
  return O.isBackEdge(From, To) ? N.Head : N.Entry;
}

void Widener::terminator(const BasicBlock *BB) {
  const Way &Way = W.find(BB)->second;
  switch (Way.K) {
  case Way::End:
    return passOn();
  case Way::Fork:
    return fork(BB, Way);
  case Way::Line:
    arrive(BB, edges(BB));
    B.CreateBr(target(BB, Way.Next[0]));
    return;
  case Way::Repeat: {
    arrive(BB, edges(BB));
    AllocaInst *Others = Nodes[Way.Next[0]].Mask;
    B.CreateCondBr(any(B.CreateLoad(Others->getAllocatedType(), Others)),
                   target(BB, Way.Next[0]), target(BB, Way.Next[1]));
    return;
  }
  }
}

void Widener::fork(const BasicBlock *BB, const Way &Way) {
  if (Way.Next.size() == 1) {
    const BasicBlock *Succ =
        BB == C.Header ? C.Start : BB->getSingleSuccessor();
    arrive(BB, Edge{Succ, Mask});
    B.CreateBr(target(BB, Way.Next[0]));
    return;
  }
  const Instruction *Terminator = BB->getTerminator();
  Instruction *Clone = Terminator->clone();
  Clone->setOperand(0, native(Terminator->getOperand(0)));
  if (auto *Branch = dyn_cast<BranchInst>(Terminator))
    cast<BranchInst>(Clone)->setCondition(native(Branch->getCondition()));
  Clone->setMetadata(LLVMContext::MD_loop, nullptr);
  B.Insert(Clone);
  for (unsigned I = 0; I != Way.Next.size(); ++I) {
    BasicBlock *Between = BasicBlock::Create(F.getContext(), "edge", &F, Latch);
    Clone->setSuccessor(I, Between);
    B.SetInsertPoint(Between);
    arrive(BB, Edge{Terminator->getSuccessor(I), Mask});
    B.CreateBr(target(BB, Way.Next[I]));
  }
}

/// Who leaves a block by which edge; null: all who are there.
SmallVector<Widener::Edge> Widener::edges(const BasicBlock *BB) {
  const Instruction *Terminator = BB->getTerminator();
  SmallVector<Edge> Result;
  auto Add = [&](const BasicBlock *To, Value *Who) {
    for (Edge &E : Result)
      if (E.first == To) {
        E.second = B.CreateOr(E.second, Who);
        return;
      }
    Result.push_back({To, Who});
  };
  auto *Branch = dyn_cast<BranchInst>(Terminator);
  if (Branch && (Branch->isUnconditional() ||
                 Branch->getSuccessor(0) == Branch->getSuccessor(1)))
    return {{Branch->getSuccessor(0), Mask}};
  if (Branch) {
    Value *Condition = vector(Branch->getCondition());
    Add(Branch->getSuccessor(0), both(Mask, Condition));
    Add(Branch->getSuccessor(1), both(Mask, B.CreateNot(Condition)));
    return Result;
  }
  auto *Switch = cast<SwitchInst>(Terminator);
  Value *Condition = vector(Switch->getCondition());
  Value *Others = Mask ? Mask
                       : Constant::getAllOnesValue(
                             FixedVectorType::get(B.getInt1Ty(), Width));
  for (const auto &Case : Switch->cases()) {
    Value *Equal = B.CreateICmpEQ(
        Condition, B.CreateVectorSplat(
                       Width, const_cast<ConstantInt *>(Case.getCaseValue())));
    Add(Case.getCaseSuccessor(), both(Mask, Equal));
    Others = B.CreateAnd(Others, B.CreateNot(Equal));
  }
  Add(Switch->getDefaultDest(), Others);
  return Result;
}

void Widener::arrive(const BasicBlock *From, ArrayRef<Edge> Edges) {
  // All is read before anything is written: a loop's phis may be swapped, and
  // may leave the loop by another edge.
  struct Delivery {
    AllocaInst *To;
    Value *V, *Who;
  };
  SmallVector<Delivery> Deliveries;
  for (auto [To, Who] : Edges)
    for (const PHINode &Phi : To->phis()) {
      const Value *V = Phi.getIncomingValueForBlock(From);
      if (isa<UndefValue>(V))
        continue;
      if (S.of(&Phi).isVarying())
        Deliveries.push_back(
            {Incoming[&Phi], vector(V), S.isJoin(To) ? Who : nullptr});
      else
        Deliveries.push_back({Incoming[&Phi], native(V), nullptr});
    }
  for (const Delivery &D : Deliveries) {
    Value *V = D.V;
    if (D.Who)
      V = blend(D.Who, V, B.CreateLoad(D.To->getAllocatedType(), D.To));
    B.CreateStore(V, D.To);
  }
  for (auto [To, Who] : Edges) {
    AllocaInst *Waiting = Nodes[To].Mask;
    if (!Waiting)
      continue;
    Type *T = Waiting->getAllocatedType();
    B.CreateStore(Who ? B.CreateOr(B.CreateLoad(T, Waiting), Who)
                      : Constant::getAllOnesValue(T),
                  Waiting);
  }
}

//===----------------------------------------------------------------------===//
// Past what nobody runs
//===----------------------------------------------------------------------===//

/// The first of the blocks that run for exactly the same threads as `BB`.
const BasicBlock *Widener::leader(const BasicBlock *BB) const {
  while (BB != C.Header) {
    const BasicBlock *D = decider(BB);
    if (LI.getLoopFor(D) != LI.getLoopFor(BB) || !PDT.dominates(BB, D))
      break;
    BB = D;
  }
  return BB;
}

/// Whether control may come to `BB` with no thread in its mask.
bool Widener::canBeEmpty(const BasicBlock *BB) const {
  if (!S.isMasked(BB) || leader(BB) != BB)
    return false;
  const BasicBlock *Before = nullptr;
  for (const BasicBlock *Pred : predecessors(BB)) {
    if (O.isBackEdge(Pred, BB))
      continue;
    if (Before && Before != Pred)
      return true;
    Before = Pred;
  }
  const Way &Way = W.find(Before)->second;
  return Way.K != Way::Fork || !is_contained(Way.Next, BB);
}

/// What must not be done when no thread wants it.
bool Widener::needsThread(const Instruction &I) const {
  if (I.isTerminator())
    return W.find(I.getParent())->second.K == Way::Fork &&
           I.getNumSuccessors() > 1;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return S.of(Store->getPointerOperand()).isUniform();
  if (isa<PHINode>(I) || isIgnored(I))
    return false;
  if (isa<AtomicRMWInst>(I))
    return true;
  return S.of(&I).isUniform() && !isSafeToSpeculativelyExecute(&I);
}

bool Widener::isWorthTest(const BasicBlock *BB) const {
  unsigned Cost = 0;
  for (const BasicBlock *Inside : O.Blocks) {
    if (!DT.dominates(BB, Inside))
      continue;
    if (LI.isLoopHeader(Inside))
      return true;
    for (const Instruction &I : *Inside) {
      if (needsThread(I))
        return true;
      Cost += I.mayReadOrWriteMemory() && !isIgnored(I) ? CheapBlock / 2 : 1;
    }
  }
  return Cost > CheapBlock;
}

void Widener::skipEmptyBlocks() {
  PostDominatorTree After(F);
  DenseMap<const BasicBlock *, const BasicBlock *> NodeAt;
  for (auto &[BB, N] : Nodes)
    NodeAt[N.Entry] = BB;
  auto NextBehind = [&](const BasicBlock *BB) {
    for (auto *Node = After[Nodes[BB].Entry]->getIDom();;
         Node = Node->getIDom()) {
      BasicBlock *At = Node->getBlock();
      const BasicBlock *Original = NodeAt.lookup(At);
      if (At == Latch || (Original && !DT.dominates(BB, Original)))
        return At;
    }
  };
  SmallVector<std::pair<const BasicBlock *, BasicBlock *>> Skips;
  for (const BasicBlock *BB : O.Blocks)
    if (canBeEmpty(BB) && isWorthTest(BB))
      Skips.push_back({BB, NextBehind(BB)});
  for (auto [BB, Behind] : Skips) {
    Node &N = Nodes[BB];
    N.Entry->getTerminator()->eraseFromParent();
    B.SetInsertPoint(N.Entry);
    B.CreateCondBr(any(B.CreateLoad(N.Mask->getAllocatedType(), N.Mask)),
                   N.Head, Behind);
  }
}

} // namespace ferry::spmd
