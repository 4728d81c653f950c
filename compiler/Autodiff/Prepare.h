//===- Prepare.h - A function made ready to be differentiated ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_PREPARE_H
#define FERRY_COMPILER_AUTODIFF_PREPARE_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace ferry::ad {

/// LLVM's analyses of single functions, and the passes run with them.
class Passes {
public:
  Passes();
  llvm::FunctionAnalysisManager &analyses() { return Functions; }
  /// Simplifies a copy of the user's function before it is differentiated.
  void simplify(llvm::Function &F);
  /// Gives what has been decided before a way of its own through a later
  /// question about it: where an error was found, its value is an integer;
  /// where not, it is a pointer.
  void threadJumps(llvm::Function &F);
  /// Moves what is the same in all rounds of a loop out of it: the reverse
  /// sweep then needs it once.
  void hoist(llvm::Function &F);
  /// Cleans up what was generated.
  void optimise(llvm::Function &F);

private:
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;
  llvm::PassBuilder Builder;
};

/// An internal copy of `F`, in SSA form and without what belongs to the
/// original alone. Calls of defined functions are part of it, but for recursive
/// ones. For reverse mode it has one return.
llvm::Function *prepare(llvm::Function &F, bool ForReverse, Passes &P);

/// Whether there are integers that were pointers, or numbers, and become such
/// again.
bool keepsPointersAsIntegers(llvm::Function &F);
/// Makes pointers of them.
void restorePointers(llvm::Function &F);

/// Whether every way on from `BB` ends without a return: in a panic, an abort
/// or the unwinding of all of the function. Nothing there has a derivative.
/// Known of what prepare() returns, and of copies of it.
bool isLost(const llvm::BasicBlock &BB);

/// Drops from `F` the attributes and metadata that a function with more
/// parameters, and more memory that it touches, cannot keep. That parameters do
/// not overlap stays true of a function and its reverse sweep, which only reads
/// what they lead to.
void dropPromises(llvm::Function &F);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_PREPARE_H
