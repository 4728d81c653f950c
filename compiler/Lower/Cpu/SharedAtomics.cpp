//===- SharedAtomics.cpp - Atomics that only one host thread sees ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block's shared memory belongs to the host thread that runs the block, so
// atomics on it need no lock prefix: its threads take turns. Relaxed loads and
// stores become plain at once, for the vectoriser's sake. Read-modify-write
// operations stay until threads have been vectorised, since lanes of a vector
// do not take turns unless the operation says so.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace ferry {

static constexpr StringLiteral BlockMemory = "ferry-block-memory";

void markBlockMemory(Argument &A) {
  A.addAttr(Attribute::get(A.getContext(), BlockMemory));
}

static bool isBlockMemory(const Value *Pointer) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [](const Value *Object) {
    auto *A = dyn_cast<Argument>(Object);
    return A && A->getParent()->getAttributes().hasParamAttr(A->getArgNo(),
                                                             BlockMemory);
  });
}

void relaxSharedAccesses(Function &Loops) {
  for (Instruction &I : instructions(Loops)) {
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->getOrdering() == AtomicOrdering::Monotonic &&
        isBlockMemory(Load->getPointerOperand()))
      Load->setAtomic(AtomicOrdering::NotAtomic);
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && Store->getOrdering() == AtomicOrdering::Monotonic &&
        isBlockMemory(Store->getPointerOperand()))
      Store->setAtomic(AtomicOrdering::NotAtomic);
  }
}

void lowerSharedAtomics(Function &Loops) {
  for (Instruction &I : make_early_inc_range(instructions(Loops))) {
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
      if (isBlockMemory(Update->getPointerOperand()))
        lowerAtomicRMWInst(Update);
    } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
      if (isBlockMemory(Exchange->getPointerOperand()))
        lowerAtomicCmpXchgInst(Exchange);
    }
  }
}

} // namespace ferry
