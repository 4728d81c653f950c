//===- Candidate.cpp - Which thread loops can be widened ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A marked loop says already that its threads are independent, so what is left
// to check is form, and that no thread waits for another. Threads that run in
// step all stay in a loop until the last of them leaves it. A loop that some
// thread can leave only once another one has gone on, like a spin lock's, would
// never end; such a loop has atomic or volatile operations in it, and threads
// leave it at different times. (That is checked where divergence is known.)
//
// Between regions of a kernel with barriers, a loop may hand on a value that
// all of its threads agree about, from thread to thread (a Carried phi). Nobody
// looks at it before the end, so that the group's is as good as a thread's.
//
// Convergent calls mean more than one thread already, and functions that find
// a thread's position in thread-local storage would find one for all threads.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Candidate.h"
#include "Lower/Cpu/Spmd/Spmd.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

static constexpr StringLiteral MarkName = "ferry.threads";

void addLoopProperty(Instruction &Latch, ArrayRef<Metadata *> Property) {
  LLVMContext &Ctx = Latch.getContext();
  SmallVector<MDNode *, 1> Added;
  if (!Property.empty())
    Added.push_back(MDNode::get(Ctx, Property));
  Latch.setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(
          Ctx, Latch.getMetadata(LLVMContext::MD_loop), {}, Added));
}

void markThreadLoop(BranchInst &Latch) {
  addLoopProperty(Latch, {MDString::get(Latch.getContext(), MarkName)});
}

bool isThreadLoop(const Instruction &Latch) {
  return findOptionMDForLoopID(Latch.getMetadata(LLVMContext::MD_loop),
                               MarkName);
}

namespace spmd {

bool isIgnored(const Instruction &I) {
  if (isa<DbgInfoIntrinsic>(I) || I.isLifetimeStartOrEnd())
    return true;
  switch (cast_if_present<IntrinsicInst>(dyn_cast<IntrinsicInst>(&I))
              ? cast<IntrinsicInst>(I).getIntrinsicID()
              : Intrinsic::not_intrinsic) {
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
    return true;
  default:
    return false;
  }
}

/// Single values, and flat structs of them as cmpxchg and with.overflow give.
static bool isSupportedType(const Type *T) {
  if (T->isVoidTy() || T->isLabelTy() || T->isMetadataTy())
    return true;
  if (auto *S = dyn_cast<StructType>(T))
    return all_of(S->elements(), [](const Type *E) {
      return VectorType::isValidElementType(const_cast<Type *>(E)) &&
             !E->isX86_FP80Ty();
    });
  return VectorType::isValidElementType(const_cast<Type *>(T)) &&
         !T->isX86_FP80Ty() && !T->isPPC_FP128Ty();
}

static bool isSupported(const Instruction &I) {
  if (isIgnored(I))
    return true;
  if (!isSupportedType(I.getType()) || isa<AllocaInst>(I) || I.isEHPad())
    return false;
  for (const Value *Op : I.operands())
    if (!isSupportedType(Op->getType()))
      return false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isa<CallInst>(I) && !Call->isConvergent() &&
           !Call->cannotDuplicate() && !Call->isInlineAsm() &&
           !Call->isMustTailCall() && !Call->hasOperandBundles();
  return !I.isTerminator() || isa<BranchInst>(I) || isa<SwitchInst>(I);
}

/// The test at the head of the loop; sets C.Test, C.To and C.Start.
static bool findTest(Candidate &C) {
  auto *Branch = dyn_cast<BranchInst>(C.Header->getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Test)
    return false;
  bool Enters = C.L->contains(Branch->getSuccessor(0));
  C.Start = Branch->getSuccessor(Enters ? 0 : 1);
  C.Exit = Branch->getSuccessor(Enters ? 1 : 0);
  CmpInst::Predicate P = Test->getPredicate();
  C.To = Test->getOperand(1);
  if (Test->getOperand(0) != C.Induction) {
    if (C.To != C.Induction)
      return false;
    C.To = Test->getOperand(0);
    P = CmpInst::getSwappedPredicate(P);
  }
  if (!Enters)
    P = CmpInst::getInversePredicate(P);
  C.Test = Test;
  return C.L->isLoopInvariant(C.To) && !C.L->contains(C.Exit) &&
         (P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_SLT ||
          P == CmpInst::ICMP_NE);
}

/// Whether threads hand `Phi` on, or something else, but do not look at it.
static bool isPassedOn(const PHINode &Phi, const Loop &L) {
  SmallVector<const Value *> Open{&Phi};
  SmallPtrSet<const Value *, 8> Seen{&Phi};
  while (!Open.empty()) {
    const Value *V = Open.pop_back_val();
    for (const User *U : V->users()) {
      auto *I = cast<Instruction>(U);
      auto *Select = dyn_cast<SelectInst>(I);
      if (!L.contains(I))
        continue;
      if (!isa<PHINode>(I) && (!Select || Select->getCondition() == V))
        return false;
      if (Seen.insert(I).second)
        Open.push_back(I);
    }
  }
  return Phi.getType()->isSingleValueType();
}

static bool findForm(Candidate &C) {
  C.Preheader = C.L->getLoopPreheader();
  C.Header = C.L->getHeader();
  C.Latch = C.L->getLoopLatch();
  if (!C.Preheader || !C.Latch || C.Latch == C.Header ||
      C.L->getExitingBlock() != C.Header || !C.L->getExitBlock())
    return false;
  for (PHINode &Phi : C.Header->phis()) {
    Value *Step = Phi.getIncomingValueForBlock(C.Latch);
    if (!C.Induction && Phi.getType()->isIntegerTy(64) &&
        match(Step, m_c_Add(m_Specific(&Phi), m_One()))) {
      C.Induction = &Phi;
      C.Step = cast<Instruction>(Step);
      C.From = Phi.getIncomingValueForBlock(C.Preheader);
    } else if (isPassedOn(Phi, *C.L)) {
      C.Carried.push_back({&Phi, Step});
    } else {
      return false;
    }
  }
  return C.Induction && findTest(C);
}

/// Anywhere in the function: the address may have been hoisted.
static bool usesThreadLocals(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return (Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address) ||
           any_of(I.operands(), [](const Value *Op) {
             auto *G = dyn_cast<GlobalValue>(Op->stripInBoundsOffsets());
             return G && G->isThreadLocal();
           });
  });
}

std::optional<Candidate> findCandidate(Loop &L, LoopInfo &LI) {
  Candidate C;
  C.L = &L;
  if (usesThreadLocals(*L.getHeader()->getParent()) || !findForm(C))
    return std::nullopt;
  for (BasicBlock *BB : L.blocks()) {
    const Loop *Inner = LI.getLoopFor(BB);
    if (!Inner->getLoopLatch() || !Inner->getLoopPreheader() ||
        Inner->hasNoExitBlocks())
      return std::nullopt;
    for (Instruction &I : *BB) {
      if (!isSupported(I))
        return std::nullopt;
      bool IsCarried = any_of(C.Carried, [&](auto &P) { return P.Phi == &I; });
      for (User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && !IsCarried)
          return std::nullopt;
    }
  }
  if (!findPrivateArrays(C))
    return std::nullopt;
  return C;
}

} // namespace spmd
} // namespace ferry
