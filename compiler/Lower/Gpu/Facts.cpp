//===- Facts.cpp - What a thread knows about its launch -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How large block, grid and extent are comes from the entry's hidden arguments,
// which say it alike on all devices. Nearly everything is inlined into the
// entries. What is not (a recursive function, the target of a function pointer)
// cannot see its kernel's arguments, so kernels that still call something write
// the facts to shared memory first. All threads of a block write the same
// values and each reads after its own write, so no barrier is needed.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ferry {

namespace {
enum SharedField : unsigned {
  BlockField,
  GridField,
  GlobalField,
  DynamicSharedField,
  PanicField
};
} // namespace

/// No device runs larger blocks.
static constexpr unsigned MaxThreads = 1024;

static IRBuilder<> atStart(Function &F) {
  return IRBuilder<>(&*F.getEntryBlock().getFirstInsertionPt());
}

bool FactSource::isEntry(const Function &F) const {
  return any_of(Kernels, [&](const KernelEntry &K) { return K.Entry == &F; });
}

const LaunchFacts &FactSource::in(Function &F) {
  auto [Place, New] = Known.try_emplace(&F);
  if (!New)
    return Place->second;
  IRBuilder<> B = atStart(F);
  const KernelEntry *K = find_if(
      Kernels, [&](const KernelEntry &Kernel) { return Kernel.Entry == &F; });
  return Place->second = K == Kernels.end() ? loaded(B) : computed(*K, B);
}

LaunchFacts FactSource::computed(const KernelEntry &K, IRBuilder<> &B) {
  LaunchFacts Facts;
  Facts.DynamicShared = K.DynamicShared;
  Facts.PanicIndex = K.PanicIndex;
  Type *I32 = B.getInt32Ty();
  for (unsigned D = 0; D != 3; ++D) {
    Facts.Block[D] = B.CreateTrunc(K.Block[D], I32);
    if (K.Described->LaunchShape == Shape::Over) {
      // ceil(extent / block) in 32 bits, since extent - 1 fits there.
      Value *Last = B.CreateTrunc(B.CreateSub(K.Extent[D], B.getInt64(1)), I32);
      Facts.Grid[D] =
          B.CreateAdd(B.CreateUDiv(Last, Facts.Block[D]), B.getInt32(1));
      Facts.GlobalDim[D] = K.Extent[D];
    } else {
      Facts.Grid[D] = B.CreateTrunc(K.Extent[D], I32);
      Facts.GlobalDim[D] = B.CreateNUWMul(K.Extent[D], K.Block[D]);
    }
  }
  return Facts;
}

Value *FactSource::sharedField(IRBuilder<> &B, unsigned Field,
                               unsigned Dimension) {
  if (!Shared) {
    Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
    Type *Layout = StructType::get(
        M.getContext(),
        {ArrayType::get(I32, 3), ArrayType::get(I32, 3), ArrayType::get(I64, 3),
         ArrayType::get(I64, 1), ArrayType::get(I64, 1)});
    Shared = new GlobalVariable(
        M, Layout, /*isConstant=*/false, GlobalValue::InternalLinkage,
        PoisonValue::get(Layout), "ferry.launch", nullptr,
        GlobalValue::NotThreadLocal, SharedSpace);
    Shared->setAlignment(Align(8));
  }
  return B.CreateInBoundsGEP(
      Shared->getValueType(), Shared,
      {B.getInt32(0), B.getInt32(Field), B.getInt32(Dimension)});
}

LaunchFacts FactSource::loaded(IRBuilder<> &B) {
  LaunchFacts Facts;
  for (unsigned D = 0; D != 3; ++D) {
    Facts.Block[D] =
        B.CreateLoad(B.getInt32Ty(), sharedField(B, BlockField, D));
    Facts.Grid[D] = B.CreateLoad(B.getInt32Ty(), sharedField(B, GridField, D));
    Facts.GlobalDim[D] =
        B.CreateLoad(B.getInt64Ty(), sharedField(B, GlobalField, D));
  }
  Facts.DynamicShared =
      B.CreateLoad(B.getInt64Ty(), sharedField(B, DynamicSharedField, 0));
  Facts.PanicIndex =
      B.CreateLoad(B.getInt64Ty(), sharedField(B, PanicField, 0));
  return Facts;
}

void FactSource::store(IRBuilder<> &B, const LaunchFacts &Facts) {
  for (unsigned D = 0; D != 3; ++D) {
    B.CreateStore(Facts.Block[D], sharedField(B, BlockField, D));
    B.CreateStore(Facts.Grid[D], sharedField(B, GridField, D));
    B.CreateStore(Facts.GlobalDim[D], sharedField(B, GlobalField, D));
  }
  B.CreateStore(Facts.DynamicShared, sharedField(B, DynamicSharedField, 0));
  if (Facts.PanicIndex)
    B.CreateStore(Facts.PanicIndex, sharedField(B, PanicField, 0));
}

Value *FactSource::endedFlag(IRBuilder<> &B, const LaunchFacts &Facts) {
  if (!Ended) {
    Type *Flags = ArrayType::get(B.getInt8Ty(), MaxThreads);
    Ended = new GlobalVariable(M, Flags, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               PoisonValue::get(Flags), "ferry.ended", nullptr,
                               GlobalValue::NotThreadLocal, SharedSpace);
  }
  Value *Thread = Gpu.threadIdx(B, 2);
  for (unsigned D : {1, 0})
    Thread =
        B.CreateAdd(B.CreateMul(Thread, Facts.Block[D]), Gpu.threadIdx(B, D));
  return B.CreateInBoundsGEP(B.getInt8Ty(), Ended, Thread);
}

bool callsFunction(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm())
    return false;
  const Function *Callee = Call->getCalledFunction();
  return !Callee || !Callee->isDeclaration();
}

void FactSource::finish() {
  if (!Shared && !Ended)
    return;
  for (const KernelEntry &K : Kernels) {
    if (none_of(instructions(*K.Entry), callsFunction))
      continue;
    IRBuilder<> B = atStart(*K.Entry);
    LaunchFacts Facts = computed(K, B);
    if (Shared)
      store(B, Facts);
    if (Ended)
      B.CreateStore(B.getInt8(0), endedFlag(B, Facts));
  }
}

} // namespace ferry
