//===- ShadowMemory.cpp - Shadows of what memory holds, and of calls ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shadow memory is laid out as the memory that it is the shadow of, so what
// happens to one happens to the other at the same offset: loads, stores,
// copies, allocations. An integer that no active bytes went into is stored to
// the shadow as it is, which keeps sizes and indices in a shadow of a struct
// true; but for a constant that could as well be the bits of a number, which
// has the tangent 0.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Callees.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Rules.h"
#include "Autodiff/Shadows.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// What holds for the access to the shadow as well.
static void keepOnlyTypes(Instruction &I) {
  I.dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
}

void Shadows::visitLoad(LoadInst &I) {
  SmallVector<Value *, 1> Lanes;
  Behind B(I);
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    auto *Load = cast<LoadInst>(B.Insert(I.clone()));
    Load->setOperand(0, get(I.getPointerOperand(), Lane, I));
    keepOnlyTypes(*Load);
    Lanes.push_back(Load);
  }
  set(&I, Lanes);
}

/// Whether the integer constant, taken for a number, is one worth mention: its
/// exponent is not that of zero.
static bool looksLikeNumber(const ConstantInt &C) {
  switch (C.getBitWidth()) {
  case 16:
    return C.getValue().extractBitsAsZExtValue(5, 10);
  case 32:
    return C.getValue().extractBitsAsZExtValue(8, 23);
  case 64:
    return C.getValue().extractBitsAsZExtValue(11, 52);
  default:
    return !C.isZero() && C.getBitWidth() > 8;
  }
}

/// Whether the memory is one that the user called constant, or leads to.
static bool isGivenConstant(const Value &Pointer, unsigned Depth = 0) {
  SmallVector<const Value *> Bases;
  getUnderlyingObjects(&Pointer, Bases, nullptr, /*MaxLookup=*/0);
  return all_of(Bases, [&](const Value *Base) {
    if (auto *Load = dyn_cast<LoadInst>(Base))
      return Depth < 8 &&
             isGivenConstant(*Load->getPointerOperand(), Depth + 1);
    return isa<Argument, AllocaInst, ConstantPointerNull, UndefValue>(Base);
  });
}

void Shadows::visitStore(StoreInst &I) {
  Value *V = I.getValueOperand(), *P = I.getPointerOperand();
  if (!Active.contains(P)) {
    if (Active.contains(V) && !V->getType()->isIntOrIntVectorTy() &&
        !isGivenConstant(*P))
      refuseAt(I,
               "stores the active value " + describe(*V) + " in " +
                   describe(*P) + ", which has no shadow",
               "keep it in memory of the function or of an argument with a "
               "shadow");
    return;
  }
  if (What == Kind::Pointers && V->getType()->isIntOrIntVectorTy() &&
      Active.contains(V) && Types->mayBePartOfFloat(*P, V->getType()))
    return refuseAt(I,
                    "copies numbers to " + describe(*P) +
                        " as integers, maybe byte by byte",
                    "copy them as numbers, or by memcpy");
  // The length beside a pointer is that of the shadow as well.
  bool IsLength = What == Kind::Pointers && !has(V) &&
                  V->getType()->isIntOrIntVectorTy() &&
                  Types->holdsPointersOnly(*P);
  if (!carries(V->getType()) && !has(V) && !IsLength)
    return;
  Behind B(I);
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Value *Shadow;
    auto *C = dyn_cast<ConstantInt>(V);
    if (IsLength || (V->getType()->isIntegerTy() && !Active.contains(V)))
      Shadow =
          C && looksLikeNumber(*C) ? Constant::getNullValue(V->getType()) : V;
    else
      Shadow = get(V, Lane, I);
    auto *Store = cast<StoreInst>(B.Insert(I.clone()));
    Store->setOperand(0, Shadow);
    Store->setOperand(1, get(P, Lane, I));
    keepOnlyTypes(*Store);
  }
}

