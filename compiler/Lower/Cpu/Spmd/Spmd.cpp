//===- Spmd.cpp - Thread loops in vector registers ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU runs the threads of a warp in step, one instruction for all of them.
// This pass makes a CPU's vector unit do the same, as ISPC does for its
// language: of a loop over threads it makes one over groups of as many threads
// as fit a register, whatever loops and branches a thread has in it (LLVM's own
// vectoriser takes innermost loops only). The way from one to the other:
//
//   Candidate       which loops are fit for it
//   PrivateArrays   arrays that each thread needs for itself
//   Order           the blocks of a thread, one behind the other
//   Shapes          what a group has in common: values, control
//   Profit          how many threads are a group, and whether it pays
//   Linearize       where control goes when threads part
//   Widener         the code: Widener, Control, Memory
//
// What remains at the end of the range, less than a group, is left to the
// scalar loop. Loops that LLVM's vectoriser does well with are left to it:
// those with straight accesses to consecutive elements and no loop of their
// own.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Spmd.h"
#include "Lower/Cpu/Spmd/Profit.h"
#include "Lower/Cpu/Spmd/Widener.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ferry {

static cl::opt<unsigned>
    ForcedWidth("ferry-spmd-width", cl::Hidden,
                cl::desc("Threads in a group; 1 turns the vectoriser off"));

namespace spmd {

/// As many as there are in the largest group, and as a mask has bits.
static constexpr unsigned MaxThreads = 256, MaxMasked = 64;

/// Stack that private arrays may take.
static constexpr uint64_t LargestArrays = 256 * 1024;

/// Whether how often a thread goes round is settled when it enters: every
/// round asks the same questions, about what memory has no say in.
static bool isCounted(const Loop &L, const DominatorTree &DT) {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Instruction *> Open;
  auto Ask = [&](const Value *V) {
    if (auto *I = dyn_cast<Instruction>(V);
        I && L.contains(I) && Seen.insert(I).second)
      Open.push_back(I);
  };
  for (const BasicBlock *BB : Exiting) {
    if (!DT.dominates(BB, L.getLoopLatch()))
      return false;
    Ask(BB->getTerminator());
  }
  while (!Open.empty()) {
    const Instruction *I = Open.pop_back_val();
    if (I->mayReadOrWriteMemory() ||
        (isa<PHINode>(I) && I->getParent() != L.getHeader()))
      return false;
    for (const Value *Op : I->operands())
      Ask(Op);
  }
  return true;
}

/// Whether a thread may wait in lock step for one that cannot go on.
static bool mayWait(const Order &O, const Shapes &S, const LoopInfo &LI,
                    const DominatorTree &DT, const Candidate &C) {
  for (BasicBlock *BB : O.Blocks)
    for (const Loop *L = LI.getLoopFor(BB); L != C.L; L = L->getParentLoop())
      if (S.isDivergent(L) && !isCounted(*L, DT))
        for (const Instruction &I : *BB)
          if (I.isAtomic() || I.isVolatile())
            return true;
  return false;
}

/// Whether threads that replace what they are handed agree about it.
static bool agree(const Candidate &C, const Shapes &S) {
  for (const Candidate::Pass &P : C.Carried) {
    SmallPtrSet<const Value *, 8> Seen{P.On};
    SmallVector<const Value *> Open{P.On};
    const Value *Replacement = nullptr;
    while (!Open.empty()) {
      const Value *V = Open.pop_back_val();
      if (V == P.Phi || isa<UndefValue>(V))
        continue;
      if (S.of(V).isUniform()) {
        if (Replacement)
          return false;
        Replacement = V;
        continue;
      }
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !isa<PHINode, SelectInst>(I))
        return false;
      for (const Value *Op : drop_begin(I->operands(), isa<SelectInst>(I)))
        if (Seen.insert(Op).second)
          Open.push_back(Op);
    }
  }
  return true;
}

static bool fitsStack(const Candidate &C, unsigned Width) {
  const DataLayout &DL = C.Header->getModule()->getDataLayout();
  uint64_t Bytes = 0;
  for (const PrivateArray &A : C.Arrays)
    Bytes += Width * DL.getTypeAllocSize(A.Alloca->getAllocatedType());
  return Bytes <= LargestArrays;
}

static unsigned mostThreads(const Order &O, const Shapes &S) {
  bool Masks =
      any_of(O.Blocks, [&](const BasicBlock *BB) { return S.isMasked(BB); });
  return Masks ? MaxMasked : MaxThreads;
}

