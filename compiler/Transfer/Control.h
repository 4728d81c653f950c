//===- Control.h - When a block of a kernel runs ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TRANSFER_CONTROL_H
#define FERRY_COMPILER_TRANSFER_CONTROL_H

#include "Transfer/Formulas.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"

namespace ferry {

class ControlReader {
public:
  ControlReader(FormulaReader &Formulas, llvm::ScalarEvolution &SE,
                llvm::DominatorTree &DT, llvm::LoopInfo &LI)
      : Formulas(Formulas), SE(SE), DT(DT), LI(LI) {}

  /// Conditions that hold whenever `BB` runs, outer ones first.
  std::vector<Condition> necessary(llvm::BasicBlock &BB);

  /// Conditions under which `BB` certainly runs, once for each value of the
  /// turns of the loops around it that meets them. No value: they can't be
  /// told.
  std::optional<std::vector<Condition>> sufficient(llvm::BasicBlock &BB);

  /// Conditions that all turns of the loop but the first meet, and all turns
  /// before them but the first. Without a value, nothing is known.
  std::optional<std::vector<Condition>> repeats(const llvm::Loop &L);

  /// Conditions that hold whenever control goes from one block to the other.
  std::vector<Condition> necessary(llvm::BasicBlock &From,
                                   llvm::BasicBlock &To);

private:
  FormulaReader &Formulas;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;

  /// Which of the two questions is being answered.
  bool Sufficient = false;
  /// Conditions that lean on others are wanted, even if nothing is known then.
  bool Differences = false;

  bool read(llvm::Value &V, bool Truth, const llvm::Loop *At,
            std::vector<Condition> &To);
  bool readCompare(llvm::ICmpInst &Compare, bool Truth, const llvm::Loop *At,
                   std::vector<Condition> &To);
  bool readLess(const llvm::SCEV *L, const llvm::SCEV *R, bool OrEqual,
                bool Signed, const llvm::Loop *At, std::vector<Condition> &To);
  bool readEqual(const llvm::SCEV *L, const llvm::SCEV *R, bool Equal,
                 const llvm::Loop *At, std::vector<Condition> &To);
  bool addCondition(const llvm::SCEV *Value, const llvm::SCEV *Bound,
                    int64_t Plus, uint32_t Relation, const llvm::Loop *At,
                    std::vector<Condition> &To);
  bool addDifference(const llvm::SCEV *L, const llvm::SCEV *R, bool OrEqual,
                     bool Signed, const llvm::Loop *At,
                     std::vector<Condition> &To);
  bool stays(llvm::BasicBlock &From, llvm::BasicBlock &Leave,
             const llvm::Loop *At, std::vector<Condition> &To);
  bool staysBefore(llvm::BasicBlock &From, llvm::BasicBlock &Leave,
                   const llvm::Loop &L, std::vector<Condition> &To);
  bool isAmong(unsigned Turns, const llvm::SCEV *Last, const llvm::Loop &L,
               std::vector<Condition> &To);
  bool isBelow(unsigned Turns, const llvm::SCEV *Count, const llvm::Loop &L,
               std::vector<Condition> &To);
  bool keepsTurning(const llvm::Loop &L,
                    const llvm::SmallSetVector<llvm::BasicBlock *, 16> &Before,
                    std::vector<Condition> &To);
};

} // namespace ferry

#endif // FERRY_COMPILER_TRANSFER_CONTROL_H
