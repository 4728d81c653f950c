//===- Unreached.cpp - Arguments whose gradient is zero -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gradient that is zero for all inputs is most often a mistake: a number went
// through an integer, or the wrong argument is differentiated. Each argument is
// made the only active one; if then neither the result nor anything that is
// stored outside of the function's own memory is active, the user is told.
//
// Nobody is told of memory that the function writes: that is a result. Where
// the front end has put all arguments into one tuple, what is loaded from it
// stands for them.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Unreached.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Prepare.h"
#include "Autodiff/Refusal.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry::ad {

/// Whether `Pointer` leads to memory of the function's own. What is stored
/// there is followed on.
static bool isOwn(const Value &Pointer) {
  const Value *Base = getUnderlyingObject(&Pointer, /*MaxLookup=*/0);
  if (auto *Call = dyn_cast<CallBase>(Base))
    return classify(*Call) == Callee::Allocation;
  return isa<AllocaInst>(Base);
}

/// Whether `I` hands something active on to where the function's caller, or
/// something unknown, can see it.
static bool handsOn(const Instruction &I, const ActiveValues &Active) {
  if (auto *Return = dyn_cast<ReturnInst>(&I))
    return Return->getReturnValue() &&
           Active.contains(Return->getReturnValue());
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return !isOwn(*Store->getPointerOperand()) &&
           (Active.contains(Store->getValueOperand()) ||
            Active.contains(Store->getPointerOperand()));
  if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    auto *Copy = dyn_cast<MemTransferInst>(Memory);
    return !isOwn(*Memory->getRawDest()) &&
           (Active.contains(Memory->getRawDest()) ||
            (Copy && Active.contains(Copy->getRawSource())));
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call) {
    Callee Kind = classify(*Call);
    if (Kind == Callee::Rule || Kind == Callee::Inactive ||
        Kind == Callee::Allocation || Kind == Callee::Release)
      return false;
  }
  return (Call || I.isAtomic()) && any_of(I.operands(), [&](const Use &U) {
           return Active.contains(U.get());
         });
}

static bool reaches(Function &F, ArrayRef<bool> Arguments,
                    ArrayRef<const Value *> Roots,
                    const ActiveGlobals &Globals) {
  ActiveValues Active(F, Arguments, Globals, Roots);
  return any_of(F, [&](const BasicBlock &BB) {
    return !isLost(BB) &&
           any_of(BB, [&](const Instruction &I) { return handsOn(I, Active); });
  });
}

/// What is loaded from the tuple that `A` leads to, by its offset. Nothing if
/// the tuple is used in another way.
static MapVector<int64_t, SmallVector<const Value *, 2>>
membersOf(const Argument &A) {
  MapVector<int64_t, SmallVector<const Value *, 2>> Members;
  const DataLayout &DL = A.getParent()->getDataLayout();
  SmallVector<const Value *> Pointers{&A};
  for (size_t N = 0; N != Pointers.size(); ++N)
    for (const User *U : Pointers[N]->users()) {
      if (isa<GetElementPtrInst>(U)) {
        Pointers.push_back(U);
        continue;
      }
      auto *Load = dyn_cast<LoadInst>(U);
      APInt Offset(64, 0);
      if (!Load || Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
                       DL, Offset, /*AllowNonInbounds=*/true) != &A)
        return {};
      Members[Offset.getSExtValue()].push_back(Load);
    }
  return Members;
}

std::vector<std::string> unreachedArguments(Function &F, ArrayRef<bool> Active,
                                            const ActiveGlobals &Globals) {
  std::vector<std::string> Names;
  bool OfFrontEnd = isPlumbing(userName(F.getName().split(".ferry.").first));
  for (Argument &A : F.args()) {
    if (!Active[A.getArgNo()])
      continue;
    SmallVector<bool> Only(F.arg_size());
    if (OfFrontEnd) {
      for (auto &[Offset, Loads] : membersOf(A)) {
        bool Matters = mayCarry(Loads.front()->getType()) &&
                       !Loads.front()->getType()->isIntegerTy();
        std::string Name = describe(*Loads.front());
        if (Matters && StringRef(Name).starts_with("'") &&
            !reaches(F, Only, Loads, Globals))
          Names.push_back(Name);
      }
      continue;
    }
    Only[A.getArgNo()] = true;
    if (!reaches(F, Only, {}, Globals))
      Names.push_back(A.getName().empty() && describe(A) == "an argument"
                          ? "argument " + std::to_string(A.getArgNo() + 1)
                          : describe(A));
  }
  return Names;
}

} // namespace ferry::ad
