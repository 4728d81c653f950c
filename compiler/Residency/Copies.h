//===- Copies.h - Functions of this module's own ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class's member functions can be called from other modules, with whatever
// memory, and another module's body may take the place of an inline function's.
// Of neither could anything be said. So, before memory is followed, such
// functions are copied for the calls in this module; those that turn out to
// have nothing to say are called again as they were.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RESIDENCY_COPIES_H
#define FERRY_COMPILER_RESIDENCY_COPIES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"

namespace ferry {

/// Other modules, or pointers to the function, may call it.
bool hasUnseenCallers(const llvm::Function &F);

class FunctionCopies {
public:
  /// Makes the copies, and has the calls that are seen call them.
  explicit FunctionCopies(llvm::Module &M);

  /// Erases those for which `SaysSomething` is false, and that call none for
  /// which it is true.
  void drop(llvm::function_ref<bool(llvm::Function &)> SaysSomething,
            llvm::FunctionAnalysisManager &FAM);

private:
  llvm::MapVector<llvm::Function *, llvm::Function *> OriginalOf;
};

} // namespace ferry

#endif // FERRY_COMPILER_RESIDENCY_COPIES_H
