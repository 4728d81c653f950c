//===- Groups.cpp - The loop over groups of threads -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (First = From; First != End; First += Width) // End - From: the number
//     if (what the group is trusted with)            // of threads, rounded
//       one version                                  // down
//     else
//       another, or break
//   the loop over threads, from First
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Groups.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry::spmd {

GroupLoop::GroupLoop(const Candidate &C, unsigned Width) : C(C) {
  Function &F = *C.Header->getParent();
  LLVMContext &Ctx = F.getContext();
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(Ctx, Name, &F, C.Header);
  };
  Start = Block("group.start");
  Body = Block("group");
  Latch = Block("group.end");
  Done = Block("groups.done");

  Instruction *Enter = C.Preheader->getTerminator();
  IRBuilder<> B(Enter);
  Type *I64 = B.getInt64Ty();
  Value *Count = B.CreateSub(C.To, C.From, "threads");
  Value *End = B.CreateAdd(
      C.From, B.CreateAnd(Count, B.getInt64(-uint64_t(Width))), "groups.end");
  Value *Enough = B.CreateAnd(B.CreateICmpULT(C.From, C.To),
                              B.CreateICmpUGE(Count, B.getInt64(Width)));
  B.CreateCondBr(Enough, Start, C.Header);
  Enter->eraseFromParent();

  B.SetInsertPoint(Start);
  // Whatever a thread is handed, it must be the same each time one looks at it.
  SmallVector<Value *> Handed;
  for (const Candidate::Pass &P : C.Carried)
    Handed.push_back(
        B.CreateFreeze(P.Phi->getIncomingValueForBlock(C.Preheader)));
  B.CreateBr(Body);

  B.SetInsertPoint(Body);
  First = B.CreatePHI(I64, 2, "group.first");
  First->addIncoming(C.From, Start);
  for (auto [P, V] : zip(C.Carried, Handed)) {
    Carried[P.Phi] = B.CreatePHI(P.Phi->getType(), 2);
    Carried[P.Phi]->addIncoming(V, Start);
  }

  B.SetInsertPoint(Latch);
  for (const Candidate::Pass &P : C.Carried) {
    HandedOn.push_back(B.CreatePHI(P.Phi->getType(), 2));
    Carried[P.Phi]->addIncoming(HandedOn.back(), Latch);
  }
  Value *Next = B.CreateAdd(First, B.getInt64(Width), "group.next",
                            /*NUW=*/true, /*NSW=*/true);
  First->addIncoming(Next, Latch);
  B.CreateCondBr(B.CreateICmpEQ(Next, End), Done, Body);

  B.SetInsertPoint(Done);
  Reached = B.CreatePHI(I64, 2, "first.left");
  Reached->addIncoming(End, Latch);
  C.Induction->addIncoming(Reached, Done);
  for (auto [P, V] : zip(C.Carried, HandedOn)) {
    Left.push_back(B.CreatePHI(P.Phi->getType(), 2));
    Left.back()->addIncoming(V, Latch);
    P.Phi->addIncoming(Left.back(), Done);
  }
  B.CreateBr(C.Header);
}

void GroupLoop::endGroup(BasicBlock *From, ArrayRef<Value *> On) {
  BranchInst::Create(Latch, From);
  for (auto [Phi, V] : zip(HandedOn, On))
    Phi->addIncoming(V, From);
}

namespace {
/// Computes values of a group's first thread where the group begins.
class FirstThread {
public:
  FirstThread(IRBuilder<> &B, const Candidate &C, Value *First) : B(B), C(C) {
    Known[C.Induction] = First;
  }

  Value *of(const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (Value *Found = Known.lookup(V))
      return Found;
    if (!I || !C.L->contains(I))
      return const_cast<Value *>(V);
    Instruction *Clone = I->clone();
    for (Use &Op : Clone->operands())
      Op = of(Op);
    // They speak of threads that come here.
    Clone->dropPoisonGeneratingAnnotations();
    if (I->isIntDivRem()) // perhaps no thread comes here, and divides by zero
      Clone->setOperand(1, divisor(Clone->getOperand(1)));
    return Known[V] = B.Insert(Clone);
  }

private:
  IRBuilder<> &B;
  const Candidate &C;
  DenseMap<const Value *, Value *> Known;

  Value *divisor(Value *D) {
    if (isa<ConstantInt>(D))
      return D;
    D = B.CreateFreeze(D);
    return B.CreateSelect(B.CreateIsNull(D), ConstantInt::get(D->getType(), 1),
                          D);
  }
};
} // namespace

void GroupLoop::choose(ArrayRef<Bounded> Trusted, BasicBlock *Then,
                       BasicBlock *Else) {
  IRBuilder<> B(Body);
  FirstThread Values(B, C, First);
  Value *Holds = nullptr;
  for (const Bounded &Of : Trusted) {
    Value *Other = Of.Other ? Values.of(Of.Other) : nullptr;
    Value *Step = Of.Step ? Values.of(Of.Step) : nullptr;
    Value *Lies = liesWithinBounds(B, Of, Values.of(Of.Operand), Other, Step);
    Holds = Holds ? B.CreateAnd(Holds, Lies) : Lies;
  }
  if (!Holds) {
    B.CreateBr(Then);
    return;
  }
  if (!Else) {
    Else = Done;
    Reached->addIncoming(First, Body);
    for (auto [P, Phi] : zip(C.Carried, Left))
      Phi->addIncoming(Carried.lookup(P.Phi), Body);
  }
  B.CreateCondBr(B.CreateFreeze(Holds), Then, Else);
}

} // namespace ferry::spmd