void Shadows::visitAtomic(AtomicRMWInst &I) {
  Value *P = I.getPointerOperand();
  Type *T = I.getType();
  if (!Active.contains(P) ||
      (T->isIntegerTy() && !Active.contains(I.getValOperand())))
    return;
  AtomicRMWInst::BinOp Op = I.getOperation();
  bool Linear = Op == AtomicRMWInst::FAdd || Op == AtomicRMWInst::FSub ||
                Op == AtomicRMWInst::Xchg;
  if (!Linear || What == Kind::Pointers)
    return refuseAt(I,
                    "changes " + describe(*P) + " atomically by " +
                        AtomicRMWInst::getOperationName(Op),
                    "use an atomic addition, or do it without atomics");
  SmallVector<Value *, 1> Lanes;
  Behind B(I);
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    auto *Shadow = cast<AtomicRMWInst>(B.Insert(I.clone()));
    Shadow->setOperand(0, get(P, Lane, I));
    Shadow->setOperand(1, get(I.getValOperand(), Lane, I));
    keepOnlyTypes(*Shadow);
    Lanes.push_back(Shadow);
  }
  set(&I, Lanes);
}

/// The forward sweep copies pointers; numbers are the reverse sweep's affair.
void Shadows::copyPointers(MemIntrinsic &I) {
  auto Parts = Types->segments(I);
  if (!Parts)
    return refuseAt(I,
                    "moves a block of memory, and it cannot be told what "
                    "numbers are in it",
                    "copy the elements in a loop");
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  Behind B(I);
  for (const Segment &Part : *Parts) {
    if (!Part.Scalar->isPointerTy())
      continue;
    for (unsigned Lane = 0; Lane != Width; ++Lane) {
      Value *To = B.CreateConstGEP1_64(
          B.getInt8Ty(), get(I.getRawDest(), Lane, I), Part.Offset);
      Value *Source = Copy ? Copy->getRawSource() : nullptr;
      if (!Source || !(Active.contains(Source) || isa<Constant>(Source))) {
        B.CreateMemSet(To, B.getInt8(0), Part.Bytes, MaybeAlign());
        continue;
      }
      Value *From = B.CreateConstGEP1_64(B.getInt8Ty(), get(Source, Lane, I),
                                         Part.Offset);
      if (isa<MemMoveInst>(Copy))
        B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), Part.Bytes);
      else
        B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Part.Bytes);
    }
  }
}

/// memcpy, memmove and memset.
void Shadows::visitMemory(CallBase &Call) {
  auto &I = cast<MemIntrinsic>(Call);
  if (!Active.contains(I.getRawDest())) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    if (Copy && Active.contains(Copy->getRawSource()) &&
        !isGivenConstant(*I.getRawDest()))
      refuseAt(I,
               "copies " + describe(*Copy->getRawSource()) + " to " +
                   describe(*I.getRawDest()) + ", which has no shadow",
               "copy to memory of the function or of an argument with a "
               "shadow");
    return;
  }
  if (What == Kind::Pointers)
    return copyPointers(I);
  Behind B(I);
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Value *Dest = get(I.getRawDest(), Lane, I);
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    Value *Source = Copy ? Copy->getRawSource() : nullptr;
    // A global constant has a shadow, with pointers where it has pointers.
    bool HasShadow =
        Source && (Active.contains(Source) || isa<Constant>(Source));
    if (!HasShadow) {
      B.CreateMemSet(Dest, B.getInt8(0), I.getLength(), I.getDestAlign());
      continue;
    }
    auto *Shadow = cast<MemTransferInst>(B.Insert(I.clone()));
    Shadow->setDest(Dest);
    Shadow->setSource(get(Source, Lane, I));
    keepOnlyTypes(*Shadow);
  }
}

//===----------------------------------------------------------------------===//
// The heap
//===----------------------------------------------------------------------===//

