//===- Queries.cpp - Where a thread stands --------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indices of thread and block are registers, everything else follows from
// them and the launch's facts. A launch has at most 2^32 threads, so indices
// are computed in 32 bits, which is what GPUs do fast, and widened at the end.
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace ferry {

/// In a dimension with one thread or one block there is no need to ask.
static Value *threadIdx(IRBuilder<> &B, unsigned D, const LaunchFacts &Facts,
                        const GpuTarget &Gpu) {
  return match(Facts.Block[D], PatternMatch::m_One()) ? B.getInt32(0)
                                                      : Gpu.threadIdx(B, D);
}
static Value *blockIdx(IRBuilder<> &B, unsigned D, const LaunchFacts &Facts,
                       const GpuTarget &Gpu) {
  return match(Facts.Grid[D], PatternMatch::m_One()) ? B.getInt32(0)
                                                     : Gpu.blockIdx(B, D);
}

static Value *globalIdx(IRBuilder<> &B, unsigned D, const LaunchFacts &Facts,
                        const GpuTarget &Gpu) {
  return B.CreateNUWAdd(
      B.CreateNUWMul(blockIdx(B, D, Facts, Gpu), Facts.Block[D]),
      threadIdx(B, D, Facts, Gpu));
}

/// An extent of exactly 2^32 becomes 0 in 32 bits, and is then only ever
/// multiplied by 0, since the other extents are 1.
static Value *globalId(IRBuilder<> &B, const LaunchFacts &Facts,
                       const GpuTarget &Gpu) {
  Value *Id = globalIdx(B, 2, Facts, Gpu);
  for (unsigned D : {1, 0}) {
    Value *Extent = B.CreateTrunc(Facts.GlobalDim[D], B.getInt32Ty());
    Id = B.CreateAdd(B.CreateMul(Id, Extent), globalIdx(B, D, Facts, Gpu));
  }
  return Id;
}

static Value *answer(IRBuilder<> &B, Query Q, unsigned D,
                     const LaunchFacts &Facts, const GpuTarget &Gpu) {
  switch (Q) {
  case Query::ThreadIdx:
    return threadIdx(B, D, Facts, Gpu);
  case Query::BlockIdx:
    return blockIdx(B, D, Facts, Gpu);
  case Query::BlockDim:
    return Facts.Block[D];
  case Query::GridDim:
    return Facts.Grid[D];
  case Query::GlobalIdx:
    return globalIdx(B, D, Facts, Gpu);
  case Query::GlobalDim:
    return Facts.GlobalDim[D];
  case Query::GlobalId:
    return globalId(B, Facts, Gpu);
  case Query::WarpSize:
    return Gpu.warpSize(B);
  case Query::WarpLane:
    return Gpu.warpLane(B);
  case Query::DynamicSharedBytes:
    return Facts.DynamicShared;
  }
  llvm_unreachable("all queries are above");
}

void lowerQueries(Module &M, FactSource &Source, const GpuTarget &Gpu) {
  for (Function &F : M) {
    std::optional<Query> Q = queryFor(F);
    if (!Q)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallInst>(U);
      const LaunchFacts &Facts = Source.in(*Call->getFunction());
      IRBuilder<> B(Call);
      // A dimension that is not constant, even after inlining, is chosen from
      // all three; past 2 there is no promise.
      Value *Dimension = Call->arg_size() ? Call->getArgOperand(0) : nullptr;
      auto *Constant = dyn_cast_or_null<ConstantInt>(Dimension);
      Value *Result;
      if (!Dimension || Constant) {
        unsigned D = Constant ? Constant->getLimitedValue(2) : 0;
        Result = answer(B, *Q, D, Facts, Gpu);
      } else {
        Result = answer(B, *Q, 2, Facts, Gpu);
        for (unsigned D : {1, 0})
          Result = B.CreateSelect(B.CreateICmpEQ(Dimension, B.getInt32(D)),
                                  answer(B, *Q, D, Facts, Gpu), Result);
      }
      Call->replaceAllUsesWith(B.CreateZExtOrTrunc(Result, Call->getType()));
      Call->eraseFromParent();
    }
  }
}

} // namespace ferry
