//===- AddressSpaces.cpp - Where allocas and globals live -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host IR knows one address space. Each alloca and global moves to the one that
// the GPU keeps it in, and its users get a cast to the generic space. The
// InferAddressSpaces pass then follows those casts to the loads and stores.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

static void moveAlloca(AllocaInst &Old, unsigned Space) {
  IRBuilder<> B(&Old);
  AllocaInst *New =
      B.CreateAlloca(Old.getAllocatedType(), Space, Old.getArraySize());
  New->setAlignment(Old.getAlign());
  New->takeName(&Old);
  // Lifetime markers must name the alloca itself.
  for (User *U : make_early_inc_range(Old.users())) {
    auto *Marker = dyn_cast<LifetimeIntrinsic>(U);
    if (!Marker)
      continue;
    IRBuilder<> AtMarker(Marker);
    if (Marker->getIntrinsicID() == Intrinsic::lifetime_start)
      AtMarker.CreateLifetimeStart(New);
    else
      AtMarker.CreateLifetimeEnd(New);
    Marker->eraseFromParent();
  }
  Old.replaceAllUsesWith(B.CreateAddrSpaceCast(New, Old.getType()));
  Old.eraseFromParent();
}

static void moveGlobal(GlobalVariable &Old, unsigned Space) {
  auto *New = new GlobalVariable(
      *Old.getParent(), Old.getValueType(), Old.isConstant(), Old.getLinkage(),
      Old.hasInitializer() ? Old.getInitializer() : nullptr, "", &Old,
      GlobalValue::NotThreadLocal, Space, Old.isExternallyInitialized());
  New->copyAttributesFrom(&Old);
  New->takeName(&Old);
  Old.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(New, Old.getType()));
  Old.eraseFromParent();
}

void assignAddressSpaces(Module &M, const GpuTarget &Gpu) {
  if (unsigned Space = Gpu.privateSpace()) {
    SmallVector<AllocaInst *, 32> Allocas;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Alloca = dyn_cast<AllocaInst>(&I);
            Alloca && Alloca->getAddressSpace() == 0)
          Allocas.push_back(Alloca);
    for (AllocaInst *Alloca : Allocas)
      moveAlloca(*Alloca, Space);
  }
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (G.getAddressSpace() == 0 && !G.getName().starts_with("llvm."))
      moveGlobal(G, G.isConstant() ? Gpu.constantSpace() : GlobalSpace);
}

} // namespace ferry