/// Shadows are allocated the way that the memory is, so that what the program
/// frees both with is right for both.
void Shadows::visitAllocation(CallBase &I) {
  if (!has(&I))
    return;
  Function *Allocator = calledFunction(I);
  SmallVector<Value *> Arguments(I.args());
  SmallVector<Value *, 1> Lanes;
  Behind B(I);
  unsigned SizeArgument = Allocator->getName() == "aligned_alloc" ? 1 : 0;
  bool Grows = Allocator->getName() == "realloc";
  if (Grows && What == Kind::Pointers)
    return refuseAt(I, "calls realloc", "allocate a new block and copy to it");
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    if (Grows)
      Arguments[0] = get(I.getArgOperand(0), Lane, I);
    CallInst *Shadow = B.CreateCall(Allocator, Arguments);
    Shadow->setAttributes(I.getAttributes());
    if (Allocator->getName() != "calloc" && !Grows)
      B.CreateMemSet(Shadow, B.getInt8(0), Arguments[SizeArgument],
                     MaybeAlign());
    Lanes.push_back(Shadow);
  }
  set(&I, Lanes);
}

void Shadows::visitRelease(CallBase &I) {
  // The reverse sweep still needs them, and releases them itself.
  if (!Active.contains(I.getArgOperand(0)) || What == Kind::Pointers)
    return;
  SmallVector<Value *> Arguments(I.args());
  Behind B(I);
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Arguments[0] = get(I.getArgOperand(0), Lane, I);
    B.CreateCall(calledFunction(I), Arguments);
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Shadows::visitCall(CallBase &I) {
  switch (classify(I)) {
  case Callee::Rule:
    if (has(&I))
      applyRuleTo(I);
    return;
  case Callee::Inactive:
    return;
  case Callee::Memory:
    return visitMemory(I);
  case Callee::Allocation:
    return visitAllocation(I);
  case Callee::Release:
    return visitRelease(I);
  case Callee::Defined:
    return visitDefined(I, *calledFunction(I));
  case Callee::Unknown:
    break;
  }
  const auto *Given =
      find_if(I.args(), [&](const Use &U) { return Active.contains(U.get()); });
  // Integers are no reason to refuse: their bytes are not looked at.
  bool Matters = any_of(I.args(), [&](const Use &U) {
    return Active.contains(U.get()) && !U->getType()->isIntOrIntVectorTy();
  });
  if (!Matters)
    return;
  if (isa<IntrinsicInst>(I))
    return visitIntrinsic(I);
  if (I.isInlineAsm())
    return refuseAt(I, "inline assembly reads " + describe(**Given),
                    "use the C or C++ function for it");
  if (!calledFunction(I))
    return refuseAt(
        I, "calls a function through a pointer with " + describe(**Given),
        "call it by name");
  refuseAt(I,
           "gives " + describe(**Given) + " to '" +
               calledFunction(I)->getName() + "', whose body is not known here",
           "define it in this file, or pass what it gets with enzyme_const");
}

/// Intrinsics on vectors that Rules.def has no line for.
void Shadows::visitIntrinsic(CallBase &I) {
  auto &Call = cast<IntrinsicInst>(I);
  if (Call.getIntrinsicID() == Intrinsic::vector_reduce_fadd) {
    if (!has(&I))
      return;
    SmallVector<Value *, 1> Lanes;
    Behind B(I);
    for (unsigned Lane = 0; Lane != Width; ++Lane)
      Lanes.push_back(B.CreateFAddReduce(get(I.getArgOperand(0), Lane, I),
                                         get(I.getArgOperand(1), Lane, I)));
    return set(&I, Lanes);
  }
  refuseAt(I, "'" + calledFunction(I)->getName() + "' has no derivative here",
           "write it with operations that have one");
}

/// A call of the callee's derivative before `I`. Parameters that are active,
/// and of a type that has shadows here, are followed by them.
CallBase *Shadows::callInstead(CallBase &I, Function &Derivative,
                               const Signature &S) {
  SmallVector<Value *> Arguments;
  SmallVector<AttributeSet> Attributes;
  AttributeList Wanted = Derivative.getAttributes();
  for (const auto &[Index, U] : enumerate(I.args())) {
    Attributes.push_back(Wanted.getParamAttrs(Arguments.size()));
    Arguments.push_back(U.get());
    bool HasShadows = S.Active[Index] && carries(U->getType());
    for (unsigned Lane = 0; HasShadows && Lane != Width; ++Lane) {
      Attributes.push_back(Wanted.getParamAttrs(Arguments.size()));
      Arguments.push_back(get(U.get(), Lane, I));
    }
  }
  IRBuilder<> B(&I);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&I))
    New = B.CreateInvoke(&Derivative, Invoke->getNormalDest(),
                         Invoke->getUnwindDest(), Arguments);
  else
    New = B.CreateCall(&Derivative, Arguments);
  New->setAttributes(AttributeList::get(F.getContext(), AttributeSet(),
                                        AttributeSet(), Attributes));
  New->setDebugLoc(I.getDebugLoc());
  return New;
}

