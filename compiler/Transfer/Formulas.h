//===- Formulas.h - From scalar evolution to formulas -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TRANSFER_FORMULAS_H
#define FERRY_COMPILER_TRANSFER_FORMULAS_H

#include "Transfer/Access.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

namespace ferry {

/// `A`, `B`, and the operation on both.
Formula combine(Formula A, const Formula &B, uint32_t Code);
Formula constant(int64_t Value);
/// With FERRY_OP_ZEXT or SEXT from `Bits` bits.
Formula wrapped(Formula F, uint32_t Code, uint64_t Bits);

void add(Sum &To, const Sum &Other);
void scale(Sum &S, const Formula &By);
/// All values of the sum.
Formula flatten(const Sum &S);

/// Reads one kernel's expressions. What it cannot express, or only in more
/// operations than the run time takes, has no value.
class FormulaReader {
public:
  FormulaReader(const Kernel &K, llvm::Function &F, llvm::ScalarEvolution &SE);

  std::vector<Symbol> Symbols;

  /// The values that `S` has, modulo 2^(its bits).
  std::optional<Formula> formula(const llvm::SCEV *S);

  /// The same as a sum over the thread's place and the turns of the loops
  /// around `At`. What must hold for that goes to `Conditions`. The kernel
  /// looks at the number as a signed or an unsigned one.
  std::optional<Sum> sum(const llvm::SCEV *S, const llvm::Loop *At,
                         std::vector<Condition> &Conditions,
                         bool IsSigned = true);

  /// Such a sum of `S` would have terms.
  bool hasTerms(const llvm::SCEV *S, const llvm::Loop *At);

  /// The turns of a loop: 0 in the first.
  unsigned turnsOf(const llvm::Loop &L);
  /// Their number is exactly the symbol's count, as long as the loop is left
  /// at its latch.
  bool isCounted(const llvm::Loop &L) { return Counted.contains(&L); }

  unsigned addSymbol(const llvm::Twine &Name, Formula Count);

private:
  const Kernel &K;
  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::DenseMap<const llvm::Loop *, unsigned> Turns;
  llvm::DenseSet<const llvm::Loop *> Counted;
  unsigned Depth = 0;

  std::optional<Formula> formulaOf(const llvm::SCEV *S);
  std::optional<Formula> unknown(const llvm::SCEVUnknown &U);
  std::optional<Formula> select(llvm::SelectInst &S);
  std::optional<Formula> rangeOf(const llvm::SCEV *S);
  std::optional<Formula> fold(const llvm::SCEVNAryExpr &S, uint32_t Code,
                              uint32_t Wrap);
  std::optional<Sum> place(llvm::Value *V);
  Sum position(unsigned Dimension);
  std::optional<Formula> signedFormula(const llvm::SCEV *S);
  std::optional<Sum> sumOf(const llvm::SCEV *S, const llvm::Loop *At,
                           bool IsSigned, std::vector<Condition> &Conditions);
};

} // namespace ferry

#endif // FERRY_COMPILER_TRANSFER_FORMULAS_H
