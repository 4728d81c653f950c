//===- Panics.cpp - How a GPU thread ends with a report -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panic claims the launch's record by compare-and-swap on its state, fills it
// in and publishes it; who comes later only ends. All panics of a function meet
// in one block, which keeps the cold code small.
//
// In an entry to end is to return. In a function that was not inlined, NVIDIA's
// threads can exit; AMD's cannot, since the instruction for it ends a whole
// wave. There the function sets this thread's flag and returns, and so does
// every caller on the way up once it sees the flag.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "ferry/runtime.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <cstddef>

using namespace llvm;

namespace ferry {
namespace {

class PanicLowering {
public:
  PanicLowering(Module &M, FactSource &Source, GlobalVariable *Records,
                const GpuTarget &Gpu)
      : M(M), Source(Source), Records(Records), Gpu(Gpu) {}
  Error run();

private:
  Error lowerPanicsOf(Function &F, ArrayRef<CallInst *> Panics);
  void fillRecord(IRBuilder<> &B, Value *Record, Value *Site,
                  ArrayRef<PHINode *> Values);
  void endThread(IRBuilder<> &B, Function &F);
  void returnOnward(CallInst &Call);

  Module &M;
  FactSource &Source;
  GlobalVariable *Records;
  const GpuTarget &Gpu;
  bool NeedsUnwinding = false;
};

} // namespace

/// The block led to `unreachable`, which made it cold; now it leads on.
static void markUnlikely(BasicBlock &Cold) {
  MDBuilder Metadata(Cold.getContext());
  for (BasicBlock *Before : predecessors(&Cold)) {
    auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    Branch->setMetadata(LLVMContext::MD_prof,
                        Branch->getSuccessor(0) == &Cold
                            ? Metadata.createUnlikelyBranchWeights()
                            : Metadata.createLikelyBranchWeights());
  }
}

static void returnNothing(IRBuilder<> &B, Function &F) {
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(F.getReturnType()));
}

void PanicLowering::endThread(IRBuilder<> &B, Function &F) {
  if (Source.isEntry(F)) {
    B.CreateRetVoid();
  } else if (Gpu.endThread(B)) {
    B.CreateUnreachable();
  } else {
    B.CreateStore(B.getInt8(1), Source.endedFlag(B, Source.in(F)));
    returnNothing(B, F);
    NeedsUnwinding = true;
  }
}

void PanicLowering::fillRecord(IRBuilder<> &B, Value *Record, Value *Site,
                               ArrayRef<PHINode *> Values) {
  auto Store = [&](Value *V, size_t Offset) {
    B.CreateAlignedStore(
        V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, Offset),
        Align(V->getType()->getIntegerBitWidth() / 8));
  };
  Store(Site, offsetof(ferry_panic_record, site));
  for (unsigned D = 0; D != 3; ++D) {
    Store(Gpu.blockIdx(B, D),
          offsetof(ferry_panic_record, block) + D * sizeof(uint32_t));
    Store(Gpu.threadIdx(B, D),
          offsetof(ferry_panic_record, thread) + D * sizeof(uint32_t));
  }
  for (auto [I, V] : enumerate(Values))
    Store(V, offsetof(ferry_panic_record, values) + I * sizeof(uint64_t));
}

Error PanicLowering::lowerPanicsOf(Function &F, ArrayRef<CallInst *> Panics) {
  LLVMContext &Context = M.getContext();
  Value *Index = Source.in(F).PanicIndex;
  if (!Index || !Records)
    return createStringError("internal error: '" + F.getName() +
                             "' panics, which its kernel's record denies");
  BasicBlock *Meet = BasicBlock::Create(Context, "panic", &F);
  BasicBlock *Fill = BasicBlock::Create(Context, "panic.fill", &F);
  BasicBlock *End = BasicBlock::Create(Context, "panic.end", &F);

  IRBuilder<> B(Meet);
  PHINode *Site = B.CreatePHI(B.getInt32Ty(), Panics.size(), "site");
  SmallVector<PHINode *, 4> Values;
  for (unsigned I = 0; I != 4; ++I)
    Values.push_back(B.CreatePHI(B.getInt64Ty(), Panics.size(), "value"));
  for (CallInst *Panic : Panics) {
    BasicBlock *From = Panic->getParent();
    Site->addIncoming(Panic->getArgOperand(0), From);
    for (unsigned I = 0; I != 4; ++I)
      Values[I]->addIncoming(Panic->getArgOperand(1 + I), From);
    changeToUnreachable(Panic);
    From->getTerminator()->eraseFromParent();
    BranchInst::Create(Meet, From);
    markUnlikely(*From);
  }

  Type *Layout = ArrayType::get(B.getInt8Ty(), sizeof(ferry_panic_record));
  Value *Record = B.CreateInBoundsGEP(
      Layout, Records, B.CreateAnd(Index, B.getInt64(UINT32_MAX)), "record");
  Value *Generation =
      B.CreateTrunc(B.CreateLShr(Index, 32), B.getInt32Ty(), "generation");
  static_assert(offsetof(ferry_panic_record, state) == 0);
  LoadInst *Last = B.CreateAlignedLoad(B.getInt32Ty(), Record, Align(4));
  Last->setAtomic(AtomicOrdering::Monotonic);
  Value *Claim = B.CreateAtomicCmpXchg(Record, Last, Generation, Align(4),
                                       AtomicOrdering::AcquireRelease,
                                       AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateAnd(B.CreateICmpNE(Last, Generation),
                             B.CreateExtractValue(Claim, 1)),
                 Fill, End);

  B.SetInsertPoint(Fill);
  fillRecord(B, Record, Site, Values);
  B.CreateBr(End);

  B.SetInsertPoint(End);
  endThread(B, F);
  return Error::success();
}

