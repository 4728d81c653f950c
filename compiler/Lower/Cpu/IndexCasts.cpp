//===- IndexCasts.cpp - Indices of 32 bits, written as such ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's indices are sums of 32 bits, extended where memory is accessed.
// Since positions are of 64 bits in the loops over threads, LLVM makes
// `x & 0xffffffff` out of the way there and back. The vectoriser for threads
// knows when an extended index keeps its stride, and can test it, but nothing
// about masks, so they become a truncation and an extension again.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

void writeIndexCasts(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Index;
    if (!I.getType()->isIntegerTy(64) ||
        !match(&I, m_And(m_Value(Index), m_SpecificInt(UINT32_MAX))))
      continue;
    IRBuilder<> B(&I);
    Value *New =
        B.CreateZExt(B.CreateTrunc(Index, B.getInt32Ty()), I.getType());
    New->takeName(&I);
    I.replaceAllUsesWith(New);
    I.eraseFromParent();
  }
}

} // namespace ferry
