//===- Candidate.h - A loop over threads that can be widened ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_SPMD_CANDIDATE_H
#define FERRY_COMPILER_LOWER_CPU_SPMD_CANDIDATE_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"

namespace ferry::spmd {

/// An array of each thread's own.
struct PrivateArray {
  llvm::AllocaInst *Alloca;
  /// If every access is of one element of so many bytes, the threads' copies
  /// are interleaved, element by element; 0: they lie one behind the other.
  uint64_t Unit = 0;
};

/// `for (Induction = From; Induction < To; ++Induction)`, tested in the header.
struct Candidate {
  llvm::Loop *L;
  llvm::BasicBlock *Preheader, *Header, *Latch, *Exit;
  llvm::BasicBlock *Start; ///< where a thread begins
  llvm::PHINode *Induction = nullptr;
  llvm::Instruction *Test, *Step;
  llvm::Value *From, *To;
  /// What a thread gets from the one before it and hands on, as it is or
  /// replaced, without looking at it.
  struct Pass {
    llvm::PHINode *Phi;
    llvm::Value *On;
  };
  llvm::SmallVector<Pass, 2> Carried;
  llvm::SmallVector<PrivateArray, 2> Arrays;

  /// The loop's own arithmetic, of which a widened loop has its own.
  bool isControl(const llvm::Instruction &I) const {
    return (&I == Test && Test->hasOneUse()) ||
           (&I == Step && Step->hasOneUse()) || &I == Induction;
  }
};

/// The parts of `L` if it has the form and nothing in it speaks against
/// running its threads in step.
std::optional<Candidate> findCandidate(llvm::Loop &L, llvm::LoopInfo &LI);

/// Finds the arrays that are a thread's own. False if one cannot be copied.
bool findPrivateArrays(Candidate &C);

/// Whether an instruction is of no consequence for the result.
bool isIgnored(const llvm::Instruction &I);

} // namespace ferry::spmd

#endif // FERRY_COMPILER_LOWER_CPU_SPMD_CANDIDATE_H
