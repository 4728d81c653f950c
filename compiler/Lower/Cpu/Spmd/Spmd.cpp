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

/// How often a thread goes round differs from the next thread's, so that the
/// branch predictor is wrong about where the loop ends. Unrolled at run time it
/// would be two loops, with two such ends.
static void keepRounds(Loop &Threads, const Shapes &S) {
  for (Loop *L : Threads.getLoopsInPreorder())
    if (L->isInnermost() && S.isDivergent(L))
      addStringMetadataToLoop(L, "llvm.loop.unroll.runtime.disable", 1);
}

/// Groups that are too many to be unrolled as a whole.
static constexpr unsigned ManyGroups = 16;

/// Else a block of known size would read all of its memory at once, in an order
/// that no prefetcher sees through.
static void limitUnrolling(Instruction &Latch) {
  static constexpr unsigned Most = 8;
  LLVMContext &Ctx = Latch.getContext();
  addLoopProperty(Latch, {MDString::get(Ctx, "llvm.loop.unroll.count"),
                          ConstantAsMetadata::get(
                              ConstantInt::get(Type::getInt32Ty(Ctx), Most))});
}

/// LLVM's vectoriser and unroller have nothing to gain in what remains.
static void markDone(Loop &L) {
  for (Loop *Each : L.getLoopsInPreorder())
    addStringMetadataToLoop(Each, "llvm.loop.isvectorized", 1);
  addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
}

namespace {
/// What a group does if its shapes are right.
struct Version {
  Shapes S;
  Ways W;
};

class Vectorizer {
public:
  Vectorizer(Function &F, BasicBlock *Header, const TargetTransformInfo &TTI)
      : TTI(TTI), DT(F), LI(DT), L(LI.getLoopFor(Header)) {
    simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
    formLCSSARecursively(*L, DT, &LI, nullptr);
    PDT.recalculate(F);
    C = findCandidate(*L, LI);
  }

  /// Takes groups of `Width` threads out of the loop; if that is 0, of as many
  /// as are best. `Rest` becomes what is then best for those that are left, if
  /// they can be groups again.
  bool run(unsigned Width, unsigned *Rest) {
    if (!C)
      return false;
    Order O(*L, LI);
    if (leaveToOne(O))
      return true;
    if (!Width)
      Width = bestWidth(O, *Rest);
    if (Width < 2 || !fitsStack(*C, Width))
      return false;
    using Trust = Shapes::Trust;
    std::optional<Version> Then = version(O, Width, Trust::WithinBounds);
    if (!Then)
      return false;
    std::optional<Version> Else = Then->S.trusted().empty()
                                      ? std::nullopt
                                      : version(O, Width, Trust::Nothing);
    GroupLoop Groups(*C, Width);
    Widener Trusting(*C, Width, O, Then->S, Then->W, LI, DT, PDT, Groups);
    std::optional<Widener> Wary;
    if (Else)
      Wary.emplace(*C, Width, O, Else->S, Else->W, LI, DT, PDT, Groups);
    Groups.choose(Then->S.trusted(), Trusting.entry(),
                  Wary ? Wary->entry() : nullptr);
    Trusting.write();
    if (Wary)
      Wary->write();
    Trusting.finish();
    if (Wary)
      Wary->finish();
    if (auto *To = dyn_cast<ConstantInt>(C->To);
        To && L->isInnermost() && To->getZExtValue() > ManyGroups * Width)
      limitUnrolling(*Groups.Latch->getTerminator());
    return true;
  }

private:
  const TargetTransformInfo &TTI;
  DominatorTree DT;
  LoopInfo LI;
  Loop *L;
  PostDominatorTree PDT;
  std::optional<Candidate> C;

  /// Threads that do nothing but hand on the same are as good as the first of
  /// them. (The part of a block that is behind a range check may be like that.)
  bool leaveToOne(const Order &O) {
    Shapes S(*C, 2, O, LI, PDT, Shapes::Trust::Nothing);
    auto DoesNothing = [](const BasicBlock *BB) {
      return none_of(*BB, [](const Instruction &I) {
        return !isIgnored(I) && I.mayHaveSideEffects();
      });
    };
    auto IsUniform = [&](const Candidate::Pass &P) {
      return S.of(P.On).isUniform();
    };
    if (!L->isInnermost() || !all_of(O.Blocks, DoesNothing) ||
        !all_of(C->Carried, IsUniform))
      return false;
    IRBuilder<> B(C->Preheader->getTerminator());
    Value *One = B.CreateBinaryIntrinsic(Intrinsic::umin, C->To,
                                         B.CreateAdd(C->From, B.getInt64(1)));
    Value *Any = B.CreateICmpULT(C->From, C->To);
    C->Test->replaceUsesOfWith(C->To, B.CreateSelect(Any, One, C->From));
    return true;
  }

  /// Nought if the loop is for others.
  unsigned bestWidth(const Order &O, unsigned &Rest) {
    if (isForOthers(*C, Shapes(*C, 8, O, LI, PDT, Shapes::Trust::Nothing)))
      return 0;
    Shapes Guess(*C, 8, O, LI, PDT, Shapes::Trust::WithinBounds);
    unsigned Register = threadsInRegister(O, Guess, LI, TTI);
    unsigned Width =
        groupSize(O, Register, interleaving(*C, O, Guess, LI, TTI));
    Rest = Width == Register ? 0 : Register;
    return Width;
  }

  /// The largest group of at most as many registers that does not do without
  /// what smaller ones have in common, and of which there is at least one.
  unsigned groupSize(const Order &O, unsigned Register, unsigned Registers) {
    using Trust = Shapes::Trust;
    auto *From = dyn_cast<ConstantInt>(C->From);
    auto *To = dyn_cast<ConstantInt>(C->To);
    Shapes Least(*C, Register, O, LI, PDT, Trust::WithinBounds);
    for (; Registers > 1; Registers /= 2) {
      unsigned Width = Register * Registers;
      if (From && To && From->getZExtValue() + Width > To->getZExtValue())
        continue;
      Shapes S(*C, Width, O, LI, PDT, Trust::WithinBounds);
      if (Width <= mostThreads(O, S) &&
          interleaving(*C, O, S, LI, TTI) >= Registers &&
          S.trusted().size() >= Least.trusted().size())
        break;
    }
    return Register * Registers;
  }

  std::optional<Version> version(const Order &O, unsigned Width,
                                 Shapes::Trust T) {
    Shapes S(*C, Width, O, LI, PDT, T);
    if (Width > mostThreads(O, S))
      return std::nullopt;
    if (mayWait(O, S, LI, DT, *C) || !agree(*C, S) ||
        !(ForcedWidth || (isProfitable(*C, O, S, LI, TTI, Width) &&
                          !goAlongRows(*C, O, S, LI, DT)))) {
      if (T == Shapes::Trust::WithinBounds)
        keepRounds(*L, S);
      return std::nullopt;
    }
    std::optional<Ways> W = linearize(*C, O, S, LI);
    if (!W)
      return std::nullopt;
    return Version{std::move(S), std::move(*W)};
  }
};
} // namespace

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
    if (!spmd::Vectorizer(F, Header, TTI).run(ForcedWidth, &Rest))
      continue;
    // Large groups leave much to smaller ones.
    if (Rest)
      spmd::Vectorizer(F, Header, TTI).run(Rest, nullptr);
    DominatorTree NewDT(F);
    LoopInfo NewLI(NewDT);
    spmd::markDone(*NewLI.getLoopFor(Header));
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ferry
