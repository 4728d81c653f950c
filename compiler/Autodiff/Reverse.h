//===- Reverse.h - The reverse sweep ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_REVERSE_H
#define FERRY_COMPILER_AUTODIFF_REVERSE_H

#include "Autodiff/Shadows.h"
#include "Autodiff/Tape.h"
#include "llvm/ADT/SetVector.h"

namespace ferry::ad {

/// Adds to `F`, which runs forward with shadows of its pointers, the code that
/// runs it backwards.
class ReverseSweep {
public:
  /// `F` has one return.
  ReverseSweep(llvm::Function &F, Shadows &Pointers, MemoryTypes &Types,
               const ActiveValues &Active, unsigned Width,
               llvm::ArrayRef<llvm::Instruction *> Originals,
               llvm::ReturnInst &Return);

  /// `Seeds` are the result's adjoints, one a lane, or none. Returns a struct
  /// of the result and the adjoints of `Outs`. False if something was refused.
  bool build(llvm::ArrayRef<llvm::Value *> Seeds,
             llvm::ArrayRef<llvm::Argument *> Outs);

private:
  llvm::Function &F;
  Shadows &Pointers;
  MemoryTypes &Types;
  const ActiveValues &Active;
  unsigned Width;
  llvm::ReturnInst &Return;
  llvm::BasicBlock &Exit;
  Tape Kept;
  bool Failed = false;

  /// The function's own instructions, block by block.
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *>>
      Own;
  /// Blocks from which the exit can be reached, and what undoes each.
  llvm::SetVector<llvm::BasicBlock *> Undone;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> Reversed;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *>>
      Predecessors;
  /// In which order the predecessors are numbered, and which one it was.
  llvm::DenseMap<llvm::BasicBlock *, llvm::PHINode *> CameFrom;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::AllocaInst *, 1>>
      Adjoints;
  /// Values that no other block uses, and their adjoints so far.
  llvm::DenseSet<const llvm::Value *> UsedAtHome;
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, llvm::Value *>
      HomeAdjoints;
  llvm::AllocaInst *Releases = nullptr;
  llvm::Instruction *End = nullptr; ///< of the reverse sweep

  // The block that is being undone.
  llvm::BasicBlock *Block = nullptr;
  llvm::IRBuilder<> B;

  void findUsedAtHome();
  void numberPredecessors();
  void finish(llvm::ArrayRef<llvm::Argument *> Outs);
  void undoBlock();
  void undoPhis(llvm::BasicBlock *From);
  void leaveBlock();
  void undo(llvm::Instruction &I);
  void undoRule(llvm::Instruction &I, llvm::Value *D, unsigned Lane);
  void undoValue(llvm::Instruction &I, llvm::Value *D, unsigned Lane);
  void undoShuffle(llvm::ShuffleVectorInst &I, llvm::Value *D, unsigned Lane);
  void undoStore(llvm::StoreInst &I);
  void undoMemory(llvm::MemIntrinsic &I);
  void undoRelease(llvm::CallBase &I);
  void undoCall(llvm::Instruction &I, const Shadows::SplitCall &Call);
  void deferReleases();

  bool hasAdjoint(const llvm::Value *V) const;
  llvm::AllocaInst *adjoint(llvm::Value *V, unsigned Lane);
  llvm::Value *take(llvm::Value *V, unsigned Lane);
  void add(llvm::Value *V, unsigned Lane, llvm::Value *Part);
  llvm::Value *sum(llvm::Value *X, llvm::Value *Y);
  llvm::Value *primal(llvm::Value *V) { return Kept.read(V, *Block); }
  llvm::Value *shadow(llvm::Value *Pointer, unsigned Lane,
                      llvm::Instruction &User);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_REVERSE_H
