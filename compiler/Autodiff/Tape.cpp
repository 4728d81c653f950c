//===- Tape.cpp - What the reverse sweep needs of the forward sweep
//-----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sweeps are one function, so a value that is computed once, on every way
// through the function, is simply used. One of a block that runs at most once
// goes into a local variable. What a block in a loop computes goes on a stack:
//
//   forward    at the end of the block its record is pushed: all values that
//              undoing it will need, side by side
//   reverse    what undoes the block reads below the top, then pops
//
// The reverse sweep undoes blocks in the opposite order, so the record on top
// is always the right one, however the blocks followed each other: loops whose
// length nobody knows, jumps into loops, all are the same. A record is of a
// size that is known; there is one check for room per block and none to pop.
// The stack grows by doubling.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Tape.h"
#include "llvm/ADT/GenericCycleInfo.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::ad {

Tape::Tape(Function &F, BasicBlock &Exit) : F(F), Exit(Exit), Dominators(F) {
  // Cycles of all kinds, also those that are entered in several places.
  CycleInfo Cycles;
  Cycles.compute(F);
  for (BasicBlock &BB : F)
    if (Cycles.getCycle(&BB))
      Repeated.insert(&BB);
}

Value *Tape::read(Value *V, BasicBlock &Block, BasicBlock &Reversed) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  // What an invoke returns is there behind it.
  auto *Invoke = dyn_cast<InvokeInst>(I);
  BasicBlock *Home = Invoke ? Invoke->getNormalDest() : I->getParent();
  if (Repeated.contains(Home))
    return Repeated.contains(&Block) ? readRecord(V, Block, Reversed)
                                     : readSlot(V, &Block, Reversed);
  return Dominators.dominates(Home, &Exit) ? V : readSlot(V, Home, Reversed);
}

/// The value that `V` has at the end of `At`, which runs once at most.
Value *Tape::readSlot(Value *V, BasicBlock *At, BasicBlock &Reversed) {
  AllocaInst *&Slot = Slots[{V, At}];
  if (!Slot) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Slot = AtEntry.CreateAlloca(V->getType());
  }
  Value *&Load = SlotLoads[{V, &Reversed}];
  if (!Load)
    Load =
        IRBuilder<>(&Reversed, Reversed.begin()).CreateLoad(V->getType(), Slot);
  return Load;
}

Value *Tape::readRecord(Value *V, BasicBlock &Block, BasicBlock &Reversed) {
  if (!Top) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Value *Null = ConstantPointerNull::get(AtEntry.getPtrTy());
    for (AllocaInst **Variable : {&Base, &Top, &Limit}) {
      *Variable = AtEntry.CreateAlloca(AtEntry.getPtrTy());
      AtEntry.CreateStore(Null, *Variable);
    }
  }
  Record &R = Records[&Block];
  Value *&Load = R.Loads[V];
  if (Load)
    return Load;
  if (!R.End)
    R.End = IRBuilder<>(&Reversed, Reversed.begin())
                .CreateLoad(PointerType::get(F.getContext(), 0), Top);
  const DataLayout &DL = F.getDataLayout();
  R.Size += alignTo(DL.getTypeStoreSize(V->getType()), 8);
  R.Places[V] = R.Size;
  IRBuilder<> B(&Reversed, std::next(R.End->getIterator()));
  Value *At = B.CreatePtrAdd(R.End, B.getInt64(-static_cast<int64_t>(R.Size)));
  Load = B.CreateAlignedLoad(V->getType(), At, Align(8));
  return Load;
}

void Tape::pop(IRBuilderBase &B, BasicBlock &Block) {
  auto *Found = Records.find(&Block);
  if (Found == Records.end())
    return;
  Record &R = Found->second;
  B.CreateStore(
      B.CreatePtrAdd(R.End, B.getInt64(-static_cast<int64_t>(R.Size))), Top);
}

