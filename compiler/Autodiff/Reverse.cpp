//===- Reverse.cpp - The reverse sweep ------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the forward sweep every block is undone, the last first. Each number
// has an adjoint, a variable that starts as zero; to undo an instruction is to
// take its result's adjoint, which becomes zero again, and to add to the
// adjoints of its operands what the rule of the operation says. Memory's
// adjoints are in its shadow:
//
//   v = load p         shadow[p] += v'
//   store v, p         v' += shadow[p]; shadow[p] = 0
//   copy q, p, n       the same, element by element
//
// A block goes back to the block that it came from: a phi, which is kept like
// any other value, has its number. On the way the phis of the block hand their
// adjoints to the values that came from there.
//
// Shadows of blocks that the program frees are still needed here and are freed
// at the very end. What a rule wants to know of the forward sweep, Tape.cpp
// keeps.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Reverse.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Helpers.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Rules.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::ad {

ReverseSweep::ReverseSweep(Function &F, Shadows &Pointers, MemoryTypes &Types,
                           const ActiveValues &Active, unsigned Width,
                           ArrayRef<Instruction *> Originals,
                           ReturnInst &Return)
    : F(F), Pointers(Pointers), Types(Types), Active(Active), Width(Width),
      Return(Return), Exit(*Return.getParent()), Kept(F, Exit, Originals),
      B(F.getContext()) {
  for (Instruction *I : Originals)
    Own[I->getParent()].push_back(I);
  // What stands for an invoke's result is in another block.
  for (auto &[BB, Instructions] : Own)
    sort(Instructions,
         [](Instruction *X, Instruction *Y) { return X->comesBefore(Y); });
}

//===----------------------------------------------------------------------===//
// Adjoints
//===----------------------------------------------------------------------===//

bool ReverseSweep::hasAdjoint(const Value *V) const {
  return !isa<Constant>(V) && containsFloat(V->getType()) && Active.contains(V);
}

AllocaInst *ReverseSweep::adjoint(Value *V, unsigned Lane) {
  auto &Lanes = Adjoints[V];
  IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
  while (Lanes.size() < Width) {
    AllocaInst *Slot = AtEntry.CreateAlloca(V->getType());
    AtEntry.CreateStore(Constant::getNullValue(V->getType()), Slot);
    Lanes.push_back(Slot);
  }
  return Lanes[Lane];
}

/// Most values are used in their own block only. An invoke is undone where its
/// result is, behind it. Their adjoints need no
/// variable: a variable per value and a phi per variable in each block would be
/// too many.
void ReverseSweep::findUsedAtHome() {
  for (auto &[BB, Instructions] : Own)
    for (Instruction *I : Instructions)
      if (hasAdjoint(I) && all_of(I->users(), [&, Home = BB](User *U) {
            return cast<Instruction>(U)->getParent() == Home &&
                   !isa<PHINode, InvokeInst>(U);
          }))
        UsedAtHome.insert(I);
}

/// A phi at home is taken once on each edge, of which one is followed.
Value *ReverseSweep::take(Value *V, unsigned Lane) {
  if (UsedAtHome.contains(V)) {
    Value *D = HomeAdjoints.lookup({V, Lane});
    return D ? D : Constant::getNullValue(V->getType());
  }
  AllocaInst *Slot = adjoint(V, Lane);
  Value *D = B.CreateLoad(V->getType(), Slot);
  B.CreateStore(Constant::getNullValue(V->getType()), Slot);
  return D;
}

/// Number by number; anything else is not summed.
Value *ReverseSweep::sum(Value *X, Value *Y) {
  Type *T = X->getType();
  if (T->isFPOrFPVectorTy()) {
    // Adjoints start as 0, and which 0 does not matter: the first sum is free.
    // No order is the program's.
    IRBuilderBase::FastMathFlagGuard Guard(B);
    FastMathFlags Flags = B.getFastMathFlags();
    Flags.setNoSignedZeros();
    Flags.setAllowReassoc();
    B.setFastMathFlags(Flags);
    return B.CreateFAdd(X, Y);
  }
  if (!T->isAggregateType())
    return X;
  auto Count =
      static_cast<unsigned>(isa<StructType>(T) ? T->getStructNumElements()
                                               : T->getArrayNumElements());
  for (unsigned I = 0; I != Count; ++I)
    X = B.CreateInsertValue(
        X, sum(B.CreateExtractValue(X, I), B.CreateExtractValue(Y, I)), I);
  return X;
}

