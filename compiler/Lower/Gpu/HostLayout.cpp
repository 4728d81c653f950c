//===- HostLayout.cpp - Sizes and offsets as the host has them ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data is copied between host and GPU as it lies, so the GPU must find it where
// the host has put it. LLVM computes offsets from the module's data layout, and
// AMD's aligns 128-bit integers to 8 bytes where the host's says 16. So before
// the layout changes, address arithmetic and frame slots of types that the two
// see differently are spelled out in bytes.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace ferry {
namespace {

class LayoutComparison {
public:
  LayoutComparison(const DataLayout &Host, const DataLayout &Device)
      : Host(Host), Device(Device) {}

  bool differs(Type *T) {
    if (auto Known = Cache.find(T); Known != Cache.end())
      return Known->second;
    bool Result = compute(T);
    return Cache[T] = Result;
  }

private:
  bool compute(Type *T) {
    if (!T->isSized() || T->isScalableTy())
      return false;
    if (Host.getTypeAllocSize(T) != Device.getTypeAllocSize(T))
      return true;
    if (auto *Struct = dyn_cast<StructType>(T)) {
      const StructLayout *There = Device.getStructLayout(Struct);
      for (auto [I, Offset] :
           enumerate(Host.getStructLayout(Struct)->getMemberOffsets()))
        if (Offset != There->getElementOffset(I))
          return true;
    }
    return any_of(T->subtypes(), [&](Type *Part) { return differs(Part); });
  }

  const DataLayout &Host, &Device;
  DenseMap<Type *, bool> Cache;
};

} // namespace

static void spellOut(GetElementPtrInst &Gep, const DataLayout &Host) {
  IRBuilder<> B(&Gep);
  Value *Offset = emitGEPOffset(&B, Host, &Gep);
  Value *Result =
      B.CreatePtrAdd(Gep.getPointerOperand(), Offset, "", Gep.getNoWrapFlags());
  Result->takeName(&Gep);
  Gep.replaceAllUsesWith(Result);
  Gep.eraseFromParent();
}

static void spellOut(AllocaInst &Old, const DataLayout &Host) {
  IRBuilder<> B(&Old);
  uint64_t Bytes = Host.getTypeAllocSize(Old.getAllocatedType());
  AllocaInst *New = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes),
                                   Old.getAddressSpace(), Old.getArraySize());
  New->setAlignment(Old.getAlign());
  New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
}

Error keepHostLayout(Module &M, const DataLayout &Device) {
  const DataLayout Host = M.getDataLayout();
  LayoutComparison Layouts(Host, Device);

  // Address arithmetic on globals may hide in constant expressions.
  SmallVector<Constant *, 16> Globals;
  for (GlobalVariable &G : M.globals()) {
    if (Layouts.differs(G.getValueType()))
      return createStringError(
          "the global variable '" + G.getName() +
          "' holds 128-bit integers among smaller members, which the GPU "
          "would lay out differently");
    Globals.push_back(&G);
  }
  convertUsersOfConstantsToInstructions(Globals);

  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
        if (Layouts.differs(Gep->getSourceElementType()))
          spellOut(*Gep, Host);
      } else if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
        if (Layouts.differs(Alloca->getAllocatedType()))
          spellOut(*Alloca, Host);
      } else if (isa<LoadInst, StoreInst>(I) &&
                 Layouts.differs(getLoadStoreType(&I))) {
        return createStringError(
            "'" + F.getName() +
            "' moves a struct with 128-bit integers as one value, which the "
            "GPU would lay out differently");
      }
    }
  return Error::success();
}

} // namespace ferry
