//===- Packing.cpp - Between a request's types and a derivative's ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request has the type that the user declared; a derivative has results: the
// primal, tangents or gradients. They fit if a struct of the results has the
// same scalars at the same offsets as the declared type. C's calling convention
// may have packed that type: `struct {float, float}` is <2 x float> and
// `struct {int, float}` an i64, so an integer may cover several scalars. What
// fits goes through memory, which the optimiser dissolves.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Packing.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace ferry::ad {

using Scalars = SmallVector<std::pair<uint64_t, Type *>>;

/// The scalars of `T` and where they lie.
static void flatten(Type *T, uint64_t Offset, const DataLayout &DL,
                    Scalars &Out) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (auto [I, Member] : enumerate(S->elements()))
      flatten(Member, Offset + DL.getStructLayout(S)->getElementOffset(I), DL,
              Out);
    return;
  }
  auto *V = dyn_cast<FixedVectorType>(T);
  if (auto *A = dyn_cast<ArrayType>(T); A || V) {
    Type *Element = A ? A->getElementType() : V->getElementType();
    uint64_t Count = A ? A->getNumElements() : V->getNumElements();
    for (uint64_t I = 0; I != Count; ++I)
      flatten(Element, Offset + I * DL.getTypeAllocSize(Element), DL, Out);
    return;
  }
  Out.emplace_back(Offset, T);
}

static StructType *structOf(ArrayRef<Value *> Results) {
  SmallVector<Type *> Types;
  for (Value *V : Results)
    Types.push_back(V->getType());
  return StructType::get(Results.front()->getContext(), Types);
}

bool fillsType(ArrayRef<Value *> Results, Type *Declared,
               const DataLayout &DL) {
  Scalars Have, Want;
  flatten(structOf(Results), 0, DL, Have);
  flatten(Declared, 0, DL, Want);
  size_t Next = 0;
  for (auto [Offset, T] : Want) {
    if (Next != Have.size() && Have[Next] == std::pair(Offset, T)) {
      ++Next;
      continue;
    }
    // An integer that covers what lies in its bytes.
    uint64_t End = Offset + DL.getTypeStoreSize(T);
    size_t First = Next;
    while (T->isIntegerTy() && Next != Have.size() &&
           Have[Next].first >= Offset &&
           Have[Next].first + DL.getTypeStoreSize(Have[Next].second) <= End)
      ++Next;
    if (First == Next)
      return false;
  }
  return Next == Have.size();
}

/// Memory of the caller's frame.
static AllocaInst *makeSlot(IRBuilderBase &B, Type *T) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  return AtEntry.CreateAlloca(T);
}

static Value *throughMemory(IRBuilderBase &B, ArrayRef<Value *> Results,
                            Type *Declared) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  StructType *Natural = structOf(Results);
  bool Larger = DL.getTypeAllocSize(Natural) > DL.getTypeAllocSize(Declared);
  AllocaInst *Slot = makeSlot(B, Larger ? Natural : Declared);
  Slot->setAlignment(
      std::max(DL.getPrefTypeAlign(Natural), DL.getPrefTypeAlign(Declared)));
  for (auto [I, V] : enumerate(Results))
    B.CreateStore(V,
                  B.CreateStructGEP(Natural, Slot, static_cast<unsigned>(I)));
  return B.CreateLoad(Declared, Slot);
}

Value *packResults(IRBuilderBase &B, ArrayRef<Value *> Results,
                   Type *Declared) {
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  if (Results.empty())
    return Constant::getNullValue(Declared);
  Value *First = Results.front();
  if (Results.size() == 1 && First->getType() == Declared)
    return First;
  if (fillsType(Results, Declared, DL))
    return throughMemory(B, Results, Declared);
  if (First->getType() == Declared)
    return First;
  if (fillsType(First, Declared, DL))
    return throughMemory(B, First, Declared);
  if (First->getType()->isFloatingPointTy() && Declared->isFloatingPointTy())
    return B.CreateFPCast(First, Declared);
  return nullptr;
}

Value *convertArgument(IRBuilderBase &B, Value *V, Type *T) {
  Type *From = V->getType();
  if (From == T)
    return V;
  if (From->isFloatingPointTy() && T->isFloatingPointTy())
    return B.CreateFPCast(V, T);
  if (From->isIntegerTy() && T->isIntegerTy())
    return B.CreateSExtOrTrunc(V, T);
  if (From->isIntegerTy() && T->isPointerTy())
    return B.CreateIntToPtr(V, T);
  if (From->isPointerTy() && T->isIntegerTy())
    return B.CreatePtrToInt(V, T);
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  return fillsType(V, T, DL) ? throughMemory(B, V, T) : nullptr;
}

} // namespace ferry::ad
