//===- Steps.h - The steps of lowering for a GPU ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_STEPS_H
#define FERRY_COMPILER_LOWER_GPU_STEPS_H

#include "Convergence.h"
#include "GpuTarget.h"
#include "Lower/KnownShape.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace ferry {

/// Makes constrained floating-point operations ordinary ones.
void dropFloatEnvironment(llvm::Module &M);

/// Turns conversions between floating point and integers of more than 64 bits,
/// and llvm.ldexp, into calls of Builtins.c.
void lowerToBuiltins(llvm::Module &M);

/// Brings in what compilers call without being asked (Builtins.c).
llvm::Error linkBuiltins(llvm::Module &M);
/// `F` declares a function that linkBuiltins supplies.
bool isBuiltin(const llvm::Function &F);

/// Takes away what is the host's: attributes, calling conventions, sections,
/// parameters passed in the caller's frame, debug info.
void normalize(llvm::Module &M);

/// Makes `M` keep its sizes and offsets when its data layout becomes `Device`.
llvm::Error keepHostLayout(llvm::Module &M, const llvm::DataLayout &Device);

/// Moves allocas and globals into the address spaces that the GPU keeps them
/// in.
void assignAddressSpaces(llvm::Module &M, const DeviceProgram &Program,
                         const GpuTarget &Gpu);

/// A kernel on its way: `Body` is the program's function, `Entry` the function
/// that libomptarget starts, which calls it.
struct KernelEntry {
  const Kernel *Described = nullptr;
  const DeviceKernel *Device = nullptr;
  llvm::Function *Body = nullptr;
  llvm::Function *Entry = nullptr;
  /// Hidden arguments (i64), or what all launches say alike.
  llvm::Value *Extent[3] = {}, *Block[3] = {};
  llvm::Argument *DynamicShared = nullptr; ///< its bytes
  llvm::Argument *PanicIndex = nullptr;    ///< null when it cannot panic
};

/// Makes the entries of a kernel, `Symbol` and, where it pays, apartSymbol(),
/// with the arguments that runtime.h tells.
llvm::Error buildEntries(llvm::Module &M, const Kernel &K,
                         const DeviceKernel &Device, const KnownShape &Known,
                         const GpuTarget &Gpu,
                         std::vector<KernelEntry> &Entries);

/// Moves shared objects of kernels that have many of them into dynamic shared
/// memory, once all that can be inlined is.
llvm::Error moveLargeShared(llvm::Module &M, const DeviceProgram &Program,
                            llvm::ArrayRef<KernelEntry> Kernels);

class FactSource;

/// Replaces the thread queries, once all that can be inlined is.
void lowerQueries(llvm::Module &M, FactSource &Source, const GpuTarget &Gpu);

/// Likewise __ferry_panic. `Records` is null when no kernel can panic.
llvm::Error lowerPanics(llvm::Module &M, FactSource &Source,
                        llvm::GlobalVariable *Records, const GpuTarget &Gpu);

/// Says of each atomic operation how far it must be seen, once address spaces
/// are known.
void narrowAtomics(llvm::Module &M, const GpuTarget &Gpu);

/// Marks functions and calls convergent in a module whose threads do something
/// together.
void markConvergent(llvm::Module &M);

/// Replaces barriers and warp operations, once all that can be inlined is.
/// Refuses a barrier that the target cannot wait at.
llvm::Error lowerCollectives(llvm::Module &M, const GpuTarget &Gpu,
                             llvm::FunctionAnalysisManager &Analyses);

/// Turns the barriers of each group into one that all their threads come to.
void mergeBarriers(llvm::Function &F, llvm::ArrayRef<Sites> Groups);

/// `I` calls a function that has a body, or may.
bool callsFunction(const llvm::Instruction &I);

/// Says how often loops of unknown length are unrolled, before LLVM does it.
struct LimitUnrollingPass : llvm::PassInfoMixin<LimitUnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &Analyses);
};

/// Says that loops over a thread's own arrays are unrolled altogether.
struct UnrollPrivatePass : llvm::PassInfoMixin<UnrollPrivatePass> {
  llvm::PreservedAnalyses run(llvm::Loop &L,
                              llvm::LoopAnalysisManager &Analyses,
                              llvm::LoopStandardAnalysisResults &Results,
                              llvm::LPMUpdater &Updater);
};

/// Makes the error for a function that has no body on this target, called by
/// `Caller`.
using MissingFunction = llvm::function_ref<llvm::Error(
    const llvm::Function &Caller, llvm::StringRef Name)>;

/// Turns calls of the C library's mathematics, and intrinsics that the back end
/// does not have, into calls of the target's library, and links that in.
llvm::Error lowerMath(llvm::Module &M, const GpuTarget &Gpu,
                      MissingFunction Missing);

/// `F` declares a C function that lowerMath knows.
bool isMathFunction(const llvm::Function &F);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_STEPS_H