/// Functions that may return because their thread has ended: those that panic
/// and those that call such a function. One that is called through a pointer
/// makes every such call suspect.
static SetVector<Function *> functionsThatUnwind(ArrayRef<Function *> Panicking,
                                                 bool &ThroughPointers) {
  SetVector<Function *> Unwinding(Panicking.begin(), Panicking.end());
  for (unsigned I = 0; I != Unwinding.size(); ++I) {
    ThroughPointers |= Unwinding[I]->hasAddressTaken();
    for (User *U : Unwinding[I]->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Unwinding.insert(Call->getFunction());
  }
  return Unwinding;
}

/// What is known about a result holds only when the function gets to its end.
static AttributeList withoutResult(LLVMContext &Context,
                                   AttributeList Attributes,
                                   unsigned Parameters) {
  AttributeMask Promises;
  for (Attribute A : Attributes.getRetAttrs())
    if (!A.isStringAttribute())
      Promises.addAttribute(A.getKindAsEnum());
  Attributes = Attributes.removeRetAttributes(Context, Promises);
  for (unsigned I = 0; I != Parameters; ++I)
    Attributes =
        Attributes.removeParamAttribute(Context, I, Attribute::Returned);
  return Attributes;
}

/// Returns at once when `Call` came back because the thread has ended.
void PanicLowering::returnOnward(CallInst &Call) {
  Function &F = *Call.getFunction();
  const LaunchFacts &Facts = Source.in(F);
  IRBuilder<> B(Call.getNextNode());
  Value *Ended = B.CreateICmpNE(
      B.CreateLoad(B.getInt8Ty(), Source.endedFlag(B, Facts)), B.getInt8(0));
  Instruction *Leave = SplitBlockAndInsertIfThen(Ended, B.GetInsertPoint(),
                                                 /*Unreachable=*/true);
  IRBuilder<> AtLeave(Leave);
  returnNothing(AtLeave, F);
  Leave->eraseFromParent();
}

Error PanicLowering::run() {
  Function *Panic = M.getFunction("__ferry_panic");
  if (!Panic)
    return Error::success();
  MapVector<Function *, SmallVector<CallInst *, 8>> Panics;
  for (User *U : Panic->users())
    Panics[cast<CallInst>(U)->getFunction()].push_back(cast<CallInst>(U));
  SmallVector<Function *, 8> OutOfLine;
  for (auto &[F, Calls] : Panics) {
    if (Error E = lowerPanicsOf(*F, Calls))
      return E;
    if (!Source.isEntry(*F))
      OutOfLine.push_back(F);
  }
  if (!NeedsUnwinding)
    return Error::success();

  bool ThroughPointers = false;
  SetVector<Function *> Unwinding =
      functionsThatUnwind(OutOfLine, ThroughPointers);
  SmallVector<CallInst *, 16> Suspects;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        Function *Callee = Call->getCalledFunction();
        if (Callee ? Unwinding.contains(Callee)
                   : ThroughPointers && !Call->isInlineAsm())
          Suspects.push_back(Call);
      }
  for (Function *F : Unwinding)
    F->setAttributes(
        withoutResult(M.getContext(), F->getAttributes(), F->arg_size()));
  for (CallInst *Call : Suspects) {
    Call->setAttributes(
        withoutResult(M.getContext(), Call->getAttributes(), Call->arg_size()));
    returnOnward(*Call);
  }
  return Error::success();
}

Error lowerPanics(Module &M, FactSource &Source, GlobalVariable *Records,
                  const GpuTarget &Gpu) {
  return PanicLowering(M, Source, Records, Gpu).run();
}

} // namespace ferry
