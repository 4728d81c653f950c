//===- Callees.h - What functions without a body do -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_CALLEES_H
#define FERRY_COMPILER_AUTODIFF_CALLEES_H

#include "llvm/IR/InstrTypes.h"

namespace ferry::ad {

enum class Callee {
  Defined,    ///< has a body to differentiate
  Rule,       ///< Rules.def has it
  Allocation, ///< malloc and the like: returns a new block
  Release,    ///< free and the like
  Memory,     ///< memcpy, memmove, memset: the intrinsics
  Inactive,   ///< derivatives pass it by: it reads what it is given at most
  Unknown
};

/// What `Call` calls, as far as its derivative is concerned.
Callee classify(const llvm::CallBase &Call);

/// Whether `F` is Rust's realloc(block, size, alignment, new size).
bool isRustRealloc(const llvm::Function &F);

/// The function that `Call` calls, or null for an indirect call.
llvm::Function *calledFunction(const llvm::CallBase &Call);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_CALLEES_H
