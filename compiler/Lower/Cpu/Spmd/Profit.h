//===- Profit.h - Whether groups of threads pay -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_PROFIT_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_PROFIT_H

#include "Lower/Cpu/Spmd/Shapes.h"
#include "llvm/IR/Dominators.h"

namespace ferry::spmd {

/// Whether LLVM's vectoriser does at least as well.
bool isForOthers(const Candidate &C, const Shapes &S);

/// The threads whose values, of the kind that most is done with, fill a vector
/// register.
unsigned threadsInRegister(const Order &O, const Shapes &S,
                           const llvm::LoopInfo &LI,
                           const llvm::TargetTransformInfo &TTI);

/// How many registers of threads should be in a group.
unsigned interleaving(const Candidate &C, const Order &O, const Shapes &S,
                      const llvm::LoopInfo &LI,
                      const llvm::TargetTransformInfo &TTI);

/// Whether threads go along a row of memory each. LLVM's vectoriser makes
/// vectors of the row; together they would touch a line of each.
bool goAlongRows(const Candidate &C, const Order &O, const Shapes &S,
                 llvm::LoopInfo &LI, llvm::DominatorTree &DT);

bool isProfitable(const Candidate &C, const Order &O, const Shapes &S,
                  const llvm::LoopInfo &LI,
                  const llvm::TargetTransformInfo &TTI, unsigned Width);

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_PROFIT_H
