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
#include "Lower/Cpu/Spmd/Widener.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <map>

using namespace llvm;

namespace ferry {

static cl::opt<unsigned>
    ForcedWidth("ferry-spmd-width", cl::Hidden,
                cl::desc("Threads in a group; 1 turns the vectoriser off"));

namespace spmd {

/// Stack that private arrays may take.
static constexpr uint64_t LargestArrays = 256 * 1024;

/// Whether a thread may wait in lock step for one that cannot go on.
static bool mayWait(const Order &O, const Shapes &S, const LoopInfo &LI,
                    const Candidate &C) {
  for (BasicBlock *BB : O.Blocks)
    for (const Loop *L = LI.getLoopFor(BB); L != C.L; L = L->getParentLoop())
      if (S.isDivergent(L))
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

/// Blocks of a thread loop whose body has one `if` at most.
static constexpr unsigned SimpleBlocks = 4;

/// Whether LLVM's vectoriser can be left alone with the loop.
static bool isSimple(const Candidate &C, const Shapes &S) {
  if (!C.L->isInnermost() || !C.Arrays.empty() || !C.Carried.empty() ||
      C.L->getNumBlocks() > SimpleBlocks)
    return false;
  const DataLayout &DL = C.Header->getModule()->getDataLayout();
  for (BasicBlock *BB : C.L->blocks())
    for (Instruction &I : *BB) {
      if (I.getType()->isStructTy())
        return false;
      if (isIgnored(I) || !I.mayReadOrWriteMemory())
        continue;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer || I.isAtomic())
        return false;
      Shape Is = S.of(Pointer);
      if (!Is.isUniform() &&
          (Is.isVarying() || std::abs(Is.Stride) != int64_t(DL.getTypeStoreSize(
                                                        getLoadStoreType(&I)))))
        return false;
    }
  return true;
}

/// The bits of the elements that most of the varying work is done on.
static unsigned elementBits(const Order &O, const Shapes &S,
                            const LoopInfo &LI) {
  const DataLayout &DL = O.Blocks.front()->getModule()->getDataLayout();
  std::map<unsigned, uint64_t> Work;
  for (BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB) {
      Type *T = I.getType();
      if (auto *Store = dyn_cast<StoreInst>(&I))
        T = Store->getValueOperand()->getType();
      else if (!S.of(&I).isVarying())
        continue;
      if (T->isIntegerTy(1) || T->isPointerTy() || !T->isSingleValueType() ||
          isa<CastInst>(I))
        continue;
      Work[DL.getTypeSizeInBits(T)] +=
          uint64_t(1) << (4 * std::min(LI.getLoopDepth(BB), 8u));
    }
  unsigned Bits = 32;
  uint64_t Most = 0;
  for (auto [Size, Amount] : Work)
    if (Amount >= Most) {
      Most = Amount;
      Bits = Size;
    }
  return std::clamp(Bits, 8u, 64u);
}

static unsigned registerBits(const TargetTransformInfo &TTI) {
  return TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
      .getFixedValue();
}

static bool fitsStack(const Candidate &C, unsigned Width) {
  const DataLayout &DL = C.Header->getModule()->getDataLayout();
  uint64_t Bytes = 0;
  for (const PrivateArray &A : C.Arrays)
    Bytes += Width * DL.getTypeAllocSize(A.Alloca->getAllocatedType());
  return Bytes <= LargestArrays;
}

/// LLVM's vectoriser and unroller have nothing to gain in what remains.
static void markDone(Loop &L) {
  for (Loop *Each : L.getLoopsInPreorder())
    addStringMetadataToLoop(Each, "llvm.loop.isvectorized", 1);
  addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
}

static bool vectorize(Candidate &C, const LoopInfo &LI, const DominatorTree &DT,
                      const PostDominatorTree &PDT,
                      const TargetTransformInfo &TTI) {
  Order O(*C.L, LI);
  unsigned Width = ForcedWidth;
  if (!Width) {
    Shapes Guess(C, 8, O, LI, PDT);
    if (isSimple(C, Guess))
      return false;
    Width = registerBits(TTI) / elementBits(O, Guess, LI);
  }
  if (Width < 2 || Width > 64 || !fitsStack(C, Width))
    return false;
  Shapes S(C, Width, O, LI, PDT);
  if (mayWait(O, S, LI, C) || !agree(C, S))
    return false;
  std::optional<Ways> W = linearize(C, O, S, LI);
  if (!W)
    return false;
  Widener(C, Width, O, S, *W, LI, DT, PDT).run();
  markDone(*C.L);
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
    Loop *L = LI.getLoopFor(Header);
    Changed |= simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
    formLCSSARecursively(*L, DT, &LI, nullptr);
    PostDominatorTree PDT(F);
    std::optional<spmd::Candidate> C = spmd::findCandidate(*L, LI);
    Changed |= C && spmd::vectorize(*C, LI, DT, PDT, TTI);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ferry
