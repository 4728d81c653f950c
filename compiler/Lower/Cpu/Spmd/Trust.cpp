//===- Trust.cpp - What is known of a group before it starts --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Shapes that is about numbers rather than strides: which values
// follow from the thread's number alone, so that a group's first thread can
// compute them before the group starts; what they may be, given how many
// threads there are; and with that, where an operation is as exact as it would
// be without a limit on bits. What is not known to be exact, but can be tested
// before the group starts, is what the group is trusted with.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Shapes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry::spmd {

/// Whether `V` follows from the thread's number before the thread runs.
bool Shapes::isKnownAtStart(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !C.L->contains(I) || I == C.Induction)
    return true;
  auto [Found, IsNew] = AtStart.try_emplace(I, false);
  if (!IsNew)
    return Found->second;
  bool IsDivision = I->getOpcode() == Instruction::UDiv ||
                    I->getOpcode() == Instruction::URem;
  bool Result = !isa<PHINode, CallBase>(I) && !I->mayReadOrWriteMemory() &&
                !I->getType()->isVectorTy() &&
                (IsDivision || isSafeToSpeculativelyExecute(I)) &&
                all_of(I->operands(),
                       [&](const Value *Op) { return isKnownAtStart(Op); });
  return AtStart[I] = Result;
}

/// `I` as what decides whether threads go on in a loop that counts up from
/// where each of them starts.
std::optional<Bounded> Shapes::countedLoop(const ICmpInst &I) const {
  const Loop *L = LI.getLoopFor(I.getParent());
  auto *Branch = dyn_cast<BranchInst>(I.getParent()->getTerminator());
  if (L == C.L || !Branch || !Branch->isConditional() ||
      Branch->getCondition() != &I)
    return std::nullopt;
  bool TrueGoesOn = L->contains(Branch->getSuccessor(0));
  if (TrueGoesOn == L->contains(Branch->getSuccessor(1)))
    return std::nullopt;
  CmpInst::Predicate GoesOn =
      TrueGoesOn ? I.getPredicate() : I.getInversePredicate();
  const Value *X = I.getOperand(0), *Bound = I.getOperand(1);
  if (of(X).isUniform()) {
    std::swap(X, Bound);
    GoesOn = CmpInst::getSwappedPredicate(GoesOn);
  }
  for (const PHINode &Phi : L->getHeader()->phis()) {
    const Value *Start = Phi.getIncomingValueForBlock(L->getLoopPreheader());
    const Value *Next = Phi.getIncomingValueForBlock(L->getLoopLatch());
    Value *Step;
    if ((X != &Phi && X != Next) ||
        !match(Next, m_c_Add(m_Specific(&Phi), m_Value(Step))))
      continue;
    if (!of(X).isLinear() || of(Start).isUniform() || !of(Start).isLinear() ||
        !of(Bound).isUniform() || !of(Step).isUniform() ||
        !isKnownAtStart(Start) || !isKnownAtStart(Bound) ||
        !isKnownAtStart(Step) ||
        !(ICmpInst::isLT(GoesOn) || ICmpInst::isLE(GoesOn)))
      return std::nullopt;
    return Bounded{&I,    Start, Bound,  of(Start).Stride,
                   Width, Step,  GoesOn, X == Next};
  }
  return std::nullopt;
}

/// Whether `Phi` is the counter of such a loop, and is trusted not to wrap
/// around.
bool Shapes::isTrustedCounter(const PHINode &Phi, bool Signed) const {
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (T == Trust::Nothing || L == C.L || Phi.getParent() != L->getHeader())
    return false;
  auto Decides = [&](const BasicBlock *BB) {
    auto *I = dyn_cast_if_present<ICmpInst>(decides(*BB));
    std::optional<Bounded> Of = I ? countedLoop(*I) : std::nullopt;
    return Of && CmpInst::isSigned(Of->GoesOn) == Signed &&
           is_contained(I->operands(),
                        Of->AfterStep
                            ? Phi.getIncomingValueForBlock(L->getLoopLatch())
                            : &Phi);
  };
  return Decides(L->getHeader()) || Decides(L->getLoopLatch());
}

std::optional<Bounded> Shapes::bounded(const Instruction &I) const {
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return countedLoop(*Compare);
  if (!isa<ZExtInst, SExtInst>(I) && !I.isBinaryOp())
    return std::nullopt;
  const Value *A = I.getOperand(0);
  const Value *B = I.getNumOperands() > 1 ? I.getOperand(1) : nullptr;
  if (B && I.isCommutative() && of(A).isUniform())
    std::swap(A, B);
  if (!of(A).isLinear() || of(A).isUniform() || (B && !of(B).isUniform()) ||
      !isKnownAtStart(A) || (B && !isKnownAtStart(B)))
    return std::nullopt;
  return Bounded{&I, A, B, of(A).Stride, Width};
}

