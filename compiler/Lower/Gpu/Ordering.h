//===- Ordering.h - In which order a kernel computes ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_GPU_ORDERING_H
#define FERRY_COMPILER_LOWER_GPU_ORDERING_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// Puts the operands of each expression in the order that takes the fewest
/// registers. Drops assumptions, so it comes after all that asks for them.
struct OrderExpressionsPass : llvm::PassInfoMixin<OrderExpressionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &Analyses);
};

/// Computes addresses and the like no earlier than where they are first used.
/// Values that could be made from each other lie apart afterwards.
struct DeferValuesPass : llvm::PassInfoMixin<DeferValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &Analyses);
};

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_GPU_ORDERING_H
