//===- Rules.h - Derivatives of single operations ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_RULES_H
#define FERRY_COMPILER_AUTODIFF_RULES_H

#include "Autodiff/Expression.h"
#include "llvm/ADT/ArrayRef.h"

namespace ferry::ad {

struct Rule;

/// The rule for `I`: an operator, an intrinsic or a function of libm. Null if
/// there is none, or if the program defines that function itself.
const Rule *findRule(const llvm::Instruction &I);

/// How many of the operation's operands the rule can be asked for. 0: the
/// derivative is zero everywhere.
unsigned operandCount(const Rule &R);

/// What a rule calls R, where others have the number of an operand.
constexpr unsigned ResultOfRule = ~0U;

/// What comes out of the rule for operand `Index` where `D` comes in. `Read`
/// gives operand i, or the result for ResultOfRule.
llvm::Value *applyRule(const Rule &R, unsigned Index, llvm::IRBuilderBase &B,
                       llvm::Value *D, Operand::Reader Read);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_RULES_H