void ReverseSweep::add(Value *V, unsigned Lane, Value *Part) {
  if (!hasAdjoint(V))
    return;
  if (UsedAtHome.contains(V)) {
    Value *&D = HomeAdjoints[{V, Lane}];
    D = D ? sum(D, Part) : Part;
    return;
  }
  AllocaInst *Slot = adjoint(V, Lane);
  B.CreateStore(sum(B.CreateLoad(V->getType(), Slot), Part), Slot);
}

Value *ReverseSweep::shadow(Value *Pointer, unsigned Lane, Instruction &User) {
  return primal(Pointers.get(Pointer, Lane, User));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void ReverseSweep::undoRule(Instruction &I, Value *D, unsigned Lane) {
  const Rule &R = *findRule(I);
  IRBuilderBase::FastMathFlagGuard Guard(B);
  FastMathFlags Kept;
  Kept.setAllowContract(I.getFastMathFlags().allowContract());
  Kept.setAllowReassoc(I.getFastMathFlags().allowReassoc());
  B.setFastMathFlags(Kept);
  auto Read = [&](unsigned Index) {
    return primal(Index == ResultOfRule ? &I : I.getOperand(Index));
  };
  for (unsigned Op = 0; Op != operandCount(R); ++Op)
    if (hasAdjoint(I.getOperand(Op)))
      add(I.getOperand(Op), Lane, applyRule(R, Op, B, D, Read));
}

void ReverseSweep::undoShuffle(ShuffleVectorInst &I, Value *D, unsigned Lane) {
  auto Elements =
      cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
  for (unsigned Op : {0U, 1U}) {
    if (!hasAdjoint(I.getOperand(Op)))
      continue;
    Value *Part = Constant::getNullValue(I.getOperand(Op)->getType());
    for (auto [To, From] : enumerate(I.getShuffleMask())) {
      if (From < 0 || static_cast<unsigned>(From) / Elements != Op)
        continue;
      uint64_t At = static_cast<unsigned>(From) % Elements;
      Value *Sum = B.CreateFAdd(B.CreateExtractElement(Part, At),
                                B.CreateExtractElement(D, To));
      Part = B.CreateInsertElement(Part, Sum, At);
    }
    add(I.getOperand(Op), Lane, Part);
  }
}

/// What `I` made of its operands has the adjoint `D`.
void ReverseSweep::undoValue(Instruction &I, Value *D, unsigned Lane) {
  Value *X = I.getNumOperands() ? I.getOperand(0) : nullptr;
  Constant *Zero = Constant::getNullValue(I.getType());
  if (findRule(I))
    return undoRule(I, D, Lane);
  switch (I.getOpcode()) {
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return add(X, Lane, B.CreateFPCast(D, X->getType()));
  case Instruction::BitCast:
    // Between integers and numbers nothing flows; Shadows.cpp has looked.
    if (X->getType()->isFPOrFPVectorTy())
      add(X, Lane, B.CreateBitCast(D, X->getType()));
    return;
  case Instruction::Freeze:
    return add(X, Lane, D);
  case Instruction::Select: {
    Value *If = primal(X);
    add(I.getOperand(1), Lane, B.CreateSelect(If, D, Zero));
    add(I.getOperand(2), Lane, B.CreateSelect(If, Zero, D));
    return;
  }
  case Instruction::Load: {
    if (!Active.contains(X))
      return;
    Value *P = shadow(X, Lane, I);
    Align A = cast<LoadInst>(I).getAlign();
    Value *Old = B.CreateAlignedLoad(I.getType(), P, A);
    B.CreateAlignedStore(sum(Old, D), P, A);
    return;
  }
  case Instruction::ExtractElement: {
    Value *At = primal(I.getOperand(1));
    return add(
        X, Lane,
        B.CreateInsertElement(Constant::getNullValue(X->getType()), D, At));
  }
  case Instruction::InsertElement: {
    Value *At = primal(I.getOperand(2));
    add(I.getOperand(1), Lane, B.CreateExtractElement(D, At));
    Value *Rest = B.CreateInsertElement(
        D, Constant::getNullValue(I.getOperand(1)->getType()), At);
    return add(X, Lane, Rest);
  }
  case Instruction::ShuffleVector:
    return undoShuffle(cast<ShuffleVectorInst>(I), D, Lane);
  case Instruction::ExtractValue:
    return add(X, Lane,
               B.CreateInsertValue(Constant::getNullValue(X->getType()), D,
                                   cast<ExtractValueInst>(I).getIndices()));
  case Instruction::InsertValue: {
    ArrayRef<unsigned> At = cast<InsertValueInst>(I).getIndices();
    Value *Inserted = I.getOperand(1);
    if (containsFloat(Inserted->getType()))
      add(Inserted, Lane, B.CreateExtractValue(D, At));
    return add(X, Lane,
               B.CreateInsertValue(
                   D, Constant::getNullValue(Inserted->getType()), At));
  }
  case Instruction::PHI:
    return; // when the block is left
  case Instruction::Call:
    // Shadows.cpp has let one intrinsic pass, the sum of a vector.
    add(X, Lane, D);
    return add(
        I.getOperand(1), Lane,
        B.CreateVectorSplat(
            cast<VectorType>(I.getOperand(1)->getType())->getElementCount(),
            D));
  default:
    Failed = true;
    refuse(I, "has no reverse derivative for " + describe(I),
           "use __enzyme_fwddiff, or write it with operations that have one");
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void ReverseSweep::undoStore(StoreInst &I) {
  Value *V = I.getValueOperand(), *P = I.getPointerOperand();
  Type *T = V->getType();
  // An integer in the place of a number has the adjoint zero.
  bool Number =
      containsFloat(T) || (T->isIntOrIntVectorTy() && Types.mayHoldFloats(*P));
  if (!Number || !Active.contains(P))
    return;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Value *At = shadow(P, Lane, I);
    if (hasAdjoint(V))
      add(V, Lane, B.CreateAlignedLoad(T, At, I.getAlign()));
    B.CreateAlignedStore(Constant::getNullValue(T), At, I.getAlign());
  }
}

void ReverseSweep::undoMemory(MemIntrinsic &I) {
  Value *To = I.getRawDest();
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  if (!Active.contains(To))
    return;
  // Shadows.cpp has refused what has no known segments.
  std::vector<Segment> Parts = *Types.segments(I);
  for (const Segment &Part : Parts) {
    if (Part.Scalar->isPointerTy())
      continue;
    Value *Bytes = B.CreateZExtOrTrunc(primal(Part.Bytes), B.getInt64Ty());
    for (unsigned Lane = 0; Lane != Width; ++Lane) {
      Value *Target =
          B.CreateConstGEP1_64(B.getInt8Ty(), shadow(To, Lane, I), Part.Offset);
      if (!Copy || !Active.contains(Copy->getRawSource())) {
        B.CreateMemSet(Target, B.getInt8(0), Bytes, MaybeAlign());
        continue;
      }
      Value *Source = B.CreateConstGEP1_64(
          B.getInt8Ty(), shadow(Copy->getRawSource(), Lane, I), Part.Offset);
      B.CreateCall(undoCopyFunction(*F.getParent(), Part.Scalar),
                   {Target, Source, Bytes});
    }
  }
}

/// Whether the block at `Pointer` may have been there before the function ran.
static bool isGiven(const Value &Pointer, unsigned Depth = 0) {
  SmallVector<const Value *> Bases;
  getUnderlyingObjects(&Pointer, Bases, nullptr, /*MaxLookup=*/0);
  return any_of(Bases, [&](const Value *Base) {
    if (auto *Load = dyn_cast<LoadInst>(Base))
      return Depth < 8 && isGiven(*Load->getPointerOperand(), Depth + 1);
    return isa<Argument>(Base);
  });
}

/// The reverse sweep may read what the function has given back.
void ReverseSweep::deferReleases() {
  for (auto &[BB, Instructions] : Own)
    for (Instruction *I : Instructions) {
      auto *Call = dyn_cast<CallInst>(I);
      if (!Call || !Undone.contains(BB) || !canWait(*Call, Kept.rounds()))
        continue;
      // The block, null if there is none, its size and its alignment.
      IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin()),
          Here(Call), AtEnd(End);
      SmallVector<Value *> Arguments;
      for (Value *A : Call->args()) {
        AllocaInst *Later = AtEntry.CreateAlloca(A->getType());
        AtEntry.CreateStore(Constant::getNullValue(A->getType()), Later);
        Here.CreateStore(A, Later);
        Arguments.push_back(AtEnd.CreateLoad(A->getType(), Later));
      }
      Instruction *Then = SplitBlockAndInsertIfThen(
          AtEnd.CreateIsNotNull(Arguments[0]), End->getIterator(), false);
      IRBuilder<>(Then).CreateCall(calledFunction(*Call), Arguments);
      Call->eraseFromParent();
    }
}

void ReverseSweep::undoRelease(CallBase &I) {
  Value *P = I.getArgOperand(0);
  if (!Active.contains(P))
    return;
  if (isGiven(*P)) {
    Failed = true;
    return refuse(I,
                  "frees or grows memory that it was given, " + describe(*P) +
                      ", whose gradient would be lost",
                  "give it a slice, or let it copy to memory of its own");
  }
  if (!Releases) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Releases = AtEntry.CreateAlloca(B.getPtrTy());
    AtEntry.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Releases);
  }
  Module &M = *F.getParent();
  Value *Release = releaseWithFunction(
      M, FunctionCallee(I.getFunctionType(), calledFunction(I)));
  // Sizes and alignments.
  Value *More[] = {B.getInt64(0), B.getInt64(0)};
  for (unsigned A = 1; A < I.arg_size() && A <= 2; ++A)
    More[A - 1] = primal(I.getArgOperand(A));
  for (unsigned Lane = 0; Lane != Width; ++Lane)
    B.CreateCall(releaseLaterFunction(M),
                 {Releases, Release, shadow(P, Lane, I), More[0], More[1]});
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// `I` is what a call's forward sweep returned; its reverse sweep takes the
/// frame and the result's adjoints.
void ReverseSweep::undoCall(Instruction &I, const Shadows::SplitCall &Call) {
  SmallVector<Value *> Arguments{primal(Call.Frame)};
  for (unsigned Lane = 0; Call.Derivative->ActiveReturn && Lane != Width;
       ++Lane)
    Arguments.push_back(take(&I, Lane));
  Value *Outs = B.CreateCall(Call.Derivative->Reverse, Arguments);
  unsigned Next = I.getType()->isVoidTy() || &I == Call.Call ? 0 : 1;
  for (auto [Operand, IsNumber] : Call.Operands)
    for (unsigned Lane = 0; IsNumber && Lane != Width; ++Lane)
      add(Call.Call->getArgOperand(Operand), Lane,
          B.CreateExtractValue(Outs, Next++));
}

