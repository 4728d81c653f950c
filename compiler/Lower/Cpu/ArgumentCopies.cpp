//===- ArgumentCopies.cpp - By-value arguments, copied once ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread owns its by-value arguments. Scalars and structs end up in
// registers, but an array that is indexed at run time stays an alloca, filled
// from the slots at the start of the thread: 32 stores for a table of 256
// bytes. If the thread only reads it, all threads fill it alike, and once
// before the loop is enough.
//
// A store may move when it stands in the thread's first block, writes a value
// that is the same for all threads (an argument or a constant) and nothing
// reads the alloca before it; an alloca moves as a whole or not at all.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

namespace {
/// The uses of one alloca, if they are of the kinds that allow the move.
struct Uses {
  SmallVector<Instruction *> Fills, Lifetimes;
  SmallPtrSet<Instruction *, 16> Reads;
};
} // namespace

static bool isSameForAllThreads(const Value *V) {
  return isa<Constant>(V) || isa<Argument>(V);
}

/// Adds what `U` does with the alloca to `Found`; false when it forbids a move.
static bool classify(const Use &U, BasicBlock &Start, Uses &Found,
                     SmallVectorImpl<Instruction *> &Derived) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Address = dyn_cast<GetElementPtrInst>(I)) {
    Derived.push_back(Address);
    return true;
  }
  if (isa<LoadInst>(I)) {
    Found.Reads.insert(I);
    return !cast<LoadInst>(I)->isVolatile();
  }
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    Found.Fills.push_back(I);
    return U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
           Store->isSimple() && I->getParent() == &Start &&
           isSameForAllThreads(Store->getValueOperand());
  }
  if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
    if (U.getOperandNo() == 1) { // the source
      Found.Reads.insert(I);
      return true;
    }
    Found.Fills.push_back(I);
    return U.getOperandNo() == 0 && !Copy->isVolatile() &&
           I->getParent() == &Start && isSameForAllThreads(Copy->getSource()) &&
           isa<Constant>(Copy->getLength());
  }
  if (I->isLifetimeStartOrEnd()) {
    Found.Lifetimes.push_back(I);
    return true;
  }
  return false;
}

static std::optional<Uses> usesOf(AllocaInst &A, BasicBlock &Start) {
  Uses Found;
  SmallVector<Instruction *> Derived{&A};
  for (unsigned I = 0; I != Derived.size(); ++I)
    for (const Use &U : Derived[I]->uses())
      if (!classify(U, Start, Found, Derived))
        return std::nullopt;
  if (Found.Fills.empty() || Found.Reads.empty())
    return std::nullopt;
  return Found;
}

/// No read of the alloca stands before its last fill.
static bool fillsComeFirst(const Uses &Found, BasicBlock &Start) {
  unsigned FillsLeft = Found.Fills.size();
  for (Instruction &I : Start) {
    if (!FillsLeft)
      return true;
    if (Found.Reads.contains(&I))
      return false;
    FillsLeft -= is_contained(Found.Fills, &I);
  }
  return !FillsLeft;
}

/// Where a fill writes.
static Value *destination(Instruction &Fill) {
  if (auto *Copy = dyn_cast<MemTransferInst>(&Fill))
    return Copy->getRawDest();
  return cast<StoreInst>(Fill).getPointerOperand();
}

/// All fills are at constant offsets, so that their addresses can move too.
static bool fillsHaveFixedAddresses(const Uses &Found) {
  return all_of(Found.Fills, [](Instruction *Fill) {
    const Value *Pointer = destination(*Fill);
    while (auto *Address = dyn_cast<GetElementPtrInst>(Pointer)) {
      if (!Address->hasAllConstantIndices())
        return false;
      Pointer = Address->getPointerOperand();
    }
    return isa<AllocaInst>(Pointer);
  });
}

/// The fills in order, each after the constant offsets that lead to it.
static SmallVector<Instruction *> fillsWithAddresses(const Uses &Found) {
  SmallVector<Instruction *> All;
  for (Instruction *Fill : Found.Fills) {
    SmallVector<Instruction *> Chain{Fill};
    for (auto *Address = dyn_cast<GetElementPtrInst>(destination(*Fill));
         Address;
         Address = dyn_cast<GetElementPtrInst>(Address->getPointerOperand()))
      Chain.push_back(Address);
    for (Instruction *I : reverse(Chain))
      if (!is_contained(All, I))
        All.push_back(I);
  }
  return All;
}

SmallVector<Instruction *> takeArgumentCopy(AllocaInst &A, BasicBlock &Start) {
  std::optional<Uses> Found = usesOf(A, Start);
  if (!Found || !fillsComeFirst(*Found, Start) ||
      !fillsHaveFixedAddresses(*Found))
    return {};
  for (Instruction *I : Found->Lifetimes)
    I->eraseFromParent();
  return fillsWithAddresses(*Found);
}

void hoistArgumentCopies(Function &F, BasicBlock &Start) {
  if (&Start == &F.getEntryBlock())
    return;
  SmallVector<AllocaInst *> Allocas;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Allocas.push_back(A);
  for (AllocaInst *A : Allocas)
    for (Instruction *I : takeArgumentCopy(*A, Start))
      I->moveBefore(F.getEntryBlock().getTerminator()->getIterator());
}

} // namespace ferry
