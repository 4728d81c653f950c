//===- GpuTarget.h - What the GPU targets differ in -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_GPUTARGET_H
#define FERRY_COMPILER_LOWER_GPU_GPUTARGET_H

#include "Records.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace ferry {

/// Address spaces that both targets number alike.
enum : unsigned { GlobalSpace = 1, SharedSpace = 3 };

/// A library of mathematical functions as bitcode, and how it names them.
struct MathLibrary {
  enum Style { Libdevice, Libclc } Naming;
  std::string Path;
};

/// libclc's file `Name`, where distributions put it.
std::optional<MathLibrary> findLibclc(llvm::StringRef Name);

/// One subclass a GPU family; the rest of Lower/Gpu knows none of them.
class GpuTarget {
public:
  virtual ~GpuTarget() = default;

  virtual llvm::CallingConv::ID kernelConvention() const = 0;
  /// Where allocas live, 0 if they need no space of their own.
  virtual unsigned privateSpace() const = 0;
  /// Where constant tables live.
  virtual unsigned constantSpace() const = 0;

  /// A coordinate (i32) of the thread in its block, of the block in the grid.
  virtual llvm::Value *threadIdx(llvm::IRBuilderBase &B,
                                 unsigned Dimension) const = 0;
  virtual llvm::Value *blockIdx(llvm::IRBuilderBase &B,
                                unsigned Dimension) const = 0;

  /// Threads in a warp, and this thread's number in its own (i32).
  virtual llvm::Value *warpSize(llvm::IRBuilderBase &B) const = 0;
  virtual llvm::Value *warpLane(llvm::IRBuilderBase &B) const = 0;

  /// The block's threads wait for each other and see what all wrote before.
  /// `Together`: the threads of a warp come here at the same time.
  virtual void barrier(llvm::IRBuilderBase &B, bool Together) const = 0;
  /// A warp counts at a barrier, not its threads, so they must come to the same
  /// one.
  virtual bool warpsMeetAtBarriers() const = 0;
  /// Which of the warp's threads say true (i1), as an i64. `Together`: all of
  /// the warp's threads come here; else those that are here now take part.
  virtual llvm::Value *ballot(llvm::IRBuilderBase &B, llvm::Value *Predicate,
                              bool Together) const = 0;
  /// The value (i32) of the thread in lane `Lane`, below the warp's size.
  virtual llvm::Value *shuffle(llvm::IRBuilderBase &B, llvm::Value *V,
                               llvm::Value *Lane, bool Together) const = 0;

  /// LLVM's names for how far an atomic operation must be seen.
  virtual llvm::StringRef blockScope() const = 0;
  virtual llvm::StringRef deviceScope() const = 0;
  /// Brings an atomic operation into the form that the back end needs.
  virtual void prepareAtomic(llvm::Instruction &I) const = 0;

  /// Ends this thread wherever it is and says true, or says false when the
  /// target can only return from the kernel.
  virtual bool endThread(llvm::IRBuilderBase &B) const = 0;

  /// Module flags that the back end wants.
  virtual void prepareModule(llvm::Module &M) const = 0;
  /// Attributes of a kernel whose blocks have at most `MaxThreads` threads, or
  /// `Block` if that is not null.
  virtual void prepareKernel(llvm::Function &F, unsigned MaxThreads,
                             const unsigned *Block) const = 0;

  /// Adds what the back end does to addresses first, to have it done before
  /// computations move to where they are used, and says true. False where it
  /// does that in a form that only the back end reads.
  virtual bool addAddressPasses(llvm::FunctionPassManager &Passes) const = 0;

  /// The mathematical library to use, if this machine has one.
  virtual std::optional<MathLibrary> mathLibrary() const = 0;
};

std::unique_ptr<GpuTarget> createNvptxTarget(const Target &T);
std::unique_ptr<GpuTarget> createAmdgpuTarget(const Target &T);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_GPUTARGET_H
