//===- Atomics.cpp - Who can see an atomic operation ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's atomics are for all threads of a system. On a GPU that is dear:
// caches are written back and emptied. While a kernel runs, nobody but its
// device sees the memory that it was given, so the device is far enough; and
// what is done to shared memory concerns the block alone.
//
// AMD's floating-point atomics work only on memory of the device's own, which
// Ferry's buffers are; the instructions are told so. Like NVIDIA's, the one for
// float may take numbers below 2^-126 for zero.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

/// None for a fence.
static const Value *pointerOf(const Instruction &I) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->getPointerOperand();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

void narrowAtomics(Module &M, const GpuTarget &Gpu) {
  LLVMContext &Context = M.getContext();
  SyncScope::ID Block = Context.getOrInsertSyncScopeID(Gpu.blockScope());
  SyncScope::ID Device = Context.getOrInsertSyncScopeID(Gpu.deviceScope());
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (!I.isAtomic())
        continue;
      if (getAtomicSyncScopeID(&I) == SyncScope::System) {
        const Value *Pointer = pointerOf(I);
        bool IsShared =
            Pointer &&
            Pointer->getType()->getPointerAddressSpace() == SharedSpace;
        setAtomicSyncScopeID(&I, IsShared ? Block : Device);
      }
      Gpu.prepareAtomic(I);
    }
}

} // namespace ferry