/// {base, top, limit} grow(base, top, limit, bytes): room for `bytes` more.
static Function *growFunction(Module &M) {
  if (Function *F = M.getFunction("ferry.tape.grow"))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::get(C, 0), *I64 = Type::getInt64Ty(C);
  Type *Stack = StructType::get(Ptr, Ptr, Ptr);
  auto *F =
      Function::Create(FunctionType::get(Stack, {Ptr, Ptr, Ptr, I64}, false),
                       GlobalValue::InternalLinkage, "ferry.tape.grow", &M);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  auto *Entry = BasicBlock::Create(C, "", F);
  auto *Good = BasicBlock::Create(C, "", F),
       *Bad = BasicBlock::Create(C, "", F);
  IRBuilder<> B(Entry);
  Value *Begin = B.CreatePtrToInt(F->getArg(0), I64);
  Value *Used = B.CreateSub(B.CreatePtrToInt(F->getArg(1), I64), Begin);
  Value *Have = B.CreateSub(B.CreatePtrToInt(F->getArg(2), I64), Begin);
  Value *Need = B.CreateAdd(Used, F->getArg(3));
  Value *Size = B.CreateBinaryIntrinsic(
      Intrinsic::umax, B.CreateMul(Have, B.getInt64(2)), B.getInt64(4096));
  Size = B.CreateBinaryIntrinsic(Intrinsic::umax, Size, Need);
  FunctionCallee Realloc = M.getOrInsertFunction("realloc", Ptr, Ptr, I64);
  Value *New = B.CreateCall(Realloc, {F->getArg(0), Size});
  B.CreateCondBr(B.CreateIsNull(New), Bad, Good);
  B.SetInsertPoint(Bad);
  B.CreateIntrinsic(Intrinsic::trap, {});
  B.CreateUnreachable();
  B.SetInsertPoint(Good);
  Value *All = PoisonValue::get(Stack);
  All = B.CreateInsertValue(All, New, 0);
  All = B.CreateInsertValue(All, B.CreatePtrAdd(New, Used), 1);
  All = B.CreateInsertValue(All, B.CreatePtrAdd(New, Size), 2);
  B.CreateRet(All);
  return F;
}

void Tape::push(BasicBlock &Block, Record &R) {
  Instruction *End = Block.getTerminator();
  IRBuilder<> B(End);
  Type *Ptr = B.getPtrTy();
  Value *OldTop = B.CreateLoad(Ptr, Top);
  Value *Room =
      B.CreateSub(B.CreatePtrToInt(B.CreateLoad(Ptr, Limit), B.getInt64Ty()),
                  B.CreatePtrToInt(OldTop, B.getInt64Ty()));
  Instruction *Grow = SplitBlockAndInsertIfThen(
      B.CreateICmpULT(Room, B.getInt64(R.Size)), End->getIterator(), false);
  B.SetInsertPoint(Grow);
  Value *New = B.CreateCall(growFunction(*F.getParent()),
                            {B.CreateLoad(Ptr, Base), OldTop,
                             B.CreateLoad(Ptr, Limit), B.getInt64(R.Size)});
  B.CreateStore(B.CreateExtractValue(New, 0), Base);
  B.CreateStore(B.CreateExtractValue(New, 1), Top);
  B.CreateStore(B.CreateExtractValue(New, 2), Limit);
  B.SetInsertPoint(End);
  Value *NewTop = B.CreatePtrAdd(B.CreateLoad(Ptr, Top), B.getInt64(R.Size));
  for (auto [V, Place] : R.Places)
    B.CreateAlignedStore(
        V, B.CreatePtrAdd(NewTop, B.getInt64(-static_cast<int64_t>(Place))),
        Align(8));
  B.CreateStore(NewTop, Top);
}

void Tape::write() {
  for (auto [Key, Slot] : Slots)
    IRBuilder<>(Key.second->getTerminator()).CreateStore(Key.first, Slot);
  for (auto &[Block, R] : Records)
    push(*Block, R);
}

void Tape::release(IRBuilderBase &B) {
  if (!Base)
    return;
  FunctionCallee Free =
      F.getParent()->getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy());
  B.CreateCall(Free, {B.CreateLoad(B.getPtrTy(), Base)});
}

} // namespace ferry::ad
