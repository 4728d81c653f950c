//===- ActiveValues.h - What depends on the inputs --------------*- C++ -*-===//
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

/// The global variables that the functions to be differentiated, and what they
/// call, write or hand on. All others are constants to derivatives.
class ActiveGlobals {
public:
  /// Whether `F` or what it calls names a variable that could be one of them.
  static bool namesVariables(const llvm::Function &F);
  /// `F` and all that it calls are to be differentiated.
  void addFunction(const llvm::Function &F);
  bool contains(const llvm::GlobalVariable &G) const {
    return Active.contains(&G);
  }
  /// Whether one of them is part of `C`.
  bool isIn(const llvm::Constant &C) const;
  /// Whether `F`, or what it calls, names one of them.
  bool isNamedIn(const llvm::Function &F) const;

private:
  llvm::DenseSet<const llvm::GlobalVariable *> Active;

  void addUse(const llvm::Use &U);
};

/// Whether the integer operation `I` only moves whole bytes of its first
/// operand (and, for an `or`, of its second): then bits of a floating-point
/// number are still bits of that number.
bool movesBytes(const llvm::Instruction &I);

/// The values of a function that depend on its active arguments, or point to
/// memory that may.
class ActiveValues {
public:
  /// `Roots` are active besides these arguments.
  ActiveValues(llvm::Function &F, llvm::ArrayRef<bool> Arguments,
               const ActiveGlobals &Globals,
               llvm::ArrayRef<const llvm::Value *> Roots = {});
  bool contains(const llvm::Value *V) const;
  /// `New` stands for `Old` from now on.
  void replace(const llvm::Value &Old, const llvm::Value &New) {
    if (Active.erase(&Old))
      Active.insert(&New);
  }

private:
  const ActiveGlobals &Globals;
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
