//===- Convergence.h - Where threads of a block meet ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_CONVERGENCE_H
#define FERRY_COMPILER_LOWER_GPU_CONVERGENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace ferry {

using Sites = llvm::SmallVector<llvm::CallBase *, 8>;

/// Makes each of `Calls` the first instruction of its block.
void isolate(llvm::ArrayRef<llvm::CallBase *> Calls);

/// Groups of `Barriers` (isolated calls of `F`) among which threads of a warp
/// may part: some come to one of the group while others come to another. To a
/// barrier in no group all come together, but for those that never come to a
/// barrier again.
std::vector<Sites> dividedBarriers(llvm::Function &F,
                                   llvm::ArrayRef<llvm::CallBase *> Barriers,
                                   llvm::FunctionAnalysisManager &Analyses);

/// Those of `Meetings` (isolated calls of `F`) that some threads of a warp may
/// pass by while others come to them, again but for threads that never come to
/// another.
llvm::SmallPtrSet<llvm::CallBase *, 8>
partialMeetings(llvm::Function &F, llvm::ArrayRef<llvm::CallBase *> Meetings,
                llvm::FunctionAnalysisManager &Analyses);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_CONVERGENCE_H
