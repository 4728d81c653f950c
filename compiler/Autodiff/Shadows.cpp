//===- Shadows.cpp - The shadow of every active value ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each active value gets, right behind it, a value of the same type per lane:
//
//   a number             its tangent, by the rule of its operation
//   a pointer            a pointer to the shadow of what it points to, by the
//                        same address arithmetic on the shadow of its base
//   an integer           the same bytes of the shadow it was cut from
//   vector, aggregate    element by element
//
// What is inactive has the shadow of a constant: zero, or for a pointer to a
// constant global variable, a global variable of zeros.
//
// Blocks are visited in an order in which definitions come before uses; phis
// alone refer forward and are filled at the end.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Shadows.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Rules.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// What has a shadow
//===----------------------------------------------------------------------===//

bool Shadows::carries(const Type *T) const {
  return What == Kind::Tangents ? mayCarry(T) : containsPointer(T);
}

/// Whether `V` is loaded as an integer from memory of pointers, and may be one:
/// structs are swapped and moved word by word.
bool Shadows::mayBePointer(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && What == Kind::Pointers &&
         Load->getType()->isIntOrIntVectorTy() &&
         Types->holdsPointersOnly(*Load->getPointerOperand());
}

bool Shadows::has(const Value *V) const {
  return (carries(V->getType()) || mayBePointer(V)) && Active.contains(V);
}

void Shadows::refuseAt(Instruction &I, const Twine &Text, const Twine &Advice) {
  Failed = true;
  refuse(I, Text, Advice);
}

/// Whether `V` is computed from the null pointer alone, as the end of an empty
/// array is. It is its own shadow.
static bool isBasedOnNull(const Value &V) {
  SmallVector<const Value *> Bases;
  getUnderlyingObjects(&V, Bases, nullptr, /*MaxLookup=*/0);
  return all_of(Bases, [](const Value *Base) {
    return isa<ConstantPointerNull, UndefValue>(Base);
  });
}

Value *Shadows::get(Value *V, unsigned Lane, Instruction &User) {
  if (auto Found = Known.find(V); Found != Known.end())
    return Found->second[Lane];
  if (auto *C = dyn_cast<Constant>(V))
    return E.shadowConstant(
        *C, Lane, What == Kind::Tangents ? Mode::Forward : Mode::Reverse);
  // A refused instruction has none.
  if (has(V) && Failed)
    return PoisonValue::get(V->getType());
  if (V->getType()->isPointerTy() && isBasedOnNull(*V))
    return V;
  // Memory without numbers has a shadow that nobody looks at.
  if (V->getType()->isPointerTy() && What == Kind::Pointers &&
      isa<PHINode, SelectInst>(User) && Types->holdsIntegersOnly(*V))
    return Constant::getNullValue(V->getType());
  if (containsPointer(V->getType()))
    refuseAt(User,
             "memory that is differentiated meets the constant pointer " +
                 describe(*V),
             "pass it with a shadow instead of enzyme_const");
  return Constant::getNullValue(V->getType());
}

Behind::Behind(Instruction &I) : IRBuilder<>(&I) {
  if (auto *Invoke = dyn_cast<InvokeInst>(&I)) {
    BasicBlock *Next = Invoke->getNormalDest();
    SetInsertPoint(Next, Next->getFirstInsertionPt());
  } else {
    SetInsertPoint(I.getParent(), std::next(I.getIterator()));
  }
  SetCurrentDebugLocation(I.getDebugLoc());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The same instruction on the shadows of these operands.
void Shadows::mirror(Instruction &I, ArrayRef<unsigned> Operands) {
  SmallVector<Value *, 1> Lanes;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Instruction *Copy = I.clone();
    if (!isa<GetElementPtrInst>(I))
      Copy->dropPoisonGeneratingFlags();
    for (unsigned Op : Operands)
      Copy->setOperand(Op, get(I.getOperand(Op), Lane, I));
    Behind(I).Insert(Copy);
    Lanes.push_back(Copy);
  }
  set(&I, Lanes);
}

/// Sums up what each active operand contributes.
void Shadows::applyRuleTo(Instruction &I) {
  const Rule &R = *findRule(I);
  SmallVector<Value *, 1> Lanes;
  Behind B(I);
  FastMathFlags Flags = I.getFastMathFlags();
  FastMathFlags Kept;
  Kept.setAllowContract(Flags.allowContract());
  Kept.setAllowReassoc(Flags.allowReassoc());
  B.setFastMathFlags(Kept);
  auto Read = [&](unsigned Index) -> Value * {
    return Index == ResultOfRule ? &I : I.getOperand(Index);
  };
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Value *Sum = nullptr;
    for (unsigned Op = 0; Op != operandCount(R); ++Op) {
      if (!has(I.getOperand(Op)))
        continue;
      Value *Part = applyRule(R, Op, B, get(I.getOperand(Op), Lane, I), Read);
      Sum = Sum ? B.CreateFAdd(Sum, Part) : Part;
    }
    Lanes.push_back(Sum ? Sum : Constant::getNullValue(I.getType()));
  }
  set(&I, Lanes);
}

void Shadows::visitPhi(PHINode &Phi) {
  SmallVector<Value *, 1> Lanes;
  IRBuilder<> B(&Phi);
  for (unsigned Lane = 0; Lane != Width; ++Lane)
    Lanes.push_back(B.CreatePHI(Phi.getType(), Phi.getNumIncomingValues()));
  set(&Phi, Lanes);
}

