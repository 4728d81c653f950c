//===- Amdgpu.cpp - What is particular to AMD GPUs ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower/Gpu/GpuTarget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/AMDGPUAddrSpace.h"

using namespace llvm;

namespace ferry {
namespace {

class AmdgpuTarget final : public GpuTarget {
public:
  CallingConv::ID kernelConvention() const override {
    return CallingConv::AMDGPU_KERNEL;
  }
  unsigned privateSpace() const override { return AMDGPUAS::PRIVATE_ADDRESS; }
  unsigned constantSpace() const override { return AMDGPUAS::CONSTANT_ADDRESS; }

  Value *threadIdx(IRBuilderBase &B, unsigned Dimension) const override {
    static constexpr Intrinsic::ID Registers[] = {
        Intrinsic::amdgcn_workitem_id_x, Intrinsic::amdgcn_workitem_id_y,
        Intrinsic::amdgcn_workitem_id_z};
    return B.CreateIntrinsic(Registers[Dimension], {});
  }
  Value *blockIdx(IRBuilderBase &B, unsigned Dimension) const override {
    static constexpr Intrinsic::ID Registers[] = {
        Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
        Intrinsic::amdgcn_workgroup_id_z};
    return B.CreateIntrinsic(Registers[Dimension], {});
  }
  Value *warpSize(IRBuilderBase &B) const override {
    return B.CreateIntrinsic(Intrinsic::amdgcn_wavefrontsize, {});
  }
  /// How many lanes come before this one; the second half counts 0 where a wave
  /// has 32 lanes.
  Value *warpLane(IRBuilderBase &B) const override {
    Value *All = B.getInt32(-1);
    Value *Low =
        B.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {All, B.getInt32(0)});
    Value *High = B.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {All, Low});
    return B.CreateAnd(High, B.CreateSub(warpSize(B), B.getInt32(1)));
  }
  void barrier(IRBuilderBase &B, bool) const override {
    SyncScope::ID Block = B.getContext().getOrInsertSyncScopeID(blockScope());
    B.CreateFence(AtomicOrdering::Release, Block);
    B.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
    B.CreateFence(AtomicOrdering::Acquire, Block);
  }
  bool warpsMeetAtBarriers() const override { return true; }
  Value *ballot(IRBuilderBase &B, Value *Predicate, bool) const override {
    return B.CreateIntrinsic(Intrinsic::amdgcn_ballot, {B.getInt64Ty()},
                             {Predicate});
  }
  Value *shuffle(IRBuilderBase &B, Value *V, Value *Lane, bool) const override {
    // Lanes are addressed by bytes.
    return B.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                             {B.CreateShl(Lane, 2), V});
  }
  StringRef blockScope() const override { return "workgroup"; }
  StringRef deviceScope() const override { return "agent"; }
  void prepareAtomic(Instruction &I) const override {
    if (!isa<AtomicRMWInst>(I))
      return;
    MDNode *Yes = MDNode::get(I.getContext(), {});
    I.setMetadata("amdgpu.no.fine.grained.memory", Yes);
    I.setMetadata("amdgpu.no.remote.memory", Yes);
    if (I.getType()->isFloatTy())
      I.setMetadata("amdgpu.ignore.denormal.mode", Yes);
  }
  /// s_endpgm ends a whole wave, whatever its other lanes still have to do.
  bool endThread(IRBuilderBase &B) const override { return false; }

  /// Code object version 5 is loaded by every ROCm since 5.3.
  void prepareModule(Module &M) const override {
    M.addModuleFlag(Module::Error, "amdhsa_code_object_version", 500);
  }
  void prepareKernel(Function &F, unsigned MaxThreads,
                     const unsigned *Block) const override {
    unsigned Least = Block ? MaxThreads : 1;
    F.addFnAttr("amdgpu-flat-work-group-size",
                utostr(Least) + "," + utostr(MaxThreads));
    if (Block) {
      Type *I32 = Type::getInt32Ty(F.getContext());
      SmallVector<Metadata *, 3> Sizes;
      for (unsigned D = 0; D != 3; ++D)
        Sizes.push_back(
            ConstantAsMetadata::get(ConstantInt::get(I32, Block[D])));
      F.setMetadata("reqd_work_group_size", MDNode::get(F.getContext(), Sizes));
    }
    F.addFnAttr("uniform-work-group-size", "true");
  }
  bool addAddressPasses(FunctionPassManager &) const override { return false; }
  std::optional<MathLibrary> mathLibrary() const override {
    return findLibclc("amdgcn-amd-amdhsa.bc");
  }
};

} // namespace

std::unique_ptr<GpuTarget> createAmdgpuTarget(const Target &) {
  return std::make_unique<AmdgpuTarget>();
}

} // namespace ferry
