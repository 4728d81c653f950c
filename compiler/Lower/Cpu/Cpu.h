//===- Cpu.h - Kernels as loops over work-items -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_H
#define FERRY_COMPILER_LOWER_CPU_H

#include "Lower/KnownShape.h"
#include "Records.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace ferry {

/// lowerForTarget for Cpu and Virtual.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerForCpu(const LaunchPlan &Plan, const DeviceProgram &Program,
            const Target &T);

/// Puts Ferry's own code in the place of calls of mathematical functions, so
/// that the loops around can be vectorised.
llvm::Error lowerMath(llvm::Module &M, const llvm::TargetMachine &Machine);

/// After optimisation: inlines what lowerMath made for the vectoriser's use.
void finishMath(llvm::Module &M);

/// Lanes of a warp, on both devices.
constexpr unsigned CpuWarpSize = 32;

/// Where one thread stands, as values that dominate its code.
struct Position {
  llvm::Value *BlockIdx[3], *ThreadIdx[3];             ///< i32
  llvm::Value *BlockDim[3], *GridDim[3];               ///< i32
  llvm::Value *GlobalIdx[3], *GlobalDim[3], *GlobalId; ///< i64
  llvm::Value *Number;                                 ///< in the block, i64
  llvm::Value *WarpLane;                               ///< i32
  llvm::Value *DynamicShared;                          ///< i64, bytes
  llvm::Value *Panic;                                  ///< the launch's record
  llvm::Value *Generation;                             ///< i32, what claims it
};

/// Gives `Symbol.cpu` (runtime.h, ferry_cpu_kernel) to the kernel function
/// `Thread` and removes it. For the block `Likely` it can be better.
void buildWorkItemLoops(const Kernel &K, const KnownShape &Known,
                        const std::optional<KnownShape> &Likely,
                        const DeviceKernel &Device,
                        const DeviceProgram &Program, llvm::Function &Thread);

/// The bytes of scratch that one thread needs (ferry_kernel::thread_bytes),
/// which `Symbol.cpu` carries as an attribute.
uint64_t threadBytes(const llvm::Function &Cpu);

/// Whether functions that were not inlined ask where they are or can panic, so
/// that threads must leave their position where those find it.
bool needsThreadState(llvm::Module &M, const DeviceProgram &Program);

/// Puts `P` where functions that were not inlined look for it.
void storeThreadState(llvm::Module &M, const Position &P,
                      llvm::Instruction *Before);

/// Lowers queries and panics in the functions that were not inlined, and ends
/// the thread in every caller of one that panicked.
void lowerOutOfLineFunctions(llvm::Module &M, const DeviceProgram &Program);

using Blocks = llvm::SmallVector<llvm::BasicBlock *>;

/// Replaces the queries in `Code` by the values of `P`.
void replaceQueries(const Blocks &Code, const Position &P);

/// Replaces the panics in `Code`: the record is written, control goes to `End`.
void replacePanics(const Blocks &Code, const Position &P,
                   llvm::BasicBlock *End);

/// After each call in `Code` of a function that can panic: to `End` if it did.
void checkThreadEnd(const Blocks &Code, llvm::BasicBlock *End);

/// Globals of the program: `cpu` uses the host's own.
void placeGlobals(llvm::Module &M, const DeviceProgram &Program,
                  const Target &T);

/// Device functions run on the CPU that the launching code was compiled for.
void copyHostAttributes(llvm::Module &M, const llvm::Function &Shim);

/// Gives each __ferry_print.N (Records.h) a body.
void lowerPrints(llvm::Module &M, const DeviceProgram &Program,
                 const Target &T);

/// Says that a parameter of the loops points to memory of one block at a time.
void markBlockMemory(llvm::Argument &A);

/// Whether an instruction is an atomic update of such memory, and will cost no
/// more than a plain one.
bool isSharedUpdate(const llvm::Instruction &I);

/// Says so of a copy whose address does not show it.
void markSharedUpdate(llvm::Instruction &I);

/// Makes relaxed loads and stores of such memory plain.
void relaxSharedAccesses(llvm::Function &Loops);

/// Makes the other atomics on it plain. Not before threads are vectorised.
void lowerSharedAtomics(llvm::Function &Loops);

/// Writes masks of 32 bits as a truncation and an extension.
void writeIndexCasts(llvm::Function &F);

/// Moves to the entry of `F` what the thread's code starting in `Start` does
/// first and always alike: filling its copies of by-value arguments. A copy
/// that the kernel changes stays where it is.
void hoistArgumentCopies(llvm::Function &F, llvm::BasicBlock &Start);

/// If `A` is such a copy: the instructions of `Start` that fill it, in order.
/// Nothing marks the copy's lifetime any more.
llvm::SmallVector<llvm::Instruction *>
takeArgumentCopy(llvm::AllocaInst &A, llvm::BasicBlock &Start);

/// A loop over threads: `for (Induction = From; Induction < To; ++Induction)`,
/// the test at `Header`, the step in `Latch`.
struct ThreadLoop {
  llvm::BasicBlock *Header, *Latch, *Exit;
  llvm::PHINode *Induction;
  llvm::ICmpInst *Test;
  llvm::Value *From, *To;
  uint64_t MostThreads; ///< To is this at most
  /// Header, Latch and all between, once they are written.
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks;

  llvm::BasicBlock *before() const {
    return Induction->getIncomingBlock(Induction->getIncomingBlock(0) == Latch);
  }
};

/// The part of a thread loop in which range checks have one known outcome.
struct CheckedRange {
  llvm::Value *Low, *High; ///< From <= Low <= High <= To, set before the loop
  struct Check {
    llvm::ICmpInst *Compare;
    bool Outcome;
  };
  llvm::SmallVector<Check> Checks;
  /// Whether all other threads of the loop see the opposite.
  bool OppositeOutside = false;
};

/// Finds the range checks of `L`, computing the bounds at the end of
/// L.before().
/// No value when there are none.
std::optional<CheckedRange> findCheckedRange(llvm::Function &F,
                                             const ThreadLoop &L);

/// The same for one check among several, if its outcome is known outside too.
std::optional<CheckedRange> findExactRange(llvm::Function &F,
                                           const ThreadLoop &L);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_H
