//===- Uniformity.h - What all threads of a block agree on ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_UNIFORMITY_H
#define FERRY_COMPILER_LOWER_CPU_UNIFORMITY_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"

namespace ferry {

/// What the threads of a block have in common as they run `F`, those that panic
/// left out.
class Uniformity {
public:
  explicit Uniformity(llvm::Function &F);

  /// All threads know `V`, which `F` had, as the same value wherever it is
  /// used.
  bool isUniform(const llvm::Value *V) const { return Uniform.contains(V); }

  /// All threads come to the same collectives in the same order.
  bool meetsAtCollectives() const { return Meets; }

private:
  llvm::DenseSet<const llvm::Value *> Uniform;
  bool Meets = true;
};

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_UNIFORMITY_H
