//===- Widener.h - The loop over groups of threads --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_WIDENER_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_WIDENER_H

#include "Lower/Cpu/Spmd/Groups.h"
#include "Lower/Cpu/Spmd/Linearize.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::spmd {

/// Writes what the threads of a group do, all at a time.
class Widener {
public:
  Widener(const Candidate &C, unsigned Width, const Order &O, const Shapes &S,
          const Ways &W, const llvm::LoopInfo &LI,
          const llvm::DominatorTree &DT, const llvm::PostDominatorTree &PDT,
          GroupLoop &G);

  /// Where the group comes in.
  llvm::BasicBlock *entry() const { return Enter; }
  void write();
  /// Once the whole loop is written.
  void finish();

private:
  const Candidate &C;
  unsigned Width;
  const Order &O;
  const Shapes &S;
  const Ways &W;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  const llvm::PostDominatorTree &PDT;
  GroupLoop &G;
  llvm::BasicBlock *Latch; ///< the group's end; new blocks come before it
  llvm::BasicBlock *Enter;
  llvm::Function &F;
  const llvm::DataLayout &DL;
  llvm::IRBuilder<> B;

  /// What a block of the thread becomes. Control comes to Entry, where it may
  /// be sent past the block, or by a back edge to Head.
  struct Node {
    llvm::BasicBlock *Entry, *Head;
    llvm::AllocaInst *Mask = nullptr; ///< who is to run it, when masked
  };
  llvm::DenseMap<const llvm::BasicBlock *, Node> Nodes;

  /// Values that are used beyond their block, and what phis will be, live in
  /// memory until everything is in place; then it is promoted.
  llvm::SmallVector<llvm::AllocaInst *> Homes;
  llvm::DenseMap<const llvm::Instruction *, llvm::AllocaInst *> HomeOf;
  llvm::DenseMap<const llvm::PHINode *, llvm::AllocaInst *> Incoming;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<llvm::AllocaInst *>>
      Fresh; ///< Incoming that are forgotten when a block starts
  llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> ArrayOf;

  // The block at hand.
  const llvm::BasicBlock *Current = nullptr;
  llvm::Value *Mask = nullptr; ///< null: all threads run it
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Local;

  // Control.cpp
  void createNodes();
  void block(const llvm::BasicBlock *BB);
  void terminator(const llvm::BasicBlock *BB);
  void fork(const llvm::BasicBlock *BB, const Way &Way);
  void passOn();
  llvm::BasicBlock *target(const llvm::BasicBlock *From,
                           const llvm::BasicBlock *To) const;
  using Edge = std::pair<const llvm::BasicBlock *, llvm::Value *>;
  llvm::SmallVector<Edge> edges(const llvm::BasicBlock *BB);
  void arrive(const llvm::BasicBlock *From, llvm::ArrayRef<Edge> Edges);
  const llvm::BasicBlock *decider(const llvm::BasicBlock *BB) const;
  const llvm::BasicBlock *leader(const llvm::BasicBlock *BB) const;
  bool canBeEmpty(const llvm::BasicBlock *BB) const;
  bool needsThread(const llvm::Instruction &I) const;
  bool isWorthTest(const llvm::BasicBlock *BB) const;
  void skipEmptyBlocks();

  // Widener.cpp
  llvm::AllocaInst *createHome(llvm::Type *T, const llvm::Twine &Name);
  bool outlivesBlock(const llvm::Instruction &I) const;
  void createArrays();
  void createHomes();
  llvm::Type *wide(llvm::Type *T) const;
  llvm::Value *native(const llvm::Value *V);
  llvm::Value *vector(const llvm::Value *V);
  llvm::Value *steps(llvm::Value *First, int64_t Stride);
  llvm::Value *any(llvm::Value *M);
  llvm::Value *both(llvm::Value *M, llvm::Value *N);
  llvm::Value *blend(llvm::Value *M, llvm::Value *New, llvm::Value *Old);
  void define(const llvm::Instruction &I, llvm::Value *V);
  void instruction(const llvm::Instruction &I);
  llvm::Value *scalarClone(const llvm::Instruction &I);
  llvm::Value *widen(const llvm::Instruction &I);
  llvm::Value *widenAddress(const llvm::GetElementPtrInst &I);
  llvm::Value *interleavedAddress(const llvm::GetElementPtrInst &I, bool Wide);
  llvm::Value *widenCall(const llvm::CallInst &I);
  llvm::Value *divisor(const llvm::Value *V);

  // Memory.cpp
  /// One thread of the group: a constant, or whatever a loop has arrived at.
  using Lane = llvm::Value *;
  llvm::Value *load(const llvm::LoadInst &I);
  void store(const llvm::StoreInst &I);
  bool isElement(llvm::Type *T) const;
  bool isStrided(Shape Is, int64_t Size) const;
  bool reduceAtomic(const llvm::AtomicRMWInst &I);
  llvm::Value *perLane(const llvm::Instruction &I);
  llvm::Value *perThread(const llvm::Instruction &I);
  llvm::Value *perActive(const llvm::Instruction &I);
  llvm::Value *alone(const llvm::Value *V, Lane L,
                     const llvm::Instruction &User);
  llvm::SmallVector<llvm::Value *> commonOperands(const llvm::Instruction &I);
  llvm::Instruction *insertClone(const llvm::Instruction &I,
                                 llvm::ArrayRef<llvm::Value *> Operands);
  bool isCheapAlone(const llvm::Instruction &I, const llvm::Instruction &User);
  llvm::Value *laneOf(llvm::Value *Native, Shape S, Lane L);
  llvm::Value *lastLane(llvm::Value *V);
  llvm::Value *holds(const Shapes::Extensions &Assumed);
  llvm::Value *contiguousLoad(const llvm::LoadInst &I, int64_t Stride);
  void contiguousStore(const llvm::StoreInst &I, int64_t Stride);
  llvm::Align alignment(const llvm::Instruction &I) const;
  llvm::Value *reversed(llvm::Value *V);
};

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_WIDENER_H
