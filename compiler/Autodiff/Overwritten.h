//===- Overwritten.h - Is memory still as it was read? ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_OVERWRITTEN_H
#define FERRY_COMPILER_AUTODIFF_OVERWRITTEN_H

#include "Autodiff/Rounds.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"

namespace ferry::ad {

/// Whether the block that `Release` gives back can as well be given back when
/// all is done: it is one block, not one in each round of a loop.
bool canWait(const llvm::CallBase &Release, const Rounds &R);

/// Which loads of the forward sweep the reverse sweep can do again.
class Overwritten {
public:
  /// `Originals` are the function's own instructions; all others of `F` keep
  /// its shadows.
  Overwritten(llvm::Function &F, Rounds &R,
              llvm::ArrayRef<llvm::Instruction *> Originals);

  /// Whether what `Load` reads may be something else at the end of the forward
  /// sweep. True for loads that were not there from the beginning.
  bool isOverwritten(const llvm::LoadInst &Load) const {
    return !Lasting.contains(&Load);
  }

private:
  llvm::DenseSet<const llvm::LoadInst *> Lasting;
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_OVERWRITTEN_H