/// The largest group of at most as many registers that does not do without what
/// smaller ones have in common, and of which there is at least one.
static unsigned groupSize(const Candidate &C, const Order &O,
                          const LoopInfo &LI, const PostDominatorTree &PDT,
                          const TargetTransformInfo &TTI, unsigned Register,
                          unsigned Registers) {
  auto *From = dyn_cast<ConstantInt>(C.From), *To = dyn_cast<ConstantInt>(C.To);
  for (; Registers > 1; Registers /= 2) {
    unsigned Width = Register * Registers;
    if (From && To && From->getZExtValue() + Width > To->getZExtValue())
      continue;
    Shapes S(C, Width, O, LI, PDT);
    if (Width <= mostThreads(O, S) &&
        interleaving(C, O, S, LI, TTI) >= Registers)
      break;
  }
  return Register * Registers;
}

/// How often a thread goes round differs from the next thread's, so that the
/// branch predictor is wrong about where the loop ends. Unrolled at run time it
/// would be two loops, with two such ends.
static void keepRounds(Loop &Threads, const Shapes &S) {
  for (Loop *L : Threads.getLoopsInPreorder())
    if (L->isInnermost() && S.isDivergent(L))
      addStringMetadataToLoop(L, "llvm.loop.unroll.runtime.disable", 1);
}

/// LLVM's vectoriser and unroller have nothing to gain in what remains.
static void markDone(Loop &L) {
  for (Loop *Each : L.getLoopsInPreorder())
    addStringMetadataToLoop(Each, "llvm.loop.isvectorized", 1);
  addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
}

/// Takes groups of `Width` threads out of `L`.
static bool vectorize(Function &F, BasicBlock *Header, unsigned Width,
                      const TargetTransformInfo &TTI, unsigned *Rest) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  Loop *L = LI.getLoopFor(Header);
  simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
  formLCSSARecursively(*L, DT, &LI, nullptr);
  PostDominatorTree PDT(F);
  std::optional<Candidate> C = findCandidate(*L, LI);
  if (!C)
    return false;
  Order O(*L, LI);
  if (!Width) {
    Shapes Guess(*C, 8, O, LI, PDT);
    if (isForOthers(*C, Guess))
      return false;
    unsigned Register = threadsInRegister(O, Guess, LI, TTI);
    Width = groupSize(*C, O, LI, PDT, TTI, Register,
                      interleaving(*C, O, Guess, LI, TTI));
    *Rest = Width == Register ? 0 : Register;
  }
  Shapes S(*C, Width, O, LI, PDT);
  if (Width < 2 || Width > mostThreads(O, S) || !fitsStack(*C, Width))
    return false;
  if (mayWait(O, S, LI, DT, *C) || !agree(*C, S) ||
      !(ForcedWidth || isProfitable(*C, O, S, LI, TTI, Width))) {
    keepRounds(*L, S);
    return false;
  }
  std::optional<Ways> W = linearize(*C, O, S, LI);
  if (!W)
    return false;
  Widener(*C, Width, O, S, *W, LI, DT, PDT).run();
  return true;
}

} // namespace spmd

static SmallVector<BasicBlock *> threadLoopHeaders(Function &F) {
  SmallVector<BasicBlock *> Headers;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (BasicBlock *Latch = L->getLoopLatch();
        Latch && isThreadLoop(*Latch->getTerminator()))
      Headers.push_back(L->getHeader());
  return Headers;
}

PreservedAnalyses SpmdPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const TargetTransformInfo &TTI = FAM.getResult<TargetIRAnalysis>(F);
  bool Changed = false;
  for (BasicBlock *Header : threadLoopHeaders(F)) {
    DominatorTree DT(F);
    LoopInfo LI(DT);
    ReversePostOrderTraversal<const Function *> RPO(&F);
    if (containsIrreducibleCFG<const BasicBlock *>(RPO, LI))
      continue;
    Changed =
        true; // loops are brought into form, whether they are taken or not
    unsigned Rest = 0;
    if (!spmd::vectorize(F, Header, ForcedWidth, TTI, &Rest))
      continue;
    // Large groups leave much to smaller ones.
    if (Rest)
      spmd::vectorize(F, Header, Rest, TTI, nullptr);
    DominatorTree NewDT(F);
    LoopInfo NewLI(NewDT);
    spmd::markDone(*NewLI.getLoopFor(Header));
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ferry
