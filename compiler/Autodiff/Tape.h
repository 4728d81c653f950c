//===- Tape.h - What the reverse sweep needs of the forward sweep
//-------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_TAPE_H
#define FERRY_COMPILER_AUTODIFF_TAPE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::ad {

/// Keeps values of the forward sweep for the reverse sweep of one function.
class Tape {
public:
  /// `Exit` is the forward sweep's last block.
  Tape(llvm::Function &F, llvm::BasicBlock &Exit);

  /// The value that `V` had when `Block` ran, in `Reversed`, which undoes it.
  /// `V` is known in `Block`.
  llvm::Value *read(llvm::Value *V, llvm::BasicBlock &Block,
                    llvm::BasicBlock &Reversed);

  /// `B` is at the end of what undoes `Block`: its record goes off the stack.
  void pop(llvm::IRBuilderBase &B, llvm::BasicBlock &Block);

  /// After all reads: writes what they read, in the forward sweep.
  void write();

  /// Gives the memory back; `B` is at the end of the reverse sweep.
  void release(llvm::IRBuilderBase &B);

private:
  /// What is pushed at the end of a block that may run many times.
  struct Record {
    llvm::MapVector<llvm::Value *, uint64_t> Places; ///< bytes below its end
    uint64_t Size = 0;
    llvm::Instruction *End = nullptr; ///< in the reverse block
    llvm::DenseMap<llvm::Value *, llvm::Value *> Loads;
  };
  llvm::Function &F;
  llvm::BasicBlock &Exit;
  llvm::DominatorTree Dominators;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Repeated;
  llvm::MapVector<llvm::BasicBlock *, Record> Records;
  /// Variables for values of blocks that run once at most.
  llvm::MapVector<std::pair<llvm::Value *, llvm::BasicBlock *>,
                  llvm::AllocaInst *>
      Slots;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::BasicBlock *>, llvm::Value *>
      SlotLoads;
  llvm::AllocaInst *Base = nullptr, *Top = nullptr, *Limit = nullptr;

  llvm::Value *readSlot(llvm::Value *V, llvm::BasicBlock *At,
                        llvm::BasicBlock &Reversed);
  llvm::Value *readRecord(llvm::Value *V, llvm::BasicBlock &Block,
                          llvm::BasicBlock &Reversed);
  void push(llvm::BasicBlock &Block, Record &R);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_TAPE_H
