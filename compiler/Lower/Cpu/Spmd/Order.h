//===- Order.h - Blocks of a thread in one line -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_ORDER_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_ORDER_H

#include "Lower/Cpu/Spmd/Candidate.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry::spmd {

/// The blocks of a loop so that each comes after all from which control can
/// reach it (back edges apart) and the blocks of every loop are neighbours.
struct Order {
  llvm::SmallVector<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Index;

  Order(const llvm::Loop &L, const llvm::LoopInfo &LI);

  bool isBackEdge(const llvm::BasicBlock *From,
                  const llvm::BasicBlock *To) const {
    return Index.lookup(To) <= Index.lookup(From);
  }
};

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_ORDER_H