std::optional<Shape> Shapes::withinBounds(const Instruction &I) const {
  if (T == Trust::Nothing)
    return std::nullopt;
  std::optional<Bounded> Of = bounded(I);
  std::optional<int64_t> Stride = Of ? strideWithinBounds(*Of) : std::nullopt;
  return Stride ? std::optional(Shape::linear(*Stride)) : std::nullopt;
}

void Shapes::collectTrusted() {
  for (const BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB) {
      std::optional<Shape> Within = withinBounds(I);
      if (Within && *Within == of(&I) && !isAlwaysWithinBounds(I))
        Trusted.push_back(*bounded(I));
    }
}

bool Shapes::isAlwaysWithinBounds(const Instruction &I) const {
  if (isa<ZExtInst, SExtInst>(I))
    return isExact(I.getOperand(0), isa<SExtInst>(I), /*TrustFlags=*/false);
  const APInt *Mask;
  const Value *X;
  return match(&I, m_And(m_Value(X), m_LowBitMask(Mask))) &&
         rangeOf(X).getUnsignedMax().ule(*Mask);
}

/// What `V` may be for the loop's threads. It is known at their start.
ConstantRange Shapes::rangeOf(const Value *V) const {
  unsigned Bits = V->getType()->getIntegerBitWidth();
  if (V == C.Induction)
    return ConstantRange::getNonEmpty(APInt(Bits, 0),
                                      rangeOf(C.To).getUnsignedMax());
  auto *I = dyn_cast<Instruction>(V);
  if (I && isKnownAtStart(I)) {
    if (I->isBinaryOp())
      return rangeOf(I->getOperand(0))
          .binaryOp(Instruction::BinaryOps(I->getOpcode()),
                    rangeOf(I->getOperand(1)));
    if (isa<ZExtInst, SExtInst, TruncInst>(I))
      return rangeOf(I->getOperand(0))
          .castOp(Instruction::CastOps(I->getOpcode()), Bits);
  }
  return computeConstantRange(V, /*ForSigned=*/false);
}

/// Whether the operation is exact for all threads, whatever its flags say.
bool Shapes::neverWraps(const Instruction &I, bool Signed) const {
  if (!isKnownAtStart(&I))
    return false;
  ConstantRange A = rangeOf(I.getOperand(0)), B = rangeOf(I.getOperand(1));
  using Overflow = ConstantRange::OverflowResult;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return (Signed ? A.signedAddMayOverflow(B) : A.unsignedAddMayOverflow(B)) ==
           Overflow::NeverOverflows;
  case Instruction::Sub:
    return (Signed ? A.signedSubMayOverflow(B) : A.unsignedSubMayOverflow(B)) ==
           Overflow::NeverOverflows;
  case Instruction::Shl:
    if (!B.getUnsignedMax().ult(A.getBitWidth()))
      return false;
    B = ConstantRange(APInt(A.getBitWidth(), 1)).shl(B);
    [[fallthrough]];
  case Instruction::Mul:
    // Below the sign bit the two are alike.
    return A.unsignedMulMayOverflow(B) == Overflow::NeverOverflows &&
           (!Signed || A.multiply(B).getUnsignedMax().isNonNegative());
  default:
    return false;
  }
}

/// Whether the threads' values, as numbers without wrap-around, are Linear too.
/// Flags speak of the threads that use the value only.
bool Shapes::isExact(const Value *V, bool Signed, bool TrustFlags) const {
  if (of(V).isUniform())
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !of(V).isLinear())
    return false;
  switch (I->getOpcode()) {
  case Instruction::Trunc:
    // The counter never exceeds 2^32.
    return I->getOperand(0) == C.Induction && !Signed &&
           I->getType()->getIntegerBitWidth() >= 32;
  case Instruction::PHI:
    return isTrustedCounter(cast<PHINode>(*I), Signed);
  case Instruction::ZExt:
    return true;
  case Instruction::SExt:
    return Signed;
  case Instruction::Or:
    return TrustFlags && !Signed && isExact(I->getOperand(0), Signed, true) &&
           isExact(I->getOperand(1), Signed, true);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    return ((TrustFlags &&
             (Signed ? I->hasNoSignedWrap() : I->hasNoUnsignedWrap())) ||
            neverWraps(*I, Signed)) &&
           isExact(I->getOperand(0), Signed, TrustFlags) &&
           isExact(I->getOperand(1), Signed, TrustFlags);
  default:
    return false;
  }
}

} // namespace ferry::spmd