void Shadows::fillPhis() {
  for (BasicBlock &BB : F)
    for (PHINode &Phi : BB.phis()) {
      auto Found = Known.find(&Phi);
      if (Found == Known.end())
        continue;
      for (unsigned Lane = 0; Lane != Width; ++Lane) {
        auto *Shadow = cast<PHINode>(Found->second[Lane]);
        for (auto [From, V] : zip(Phi.blocks(), Phi.incoming_values()))
          Shadow->addIncoming(get(V, Lane, Phi), From);
        // The map may have grown.
        Found = Known.find(&Phi);
      }
    }
}

/// Whether arithmetic made `V` out of the bits of an active number.
static bool computedFromBits(const Value &V, const ActiveValues &Active) {
  SmallVector<const Value *> Work{&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isa<BitCastInst>(I) && containsFloat(I->getOperand(0)->getType()) &&
        Active.contains(I->getOperand(0)))
      return true;
    if (isa<BinaryOperator, CastInst, PHINode, SelectInst, FreezeInst>(I) ||
        isa<IntrinsicInst>(I))
      for (const Use &U : I->operands())
        Work.push_back(U.get());
  }
  return false;
}

/// A number or a pointer that is made from an integer.
void Shadows::visitFromInteger(Instruction &I) {
  Value *From = I.getOperand(0);
  if (Active.contains(From)) {
    if (What == Kind::Tangents)
      return mirror(I, 0u);
    bool Pointer = containsPointer(I.getType());
    return refuseAt(I,
                    Twine("makes a ") + (Pointer ? "pointer" : "number") +
                        " of the integer " + describe(*From),
                    Pointer ? "keep pointers in variables of pointer type"
                            : "keep numbers in variables of their type");
  }
  if (computedFromBits(*From, Active))
    refuseAt(I,
             "makes a number of " + describe(*From) +
                 ", which is computed from the bits of an active number",
             "use functions of <math.h> such as fabs, copysign or ldexp");
}

void Shadows::visitAlloca(AllocaInst &I) {
  if (What == Kind::Pointers && !I.isStaticAlloca())
    return refuseAt(I, "has the variable-length array " + describe(I),
                    "allocate it on the heap");
  SmallVector<Value *, 1> Lanes;
  Behind B(I);
  const DataLayout &DL = F.getDataLayout();
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    auto *Shadow = cast<AllocaInst>(B.Insert(I.clone()));
    Value *Size = B.getInt64(DL.getTypeAllocSize(I.getAllocatedType()));
    if (I.isArrayAllocation())
      Size = B.CreateMul(Size,
                         B.CreateZExtOrTrunc(I.getArraySize(), B.getInt64Ty()));
    B.CreateMemSet(Shadow, B.getInt8(0), Size, I.getAlign());
    Lanes.push_back(Shadow);
  }
  set(&I, Lanes);
}

//===----------------------------------------------------------------------===//
// All instructions
//===----------------------------------------------------------------------===//

void Shadows::visit(Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return visitStore(*Store);
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return visitAtomic(*Atomic);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (I.getType()->isX86_FP80Ty() || I.getType()->isPPC_FP128Ty()) {
    if (Active.contains(&I))
      refuseAt(I, "computes " + describe(I) + " as a long double",
               "use double");
    return;
  }
  // Before the question of activity: the answer is a refusal where an active
  // number's bits went through arithmetic.
  if (isa<BitCastInst, IntToPtrInst>(I) &&
      I.getOperand(0)->getType()->isIntOrIntVectorTy() &&
      !I.getType()->isIntOrIntVectorTy())
    return visitFromInteger(I);
  if (!has(&I))
    return;
  if (findRule(I))
    return applyRuleTo(I);
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return visitPhi(cast<PHINode>(I));
  case Instruction::Alloca:
    return visitAlloca(cast<AllocaInst>(I));
  case Instruction::Load:
    return visitLoad(cast<LoadInst>(I));
  case Instruction::Select:
    return mirror(I, {1, 2});
  case Instruction::InsertElement:
  case Instruction::InsertValue:
  case Instruction::ShuffleVector:
  case Instruction::Or:
    return mirror(I, {0, 1});
  case Instruction::AtomicCmpXchg:
    // The struct that comes out holds an integer or a pointer.
    return refuseAt(I, "compares and exchanges memory that is differentiated",
                    "use an atomic addition, or enzyme_const");
  default:
    // Casts, address arithmetic, extractions and moves of bytes.
    return mirror(I, 0u);
  }
}

bool Shadows::build() {
  SmallVector<InvokeInst *> Invokes;
  for (Instruction &I : instructions(F))
    if (auto *Invoke = dyn_cast<InvokeInst>(&I))
      if (!Invoke->getNormalDest()->getSinglePredecessor())
        Invokes.push_back(Invoke);
  for (InvokeInst *Invoke : Invokes)
    SplitEdge(Invoke->getParent(), Invoke->getNormalDest());

  // Of the function as it is: shadows have no shadows.
  SmallVector<Instruction *> Order;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    if (!isLost(*BB))
      for (Instruction &I : *BB)
        Order.push_back(&I);
  for (Instruction *I : Order)
    visit(*I);
  fillPhis();
  for (auto [Call, Result] : Replaced) {
    if (Result) {
      if (auto Found = Known.find(Call); Found != Known.end())
        set(Result, SmallVector<Value *, 1>(Found->second));
      Call->replaceAllUsesWith(Result);
    }
    // Others may still ask for it, and must not take another for it.
    Call->dropAllReferences();
    Call->removeFromParent();
  }
  return !Failed;
}

Shadows::~Shadows() {
  for (auto [Call, Result] : Replaced)
    if (!Call->getParent())
      Call->deleteValue();
}

} // namespace ferry::ad
