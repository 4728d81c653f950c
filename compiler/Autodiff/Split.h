//===- Split.h - The two sweeps as two functions ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_SPLIT_H
#define FERRY_COMPILER_AUTODIFF_SPLIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace ferry::ad {

/// The derivative of a function that is called, not inlined. `Forward` takes
/// the parameters and the shadows of its pointers, and returns the result, its
/// shadows and a frame; `Reverse` takes that frame and the result's adjoints,
/// and returns what a reverse derivative does. It releases the frame.
struct SplitDerivative {
  llvm::Function *Forward = nullptr, *Reverse = nullptr;
  /// The result's shadows, one a lane or none.
  unsigned ShadowsReturned = 0;
  bool ActiveReturn = false;
};

/// Marks in a function that runs both sweeps where `Forward` ends with the
/// block `Exit`, and which values it returns there.
void markTurn(llvm::BasicBlock &Exit, llvm::ArrayRef<llvm::Value *> Returned);

/// Gives `D`'s functions, which are declarations, the sweeps of `Both`, whose
/// last `Seeds` parameters are for the reverse sweep alone. `Both` is left
/// without a use. False if something was refused.
bool splitSweeps(llvm::Function &Both, unsigned Seeds,
                 const SplitDerivative &D);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_SPLIT_H
