//===- Assumptions.h - What a group of threads is trusted with --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_ASSUMPTIONS_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_ASSUMPTIONS_H

#include "llvm/IR/IRBuilder.h"

namespace ferry::spmd {

/// `I`, a function of one operand that differs between threads by a stride,
/// and at most one other that does not differ. Or a comparison that decides
/// whether a loop goes on: `Operand + k * Step < Other` in its k-th iteration.
struct Bounded {
  const llvm::Instruction *I;
  const llvm::Value *Operand, *Other;
  int64_t Stride;
  unsigned Width; ///< threads in a group
  const llvm::Value *Step = nullptr;
  llvm::CmpInst::Predicate GoesOn = llvm::CmpInst::BAD_ICMP_PREDICATE;
  bool AfterStep = false; ///< the first comparison is of Operand + Step

  /// From the first thread's operand to the last one's.
  int64_t span() const { return Stride * int64_t(Width - 1); }
};

/// The stride of the result if the group lies between two boundaries. Nothing
/// if there is no such stride, or if no group can lie so.
std::optional<int64_t> strideWithinBounds(const Bounded &Of);

/// Whether a group lies between two boundaries. `First` is the first thread's
/// operand, the others are what they are for all.
llvm::Value *liesWithinBounds(llvm::IRBuilder<> &B, const Bounded &Of,
                              llvm::Value *First, llvm::Value *Other,
                              llvm::Value *Step = nullptr);

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_ASSUMPTIONS_H
