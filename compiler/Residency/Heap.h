//===- Heap.h - Calls that allocate and free --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RESIDENCY_HEAP_H
#define FERRY_COMPILER_RESIDENCY_HEAP_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace ferry {

/// The call returns memory that nobody else has, of a size that is known when
/// the program runs.
bool allocates(const llvm::CallBase &Call, const llvm::TargetLibraryInfo &TLI);

/// That size, with instructions before the call if need be. Null: not known.
llvm::Value *allocatedBytes(llvm::CallBase &Call,
                            const llvm::TargetLibraryInfo &TLI);

/// The pointer that the call frees, or null.
llvm::Value *freedPointer(const llvm::CallBase &Call,
                          const llvm::TargetLibraryInfo &TLI);

/// The pointer that the call frees unless it returns it as it is, or null.
llvm::Value *reallocatedPointer(const llvm::CallBase &Call);

} // namespace ferry

#endif // FERRY_COMPILER_RESIDENCY_HEAP_H
