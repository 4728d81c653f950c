//===- ActiveValues.h - What depends on the inputs ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_ACTIVEVALUES_H
#define FERRY_COMPILER_AUTODIFF_ACTIVEVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace ferry::ad {

/// Whether a value of type `T` can have a derivative, lead to one, or be bits
/// of one: numbers, pointers and integers of whole bytes.
bool mayCarry(const llvm::Type *T);
bool containsPointer(const llvm::Type *T);
bool containsFloat(const llvm::Type *T);

/// Whether the program writes `G` and it can hold something with a derivative.
bool isActiveGlobal(const llvm::GlobalVariable &G);

/// Whether `F`, or what it calls, names an active global variable.
bool namesActiveGlobal(const llvm::Function &F);

/// Whether the integer operation `I` only moves whole bytes of its first
/// operand (and, for an `or`, of its second): then bits of a floating-point
/// number are still bits of that number.
bool movesBytes(const llvm::Instruction &I);

/// The values of a function that depend on its active arguments, or point to
/// memory that may.
class ActiveValues {
public:
  ActiveValues(llvm::Function &F, llvm::ArrayRef<bool> Arguments);
  bool contains(const llvm::Value *V) const;

private:
  llvm::DenseSet<const llvm::Value *> Active;
  llvm::SmallVector<const llvm::Value *> Work;
  /// Local memory becomes active when one of these does.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Value *, 1>>
      Triggers;

  void add(const llvm::Value *V);
  void addObject(const llvm::Instruction &Object);
  bool follows(const llvm::Instruction &I) const;
};

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_ACTIVEVALUES_H
