//===- Recompute.h - What can be computed again -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_RECOMPUTE_H
#define FERRY_COMPILER_AUTODIFF_RECOMPUTE_H

#include "Autodiff/Overwritten.h"
#include "Autodiff/Rounds.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace ferry::ad {

/// Whether the reverse sweep may compute anything again. If not, all that it
/// needs is kept: `-ferry-ad-recompute=0`, FERRY_AD_RECOMPUTE=0.
bool mayRecompute();

/// Computes values of the forward sweep again.
class Recomputation {
public:
  Recomputation(Rounds &R, const Overwritten &Memory) : R(R), Memory(Memory) {}

  /// The values that `I` can be computed from; nothing if it cannot be.
  std::optional<llvm::SmallVector<llvm::Value *, 4>>
  operands(llvm::Instruction &I);

  /// `I` once more, on what `Read` gives for its operands.
  llvm::Value *emit(llvm::Instruction &I, llvm::IRBuilderBase &B,
                    llvm::function_ref<llvm::Value *(llvm::Value *)> Read);

  /// The values to keep so that `Needed`, and all that it takes to compute
  /// them, is there at the least cost. `IsThere` holds for what needs nothing.
  llvm::DenseSet<llvm::Instruction *>
  chooseKept(llvm::ArrayRef<llvm::Instruction *> Needed,
             llvm::function_ref<bool(const llvm::Value *)> IsThere);

private:
  Rounds &R;
  const Overwritten &Memory;

  /// A phi that is one of two values which are both known before.
  struct Choice {
    llvm::Value *If, *Then, *Else;
  };
  std::optional<Choice> choice(llvm::PHINode &Phi);
  /// A phi that is `Start + Counter * Step`.
  struct Induction {
    llvm::Value *Start, *Step, *Counter;
  };
  std::optional<Induction> induction(llvm::PHINode &Phi);
  uint64_t cost(const llvm::Instruction &I);
  /// Says why `Kept` is kept: `-ferry-ad-print=kept`, FERRY_AD_PRINT=kept.
  void print(const llvm::Instruction &Kept);
  uint64_t costToKeep(const llvm::Instruction &I);
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_RECOMPUTE_H
