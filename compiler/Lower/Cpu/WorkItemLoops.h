//===- WorkItemLoops.h - The loops around a thread's code -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_WORKITEMLOOPS_H
#define FERRY_COMPILER_LOWER_CPU_WORKITEMLOOPS_H

#include "Lower/Cpu/Cpu.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ferry {

/// A piece of a block's scratch memory (ferry_scratch_bytes), which the loops
/// have as a parameter of its own.
struct ScratchObject {
  enum Place { Static, Dynamic, Contexts } In;
  uint64_t Offset = 0; ///< in its place; in contexts per thread
  uint64_t Bytes = 0;  ///< of a static object
};

/// Builds
///   void Symbol.loops(ptr geometry, i64 begin[3], i64 end[3], slots...,
///                     scratch objects...)
/// Subclasses say what is in it.
class LoopBuilder {
public:
  virtual ~LoopBuilder() = default;
  llvm::Function *build();

protected:
  /// `Model` has the kernel's parameters.
  LoopBuilder(const Kernel &K, const KnownShape &Known, llvm::Function &Model,
              llvm::ArrayRef<ScratchObject> Scratch);

  /// Writes everything behind the entry's loads, the return left out.
  virtual void buildBody() = 0;
  /// Writes what one thread does, ending in a branch to `Latch`.
  virtual void runThread(const Position &P, llvm::BasicBlock *Latch) = 0;

  /// Opens a loop; code goes into its body.
  ThreadLoop openLoop(llvm::Value *From, llvm::Value *To,
                      const llvm::Twine &Name);
  /// Ends the body; code goes behind the loop.
  void closeLoop(const ThreadLoop &L);
  /// Opens a loop inside all others that are open.
  void push(llvm::Value *From, llvm::Value *To, const llvm::Twine &Name);
  void pop();

  /// Says that the loop that was written last is one over threads.
  void markThreads(ThreadLoop &L);
  /// The innermost loop, with the thread's code in it.
  ThreadLoop threadLoop(llvm::Value *From, llvm::Value *To);
  /// The same, split so that its main part has no range checks.
  void splitThreadLoop(llvm::Value *From, llvm::Value *To);

  /// Calls `Code` with the slots and inlines it. Panics and ends of threads go
  /// to `End`. Returns what it returned, if anything.
  llvm::Value *inlineThread(llvm::Function &Code, const Position &P,
                            llvm::BasicBlock *End);
  /// Called with the blocks that inlining brought.
  virtual void finishInlined(const Blocks &Code, const Position &P) {}

  llvm::Argument *scratch(unsigned Index) const;
  /// A variable of the loops' own.
  llvm::AllocaInst *variable(llvm::Type *T, const llvm::Twine &Name);

  const Kernel &K;
  const KnownShape &Known;
  llvm::Module &M;
  llvm::LLVMContext &Ctx;
  llvm::IRBuilder<> B;
  llvm::Function *Loops = nullptr;
  llvm::Value *Begin[3], *End[3];
  llvm::Value *Extent[3], *BlockDim[3]; // i64
  llvm::Value *Panic = nullptr, *Generation = nullptr, *DynamicShared = nullptr;
  llvm::SmallVector<ThreadLoop, 5> Outer; // outermost first

private:
  void createFunction(llvm::Function &Model,
                      llvm::ArrayRef<ScratchObject> Scratch);
  llvm::LoadInst *loadAt(llvm::Type *T, uint64_t Offset,
                         const llvm::Twine &Name);
  void loadGeometry();
  void splitAt(const CheckedRange &Range, ThreadLoop &Main,
               llvm::SmallVectorImpl<ThreadLoop> &Others);
  ThreadLoop copyLoop(const ThreadLoop &L, llvm::Value *From, llvm::Value *To,
                      llvm::ValueToValueMapTy &Map);
  Position position(llvm::Value *Inner);

  unsigned NumSlots;
};

/// Loops for a kernel whose threads work together (BlockLoops.cpp).
struct BlockLoops {
  llvm::Function *Loops = nullptr;
  llvm::Function *Likely = nullptr;   ///< the same for the likely block alone
  std::vector<ScratchObject> Scratch; ///< their last parameters
  uint64_t ThreadBytes = 0;
};
BlockLoops buildBlockLoops(const Kernel &K, const KnownShape &Known,
                           const std::optional<KnownShape> &Likely,
                           const DeviceKernel &Device,
                           const DeviceProgram &Program,
                           llvm::Function &Thread);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_WORKITEMLOOPS_H
