//===- RestorePointers.cpp - Pointers that are kept as integers -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rust's enums hold a pointer or a number in one variant and an integer in
// another, in one place whose type is then an integer. When calls are inlined
// and variables are gone, what is left is a pointer that goes through phis as
// an integer:
//
//   %i = ptrtoint ptr %p to i64
//   %j = phi i64 [ %i, %a ], [ 8, %b ]        phi ptr [ %p, %a ], [ 8, %b ]
//   %q = inttoptr i64 %j to ptr
//
// A pointer has a shadow and an integer has none, so the pointer is restored.
// From the cast the integer is followed back through phis, selects and loads;
// where it was a pointer, it is one again, and where it was an integer, that
// becomes a pointer there, on the edge to the phi. Stores of such integers
// become stores of the pointers. It is the same with numbers and bitcasts. What
// nobody uses any more, the next pass removes.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Prepare.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry::ad {

namespace {
class Restorer {
public:
  explicit Restorer(Function &F) : F(F) {}
  std::vector<CastInst *> find();
  void run();

private:
  Function &F;
  DenseMap<std::pair<Value *, Type *>, Value *> Restored;

  Value *restore(Value *V, Type *T, Instruction *Before);
  void restoreStores();
};
} // namespace

/// What the integer `V` was before it was cast from a `T`.
static Value *original(Value *V, Type *T) {
  auto *Cast = dyn_cast<Operator>(V);
  bool IsCast = Cast && (Cast->getOpcode() == Instruction::PtrToInt ||
                         Cast->getOpcode() == Instruction::BitCast);
  return IsCast && Cast->getOperand(0)->getType() == T ? Cast->getOperand(0)
                                                       : nullptr;
}

/// Whether the integer `V` is somewhere made from a `T`, or is loaded and then
/// merged with something that is.
static bool comesFrom(Value *V, Type *T, SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(V).second)
    return false;
  if (original(V, T) || isa<LoadInst>(V))
    return true;
  if (auto *Select = dyn_cast<SelectInst>(V))
    return comesFrom(Select->getTrueValue(), T, Seen) ||
           comesFrom(Select->getFalseValue(), T, Seen);
  return isa<PHINode, FreezeInst>(V) &&
         any_of(cast<Instruction>(V)->operands(),
                [&](Value *Op) { return comesFrom(Op, T, Seen); });
}

/// Casts of integers to pointers and numbers that were such before.
std::vector<CastInst *> Restorer::find() {
  const DataLayout &DL = F.getDataLayout();
  std::vector<CastInst *> Found;
  for (Instruction &I : instructions(F)) {
    auto *Cast = dyn_cast<CastInst>(&I);
    if (!Cast || !Cast->getOperand(0)->getType()->isIntegerTy())
      continue;
    Type *T = Cast->getType();
    bool Address = isa<IntToPtrInst>(Cast) && T->isPointerTy() &&
                   T->getPointerAddressSpace() == 0;
    bool Number = isa<BitCastInst>(Cast) && T->isFloatingPointTy() &&
                  !isa<LoadInst>(Cast->getOperand(0));
    SmallPtrSet<Value *, 8> Seen;
    if ((Address || Number) &&
        DL.getTypeSizeInBits(T) ==
            DL.getTypeSizeInBits(Cast->getOperand(0)->getType()) &&
        comesFrom(Cast->getOperand(0), T, Seen))
      Found.push_back(Cast);
  }
  return Found;
}

/// The integer `V` as a `T`, there by `Before`.
Value *Restorer::restore(Value *V, Type *T, Instruction *Before) {
  if (Value *Before = original(V, T))
    return Before;
  if (Value *Known = Restored.lookup({V, T}))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    auto *New =
        PHINode::Create(T, Phi->getNumIncomingValues(), "", Phi->getIterator());
    New->setDebugLoc(Phi->getDebugLoc());
    Restored[{V, T}] = New;
    DenseMap<BasicBlock *, Value *> Edges;
    for (auto [Block, In] : zip(Phi->blocks(), Phi->incoming_values())) {
      // One value for a block that comes several times, from a switch.
      Value *&P = Edges[Block];
      if (!P)
        P = restore(In, T, Block->getTerminator());
      New->addIncoming(P, Block);
    }
    return New;
  }
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Value *True = restore(Select->getTrueValue(), T, Select);
    Value *False = restore(Select->getFalseValue(), T, Select);
    return Restored[{V, T}] = IRBuilder<>(Select).CreateSelect(
               Select->getCondition(), True, False);
  }
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return Restored[{V, T}] = IRBuilder<>(Freeze).CreateFreeze(
               restore(Freeze->getOperand(0), T, Freeze));
  if (auto *Load = dyn_cast<LoadInst>(V); Load && Load->isSimple())
    return Restored[{V, T}] = IRBuilder<>(Load).CreateAlignedLoad(
               T, Load->getPointerOperand(), Load->getAlign());
  return IRBuilder<>(Before).CreateBitOrPointerCast(V, T);
}

/// Only what is a pointer without doubt.
void Restorer::restoreStores() {
  for (Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !Store->isSimple() ||
        !Store->getValueOperand()->getType()->isIntegerTy(
            F.getDataLayout().getPointerSizeInBits()))
      continue;
    Type *Ptr = PointerType::get(F.getContext(), 0);
    if (Value *P = original(Store->getValueOperand(), Ptr)) {
      Store->setOperand(0, P);
      Store->setMetadata(LLVMContext::MD_tbaa, nullptr);
    }
  }
}

void Restorer::run() {
  restoreStores();
  for (CastInst *Cast : find())
    Cast->replaceAllUsesWith(
        restore(Cast->getOperand(0), Cast->getType(), Cast));
}

bool keepsPointersAsIntegers(Function &F) {
  return !Restorer(F).find().empty();
}

void restorePointers(Function &F) { Restorer(F).run(); }

} // namespace ferry::ad