void ReverseSweep::undo(Instruction &I) {
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (const Shadows::SplitCall *Call = Pointers.splitCall(I))
    return undoCall(I, *Call);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return undoStore(*Store);
  if (auto *Memory = dyn_cast<MemIntrinsic>(&I))
    return undoMemory(*Memory);
  if (auto *Call = dyn_cast<CallBase>(&I);
      Call && classify(*Call) == Callee::Release)
    return undoRelease(*Call);
  if (hasAdjoint(&I) && !isa<PHINode>(I))
    for (unsigned Lane = 0; Lane != Width; ++Lane)
      undoValue(I, take(&I, Lane), Lane);
}

/// Which blocks are undone, and by which number each finds where it came from.
void ReverseSweep::numberPredecessors() {
  Undone.insert(&Exit);
  for (size_t N = 0; N != Undone.size(); ++N) {
    BasicBlock *BB = Undone[N];
    SmallVector<BasicBlock *> &From = Predecessors[BB];
    for (BasicBlock *Pred : predecessors(BB))
      if (!is_contained(From, Pred))
        From.push_back(Pred);
    Undone.insert(From.begin(), From.end());
  }
  Type *I8 = Type::getInt8Ty(F.getContext());
  Type *I32 = Type::getInt32Ty(F.getContext());
  for (BasicBlock *BB : Undone) {
    Reversed[BB] =
        BasicBlock::Create(F.getContext(), BB->getName() + ".undo", &F);
    Kept.setReversed(*BB, *Reversed[BB]);
    SmallVector<BasicBlock *> &From = Predecessors[BB];
    // At a loop's header the number of the round tells.
    if (From.size() < 2 || Kept.rounds().headedBy(*BB))
      continue;
    Type *T = From.size() < 256 ? I8 : I32;
    auto *Number = PHINode::Create(T, 2, "", BB->begin());
    for (BasicBlock *Pred : predecessors(BB))
      Number->addIncoming(
          ConstantInt::get(
              T, static_cast<uint64_t>(find(From, Pred) - From.begin())),
          Pred);
    CameFrom[BB] = Number;
  }
}