/// The forward sweep of the callee; the reverse sweep will call the other half.
void Shadows::callSplit(CallBase &I, const Signature &S) {
  bool ActiveReturn = containsFloat(I.getType()) && Active.contains(&I);
  const SplitDerivative *D = E.split(S, ActiveReturn, has(&I));
  if (!D) {
    Failed = true;
    return;
  }
  SplitCall Made;
  Made.Derivative = D;
  unsigned Operand = 0;
  for (const auto &[Index, U] : enumerate(I.args())) {
    bool IsActive = S.Active[Index];
    Made.Operands.emplace_back(Operand,
                               IsActive && containsFloat(U->getType()));
    Operand += 1 + (IsActive && carries(U->getType()) ? Width : 0);
  }
  CallBase *New = Made.Call = callInstead(I, *D->Forward, S);
  Behind After(isa<InvokeInst>(I) ? *New : I);
  Instruction *Result = New;
  unsigned Next = 0;
  if (!I.getType()->isVoidTy())
    Result = cast<Instruction>(After.CreateExtractValue(New, Next++));
  SmallVector<Value *, 1> Lanes;
  for (unsigned Lane = 0; Lane != D->ShadowsReturned; ++Lane)
    Lanes.push_back(After.CreateExtractValue(New, Next++));
  if (!Lanes.empty())
    set(&I, Lanes);
  Made.Frame = After.CreateExtractValue(New, Next);
  Splits[Result] = std::move(Made);
  Instead[&I] = Result;
  Replaced.emplace_back(&I, I.getType()->isVoidTy() ? nullptr : Result);
}

/// A call of the callee's derivative, in the place of the call.
void Shadows::visitDefined(CallBase &I, Function &Callee) {
  Signature S{&Callee, {}, Width};
  bool Any = has(&I);
  for (const Use &U : I.args()) {
    bool IsActive = Active.contains(U.get());
    Any |= IsActive;
    // The reverse sweep has no use for integers.
    S.Active.push_back(IsActive &&
                       (carries(U->getType()) || containsFloat(U->getType())));
  }
  if (!Any && !E.globals().isNamedIn(Callee))
    return;
  if (Callee.isVarArg())
    return refuseAt(I, "calls '" + Callee.getName() + "', which takes '...'",
                    "give it fixed parameters");
  if (What == Kind::Pointers)
    return callSplit(I, S);
  Function *Derivative = E.forward(S);
  if (!Derivative) {
    Failed = true;
    return;
  }
  CallBase *New = callInstead(I, *Derivative, S);
  if (!mayCarry(I.getType())) {
    Replaced.emplace_back(&I, I.getType()->isVoidTy() ? nullptr : New);
    return;
  }
  Behind After(isa<InvokeInst>(I) ? *New : I);
  Value *Primal = After.CreateExtractValue(New, 0);
  SmallVector<Value *, 1> Lanes;
  for (unsigned Lane = 0; Lane != Width; ++Lane)
    Lanes.push_back(After.CreateExtractValue(New, Lane + 1));
  set(&I, Lanes);
  Replaced.emplace_back(&I, Primal);
}

} // namespace ferry::ad
