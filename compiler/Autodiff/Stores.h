//===- Stores.h - Where the forward sweep keeps values ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_STORES_H
#define FERRY_COMPILER_AUTODIFF_STORES_H

#include "Autodiff/Rounds.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include <memory>

namespace ferry::ad {

/// The block whose end an instruction's result is known at.
llvm::BasicBlock *homeOf(llvm::Instruction &I);

/// Memory for values that the forward sweep computes.
class Stores {
public:
  Stores(llvm::Function &F, Rounds &R) : F(F), R(R) {}

  /// Gives a value of the forward sweep to what undoes the block that is being
  /// worked on.
  using Reader = llvm::function_ref<llvm::Value *(llvm::Value *)>;
  /// What `I` was in `Block`, which is in the same loop; it will be kept from
  /// now on. `B` is where it is used, `Reversed` what undoes `Block`.
  llvm::Value *load(llvm::Instruction &I, llvm::BasicBlock &Block,
                    llvm::IRBuilderBase &B, llvm::BasicBlock &Reversed,
                    Reader Read);

  /// Values of these stores themselves which have to be kept where asked for.
  bool mustKeep(const llvm::Instruction &I) const {
    return Offsets.contains(&I);
  }

  /// After all loads: writes what they load. `ReversedOf` gives what undoes a
  /// block, `Read` a value where a block is undone; the stack is given back at
  /// `End`.
  void write(
      llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> ReversedOf,
      llvm::function_ref<llvm::Value *(llvm::Value *, llvm::BasicBlock &)> Read,
      llvm::Instruction &End);

private:
  /// What is pushed at the end of a block of which it is not known how often
  /// it runs.
  struct Record {
    llvm::MapVector<llvm::Instruction *, uint64_t> Places; ///< below its end
    uint64_t Size = 0;
    llvm::Instruction *End = nullptr; ///< in the reverse block
    llvm::BasicBlock *Reversed = nullptr;
  };
  /// The arrays of a loop whose length is known before it begins, and of loops
  /// in it.
  struct Area {
    llvm::Loop *Top = nullptr;
    bool OnStack = false;
    /// Sizes are computed before it, addresses behind it.
    llvm::CallInst *Allocation = nullptr;
    llvm::Instruction *Base =
        nullptr; ///< the block, or the offset on the stack
    llvm::Value *Size = nullptr;
    llvm::AllocaInst *Local = nullptr; ///< where it is small
    llvm::DenseMap<llvm::Loop *, llvm::Value *> Lengths;
    /// Bytes of an array of numbers of one size, one per round of a loop.
    llvm::DenseMap<std::pair<llvm::Loop *, uint64_t>, llvm::Value *> Sizes;
  };
  /// Where in an area a loop's arrays are: all of these loops' rounds count.
  struct Nest {
    Area *In = nullptr;
    llvm::SmallVector<llvm::Loop *> Loops; ///< from the area's down
  };
  struct Array {
    llvm::Instruction *Begin = nullptr; ///< pointer, or offset on the stack
    Nest *Of = nullptr;
  };

  llvm::Function &F;
  Rounds &R;
  llvm::MapVector<llvm::Instruction *, llvm::AllocaInst *> Slots;
  llvm::MapVector<llvm::BasicBlock *, Record> Records;
  llvm::MapVector<llvm::Loop *, std::unique_ptr<Area>> Areas;
  llvm::DenseMap<llvm::Loop *, std::unique_ptr<Nest>> Nests;
  llvm::MapVector<llvm::Instruction *, Array> Arrays;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Offsets;
  llvm::AllocaInst *Base = nullptr, *Top = nullptr, *Limit = nullptr;
  /// Accesses to kept values, and which value.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>>
      Accesses;

  void makeStack();
  Nest *nestOf(llvm::Loop &L);
  bool fitsInto(llvm::Loop &Outer, llvm::ArrayRef<llvm::Loop *> Inner);
  Area &areaOf(llvm::Loop &Top);
  llvm::Value *lengthOf(llvm::Loop &L, Area &In);
  Array &arrayOf(llvm::Instruction &I, Nest &Of);
  llvm::Value *address(Array A, llvm::Instruction &I, llvm::IRBuilderBase &B,
                       Reader Read);
  llvm::Value *loadFrom(llvm::Value *P, llvm::Align A, llvm::Instruction &I,
                        llvm::IRBuilderBase &B);
  void storeTo(llvm::Value *P, llvm::Align A, llvm::Instruction &I,
               llvm::IRBuilderBase &B);
  void writeArrays();
  void writeRecords();
  void markAccesses();
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_STORES_H