/// Hands on what the block's phis had from `From`.
void ReverseSweep::undoPhis(BasicBlock *From) {
  SmallVector<std::tuple<Value *, unsigned, Value *>> Parts;
  for (Instruction *I : Own[Block]) {
    auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi || !hasAdjoint(Phi))
      continue;
    for (unsigned Lane = 0; Lane != Width; ++Lane)
      Parts.emplace_back(Phi->getIncomingValueForBlock(From), Lane,
                         take(Phi, Lane));
  }
  // All are taken before any is added to: a phi may be handed to another.
  for (auto [V, Lane, D] : Parts)
    add(V, Lane, D);
  B.CreateBr(Reversed[From]);
}

void ReverseSweep::leaveBlock() {
  SmallVector<BasicBlock *> &From = Predecessors[Block];
  if (From.empty())
    return; // the entry
  // All that a block behind a loop comes from is in that loop.
  Kept.enterLoops(B, *Block, *From.front());
  if (From.size() == 1)
    return undoPhis(From.front());
  SmallVector<BasicBlock *> Edges;
  for (size_t I = 0; I != From.size(); ++I)
    Edges.push_back(BasicBlock::Create(F.getContext(), "", &F));
  Loop *L = Kept.rounds().headedBy(*Block);
  auto *Latch = L ? find(From, L->getLoopLatch()) : nullptr;
  if (L) {
    unsigned Around = static_cast<unsigned>(Latch - From.begin());
    B.CreateCondBr(Kept.isFirstRound(B, *L), Edges[1 - Around], Edges[Around]);
  } else if (From.size() == 2) {
    Value *Number = primal(CameFrom[Block]);
    Constant *First = ConstantInt::get(Number->getType(), 0);
    B.CreateCondBr(B.CreateICmpEQ(Number, First), Edges[0], Edges[1]);
  } else {
    Value *Number = primal(CameFrom[Block]);
    SwitchInst *Switch =
        B.CreateSwitch(Number, Edges[0], static_cast<unsigned>(From.size()));
    for (size_t I = 1; I != From.size(); ++I)
      Switch->addCase(cast<ConstantInt>(ConstantInt::get(Number->getType(), I)),
                      Edges[I]);
  }
  for (auto [Edge, Pred] : zip(Edges, From)) {
    B.SetInsertPoint(Edge);
    if (L && Pred == *Latch)
      Kept.goToRoundBefore(B, *L);
    undoPhis(Pred);
  }
}

