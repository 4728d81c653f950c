//===- Tape.h - What the reverse sweep needs of the forward sweep ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_TAPE_H
#define FERRY_COMPILER_AUTODIFF_TAPE_H

#include "Autodiff/Overwritten.h"
#include "Autodiff/Recompute.h"
#include "Autodiff/Rounds.h"
#include "Autodiff/Stores.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::ad {

/// Gives the reverse sweep of one function the values of its forward sweep.
class Tape {
public:
  /// `Exit` is the forward sweep's last block. `Originals` are the function's
  /// own instructions.
  Tape(llvm::Function &F, llvm::BasicBlock &Exit,
       llvm::ArrayRef<llvm::Instruction *> Originals);

  Rounds &rounds() { return R; }

  /// `Reversed` undoes `Block`.
  void setReversed(llvm::BasicBlock &Block, llvm::BasicBlock &Reversed);

  /// The value that `V` had when `Block` ran, for what undoes `Block`. `V` is
  /// known in `Block`.
  llvm::Value *read(llvm::Value *V, llvm::BasicBlock &Block);

  /// `B` is at the end of what undoes `Block`, which the forward sweep came to
  /// from `From`: where that is in a loop, its rounds begin with the last.
  void enterLoops(llvm::IRBuilderBase &B, llvm::BasicBlock &Block,
                  llvm::BasicBlock &From);
  /// Whether the round of `L` that is being undone is the first one.
  llvm::Value *isFirstRound(llvm::IRBuilderBase &B, llvm::Loop &L);
  void goToRoundBefore(llvm::IRBuilderBase &B, llvm::Loop &L);

  /// After all reads: computes what is read, and keeps what is needed for it.
  /// At `End` of the reverse sweep memory is given back.
  void write(llvm::Instruction &End);

private:
  using Place = std::pair<llvm::Instruction *, llvm::BasicBlock *>;

  llvm::Function &F;
  llvm::BasicBlock &Exit;
  Rounds R;
  Overwritten Memory;
  Recomputation Again;
  Stores Kept;

  llvm::MapVector<llvm::BasicBlock *, llvm::BasicBlock *> Reversed;
  /// Stands in each reversed block between what is read and what reads it.
  llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> Marker;
  /// What was read, until `write` knows how to get it.
  llvm::MapVector<Place, llvm::Instruction *> Placeholders;
  llvm::DenseMap<Place, llvm::Value *> Known;
  llvm::DenseMap<llvm::Loop *, llvm::AllocaInst *> Counters;
  llvm::DenseMap<std::pair<llvm::Instruction *, llvm::Loop *>,
                 llvm::AllocaInst *>
      Carried;
  llvm::DenseMap<Place, llvm::PHINode *> Copies;
  llvm::DenseSet<llvm::Instruction *> ToKeep;
  /// Values that were not part of the choice: can they be computed?
  llvm::DenseMap<llvm::Instruction *, bool> Easy;

  bool isThere(const llvm::Value *V);
  bool isEasy(llvm::Instruction &I);
  llvm::Value *get(llvm::Value *V, llvm::BasicBlock &Block);
  llvm::Value *make(llvm::Instruction &I, llvm::BasicBlock &Block);
  llvm::Value *carry(llvm::Instruction &I, llvm::Loop &Into,
                     llvm::BasicBlock &Block);
  llvm::PHINode *copyAt(llvm::Instruction &I, llvm::BasicBlock &Block);
  llvm::AllocaInst *counter(llvm::Loop &L);
  void reuseCalls();
  void dropUnused();
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_TAPE_H
