//===- Nvptx.cpp - What is particular to NVIDIA GPUs ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lower/Gpu/GpuTarget.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/NaryReassociate.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"

using namespace llvm;

namespace ferry {
namespace {

class NvptxTarget final : public GpuTarget {
public:
  explicit NvptxTarget(const Target &T) {
    StringRef Digits =
        StringRef(T.Arch).drop_while([](char C) { return !isDigit(C); });
    Digits.take_while([](char C) { return isDigit(C); })
        .getAsInteger(10, Version);
  }
  CallingConv::ID kernelConvention() const override {
    return CallingConv::PTX_Kernel;
  }
  unsigned privateSpace() const override { return 0; }
  /// Not the constant space: it serves one address a warp at a time, and a
  /// table is mostly read at a different index by each thread.
  unsigned constantSpace() const override { return GlobalSpace; }

  Value *threadIdx(IRBuilderBase &B, unsigned Dimension) const override {
    static constexpr Intrinsic::ID Registers[] = {
        Intrinsic::nvvm_read_ptx_sreg_tid_x,
        Intrinsic::nvvm_read_ptx_sreg_tid_y,
        Intrinsic::nvvm_read_ptx_sreg_tid_z};
    return B.CreateIntrinsic(Registers[Dimension], {});
  }
  Value *blockIdx(IRBuilderBase &B, unsigned Dimension) const override {
    static constexpr Intrinsic::ID Registers[] = {
        Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    return B.CreateIntrinsic(Registers[Dimension], {});
  }
  Value *warpSize(IRBuilderBase &B) const override { return B.getInt32(32); }
  Value *warpLane(IRBuilderBase &B) const override {
    return B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  }
  void barrier(IRBuilderBase &B, bool Together) const override {
    B.CreateIntrinsic(Together ? Intrinsic::nvvm_barrier_cta_sync_aligned_all
                               : Intrinsic::nvvm_barrier_cta_sync_all,
                      {}, {B.getInt32(0)});
  }
  bool warpsMeetAtBarriers() const override { return false; }
  Value *ballot(IRBuilderBase &B, Value *Predicate,
                bool Together) const override {
    Value *Votes = B.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {},
                                     {members(B, Together), Predicate});
    return B.CreateZExt(Votes, B.getInt64Ty());
  }
  Value *shuffle(IRBuilderBase &B, Value *V, Value *Lane,
                 bool Together) const override {
    // The last operand: one segment of 32 lanes.
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_idx_i32, {},
                             {members(B, Together), V, Lane, B.getInt32(31)});
  }
  StringRef blockScope() const override { return "block"; }
  StringRef deviceScope() const override { return "device"; }
  void prepareAtomic(Instruction &I) const override;
  bool endThread(IRBuilderBase &B) const override {
    B.CreateIntrinsic(Intrinsic::nvvm_exit, {});
    return true;
  }
  void prepareModule(Module &M) const override {}
  void prepareKernel(Function &F, unsigned MaxThreads,
                     const unsigned *Block) const override {
    if (Block)
      F.addFnAttr("nvvm.reqntid", utostr(Block[0]) + "," + utostr(Block[1]) +
                                      "," + utostr(Block[2]));
    else
      F.addFnAttr("nvvm.maxntid", utostr(MaxThreads));
  }
  bool addAddressPasses(FunctionPassManager &Passes) const override;
  std::optional<MathLibrary> mathLibrary() const override;

private:
  /// The version in "sm_90a".
  unsigned Version = 0;

  /// The threads that an operation waits for: all that have not ended, or those
  /// that run in step with this one.
  static Value *members(IRBuilderBase &B, bool Together) {
    if (Together)
      return B.getInt32(-1);
    return B.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  }
};

/// NVPTXPassConfig::addStraightLineScalarOptimizationPasses, which makes
/// addresses from earlier ones that differ by a constant or a multiple.
bool NvptxTarget::addAddressPasses(FunctionPassManager &Passes) const {
  Passes.addPass(SeparateConstOffsetFromGEPPass());
  Passes.addPass(SpeculativeExecutionPass());
  Passes.addPass(StraightLineStrengthReducePass());
  Passes.addPass(GVNPass());
  Passes.addPass(NaryReassociatePass());
  Passes.addPass(EarlyCSEPass());
  return true;
}

/// CUDA's libdevice is the faster one; libclc comes with Debian. The variable
/// FERRY_LIBDEVICE names a libdevice elsewhere, or says `none`.
std::optional<MathLibrary> NvptxTarget::mathLibrary() const {
  SmallVector<std::string, 4> Candidates;
  if (std::optional<std::string> Wish =
          sys::Process::GetEnv("FERRY_LIBDEVICE")) {
    if (*Wish != "none")
      Candidates.push_back(*Wish);
  } else {
    if (std::optional<std::string> Home = sys::Process::GetEnv("CUDA_HOME"))
      Candidates.push_back(*Home + "/nvvm/libdevice/libdevice.10.bc");
    Candidates.push_back("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc");
    Candidates.push_back(
        "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc");
  }
  for (const std::string &Path : Candidates)
    if (sys::fs::exists(Path))
      return MathLibrary{MathLibrary::Libdevice, Path};
  return findLibclc("nvptx64--.bc");
}

/// LLVM drops the order of an atomicrmw that is one instruction, and knows no
/// ordered operation at all before sm_70. There fences around an unordered one
/// make the order (the mapping of C++ to PTX, Lustig et al., ASPLOS 2019).
void NvptxTarget::prepareAtomic(Instruction &I) const {
  if (isa<FenceInst>(I) || (Version >= 70 && !isa<AtomicRMWInst>(I)))
    return;
  AtomicOrdering Order = AtomicOrdering::Monotonic;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Order = Load->getOrdering();
    Load->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Order = Store->getOrdering();
    Store->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    Order = Update->getOrdering();
    Update->setOrdering(AtomicOrdering::Monotonic);
  } else {
    auto *Exchange = cast<AtomicCmpXchgInst>(&I);
    Order = Exchange->getMergedOrdering();
    Exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    Exchange->setFailureOrdering(AtomicOrdering::Monotonic);
  }
  SyncScope::ID Scope = *getAtomicSyncScopeID(&I);
  IRBuilder<> B(&I);
  if (Order == AtomicOrdering::SequentiallyConsistent)
    B.CreateFence(Order, Scope);
  else if (isReleaseOrStronger(Order))
    B.CreateFence(AtomicOrdering::Release, Scope);
  if (isAcquireOrStronger(Order) && !isa<StoreInst>(I)) {
    B.SetInsertPoint(I.getNextNode());
    B.CreateFence(AtomicOrdering::Acquire, Scope);
  }
}

} // namespace

std::unique_ptr<GpuTarget> createNvptxTarget(const Target &T) {
  return std::make_unique<NvptxTarget>(T);
}

} // namespace ferry