void ReverseSweep::undoBlock() {
  B.SetInsertPoint(Reversed[Block]);
  for (Instruction *I : reverse(Own[Block]))
    undo(*I);
  leaveBlock();
}

/// The end of the function: back at its beginning.
void ReverseSweep::finish(ArrayRef<Argument *> Outs) {
  Value *All = PoisonValue::get(F.getReturnType());
  unsigned Next = 0;
  if (Value *V = Return.getReturnValue())
    All = B.CreateInsertValue(All, V, Next++);
  for (Argument *Out : Outs)
    for (unsigned Lane = 0; Lane != Width; ++Lane)
      All = B.CreateInsertValue(
          All, B.CreateLoad(Out->getType(), adjoint(Out, Lane)), Next++);
  if (Releases)
    B.CreateCall(releaseAllFunction(*F.getParent()), {Releases});
  End = F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(All);
}

bool ReverseSweep::build(ArrayRef<Value *> Seeds, ArrayRef<Argument *> Outs) {
  findUsedAtHome();
  numberPredecessors();
  for (BasicBlock *BB : Undone) {
    Block = BB;
    if (BB == &Exit && !Seeds.empty()) {
      B.SetInsertPoint(Reversed[BB]);
      for (unsigned Lane = 0; Lane != Width; ++Lane)
        add(Return.getReturnValue(), Lane, Seeds[Lane]);
    }
    undoBlock();
    if (BB == &F.getEntryBlock())
      finish(Outs);
  }
  if (Failed || Pointers.failed())
    return false;
  Kept.write(*End);
  deferReleases();
  IRBuilder<>(&Return).CreateBr(Reversed[&Exit]);
  Return.eraseFromParent();
  return true;
}

} // namespace ferry::ad
