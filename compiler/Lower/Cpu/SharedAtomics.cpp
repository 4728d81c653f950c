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
static constexpr StringLiteral UpdateMark = "ferry.shared.update";

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

bool isSharedUpdate(const Instruction &I) {
  if (I.hasMetadata(UpdateMark))
    return true;
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isBlockMemory(Update->getPointerOperand());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && isBlockMemory(Exchange->getPointerOperand());
}

void markSharedUpdate(Instruction &I) {
  I.setMetadata(UpdateMark, MDNode::get(I.getContext(), {}));
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
    if (!isSharedUpdate(I))
      continue;
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
      lowerAtomicRMWInst(Update);
    else
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(&I));
  }
}

} // namespace ferry
