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

using namespace llvm;

namespace ferry {
namespace {

class NvptxTarget final : public GpuTarget {
public:
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
  bool endThread(IRBuilderBase &B) const override {
    B.CreateIntrinsic(Intrinsic::nvvm_exit, {});
    return true;
  }
  void prepareModule(Module &M) const override {}
  void prepareKernel(Function &F, unsigned MaxThreads) const override {
    F.addFnAttr("nvvm.maxntid", utostr(MaxThreads));
  }
  std::optional<MathLibrary> mathLibrary() const override;
};

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

} // namespace

std::unique_ptr<GpuTarget> createNvptxTarget(const Target &) {
  return std::make_unique<NvptxTarget>();
}

} // namespace ferry
