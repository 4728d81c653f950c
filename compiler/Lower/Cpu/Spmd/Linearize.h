//===- Linearize.h - One way through divergent code -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_LINEARIZE_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_LINEARIZE_H

#include "Lower/Cpu/Spmd/Shapes.h"

namespace ferry::spmd {

/// How control goes on at the end of a block.
struct Way {
  enum Kind {
    Fork,   ///< as in the scalar code; Next has one block for each successor
    Line,   ///< to Next[0], whatever the threads do
    Repeat, ///< to the loop's header Next[0] while any thread goes on; then to
            ///< Next[1]
    End     ///< the thread's end
  } K;
  llvm::SmallVector<llvm::BasicBlock *, 2> Next;
};

using Ways = llvm::DenseMap<const llvm::BasicBlock *, Way>;

/// No value where the code would need what the widener does not have.
std::optional<Ways> linearize(const Candidate &C, const Order &O,
                              const Shapes &S, const llvm::LoopInfo &LI);

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_LINEARIZE_H
