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
// Assemblers refuse more than 48 KB of a block's static shared memory on NVIDIA
// GPUs, though the processors have more for a launch that asks. So a kernel
// with a lot of it finds it at the start of its dynamic shared memory, and
// libferry asks for that much more (runtime.h).
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "ferry/runtime.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

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

static constexpr StringLiteral DynamicShared = "ferry_dynamic_shared";

static void defineShared(Module &M, const DeviceProgram &Program) {
  for (const SharedObject &Object : Program.Shared)
    if (GlobalVariable *G = M.getNamedGlobal(Object.Symbol)) {
      G->setLinkage(GlobalValue::InternalLinkage);
      G->setInitializer(PoisonValue::get(G->getValueType()));
      moveGlobal(*G, SharedSpace);
    }
  // The name that both assemblers take. It stays a declaration: the size is the
  // launch's.
  if (GlobalVariable *G = M.getNamedGlobal(DynamicSharedSymbol)) {
    G->setName(DynamicShared);
    moveGlobal(*G, SharedSpace);
  }
}

void assignAddressSpaces(Module &M, const DeviceProgram &Program,
                         const GpuTarget &Gpu) {
  defineShared(M, Program);
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

static GlobalVariable *dynamicShared(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(DynamicShared))
    return G;
  auto *G = new GlobalVariable(
      M, ArrayType::get(Type::getInt8Ty(M.getContext()), 0),
      /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
      DynamicShared, nullptr, GlobalValue::NotThreadLocal, SharedSpace);
  G->setAlignment(Align(16));
  return G;
}

/// Makes `Kernel` find `G` at `Offset` in the dynamic shared memory.
static void moveIntoDynamic(GlobalVariable &G, uint64_t Offset,
                            Function &Kernel) {
  GlobalVariable *Base = dynamicShared(*G.getParent());
  // Expressions on the address become instructions of the kernel.
  convertUsersOfConstantsToInstructions({&G}, &Kernel);
  IRBuilder<> B(&*Kernel.getEntryBlock().getFirstInsertionPt());
  Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
  G.replaceUsesWithIf(Place, [&](Use &U) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I != Place && I->getFunction() == &Kernel;
  });
}

Error moveLargeShared(Module &M, const DeviceProgram &Program,
                      ArrayRef<KernelEntry> Kernels) {
  for (const KernelEntry &K : Kernels) {
    SharedLayout Layout = layOutShared(Program, *K.Device);
    if (Layout.Bytes <= FERRY_MOST_STATIC_SHARED)
      continue;
    if (any_of(instructions(*K.Entry), callsFunction))
      return createStringError(
          "kernel '" + K.Described->Name + "' uses " + Twine(Layout.Bytes) +
          " bytes of shared memory in functions that cannot be inlined: they "
          "have " +
          Twine(FERRY_MOST_STATIC_SHARED));
    // Its own dynamic shared memory comes after.
    if (GlobalVariable *G = M.getNamedGlobal(DynamicShared))
      moveIntoDynamic(*G, alignTo(Layout.Bytes, 16), *K.Entry);
    for (auto [Index, Offset] : zip_equal(K.Device->Shared, Layout.Offsets))
      if (GlobalVariable *G = M.getNamedGlobal(Program.Shared[Index].Symbol))
        moveIntoDynamic(*G, Offset, *K.Entry);
  }
  return Error::success();
}

} // namespace ferry
