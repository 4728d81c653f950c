//===- Assumptions.cpp - What a group of threads is trusted with ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some functions of a thread's number are linear almost everywhere: an index
// extended from 32 bits to 64, but where it wraps around; a thread's lane in
// its warp (n & 31) and its column (n % width), but where a warp or a row
// begins; its warp (n >> 5) and its row (n / width), which are steps, but there
// as well. A group of threads that all lie between two such boundaries sees
// none of that, and most groups do.
//
// The operand of such an instruction is x, x + s, x + 2s, … up to y for the
// last thread, taken here as 64-bit numbers of which none wraps around. All of
// them lie in the same interval [k * 2^b, (k + 1) * 2^b) iff x and y do, that
// is iff (x ^ y) >> b is zero; in the same interval [k * d, (k + 1) * d) iff
// x / d and y / d are equal.
//
//   zext, sext     y still has the source's width
//   x & mask       b: the number of mask's trailing ones, where it is linear,
//                  or of its trailing zeros, where it is the same for all
//   x >> b         the same for all
//   x / d, x % d   the same for all, linear
//
// A loop in which each thread counts from a number of its own up to a bound by
// steps that are the same for all, as in
//
//   for (i = thread; i < n; i += threads)
//
// goes on for all of a group or for none, if x and y take the same number of
// steps, of which none wraps around.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Assumptions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry::spmd {

/// Whether `V` has the form of 2^k - 1 for a k that is not known here.
static bool looksLikeLowMask(const Value *V) {
  const Value *Narrow;
  if (match(V, m_ZExt(m_Value(Narrow))))
    V = Narrow;
  return match(V, m_Add(m_Value(), m_AllOnes())) ||
         match(V, m_Not(m_Shl(m_AllOnes(), m_Value())));
}

/// The trailing bits that a shift or a mask takes from its operand, if it
/// leaves all threads of a group with one value.
static std::optional<unsigned> bitsDropped(const Bounded &Of) {
  const APInt *C;
  unsigned Opcode = Of.I->getOpcode();
  bool IsShift = Opcode == Instruction::LShr || Opcode == Instruction::AShr;
  if ((!IsShift && Opcode != Instruction::And) || !match(Of.Other, m_APInt(C)))
    return std::nullopt;
  uint64_t Bits = IsShift ? C->getLimitedValue() : C->countr_zero();
  if (Bits >= C->getBitWidth() || uint64_t(std::abs(Of.span())) >> Bits)
    return std::nullopt;
  return Bits;
}

/// The steps that it takes from `X` to `Bound` or beyond.
static Value *stepsTo(IRBuilder<> &B, Value *Bound, Value *X, Value *Step) {
  Value *Left = B.CreateSub(Bound, X);
  Value *Steps = B.CreateAdd(
      B.CreateUDiv(B.CreateSub(Left, B.getInt64(1)), Step), B.getInt64(1));
  return B.CreateSelect(B.CreateICmpSGT(Left, B.getInt64(0)), Steps,
                        B.getInt64(0));
}

/// For numbers of up to 32 bits, or larger ones that are small and not
/// negative: sums of three of them are far from the ends of 64 bits.
static Value *takesEqualSteps(IRBuilder<> &B, const Bounded &Of, Value *First,
                              Value *Other, Value *Step) {
  Type *T = First->getType(), *I64 = B.getInt64Ty();
  bool Signed = CmpInst::isSigned(Of.GoesOn);
  unsigned Bits = std::min(T->getIntegerBitWidth(), 62u);
  int64_t Most = Signed ? maxIntN(Bits) : int64_t(maxUIntN(Bits));
  int64_t Least = Signed ? minIntN(Bits) : 0;
  auto Extend = [&](Value *V) { return B.CreateIntCast(V, I64, Signed); };
  Value *X = Extend(First), *Bound = Extend(Other);
  Step = B.CreateFreeze(B.CreateSExt(Step, I64));
  Value *IsStep = B.CreateAnd(B.CreateICmpSGT(Step, B.getInt64(0)),
                              B.CreateICmpSLE(Step, B.getInt64(INT32_MAX)));
  Step = B.CreateSelect(IsStep, Step, B.getInt64(1));
  if (ICmpInst::isLE(Of.GoesOn))
    Bound = B.CreateAdd(Bound, B.getInt64(1));
  Value *Holds = IsStep;
  auto Require = [&](Value *V) { Holds = B.CreateAnd(Holds, V); };
  if (T->getIntegerBitWidth() == 64)
    for (Value *V : {X, Bound})
      Require(B.CreateICmpULE(V, B.getInt64(Most)));
  Value *Y = B.CreateAdd(X, B.getInt64(Of.span()));
  Require(B.CreateICmpSGE(Y, B.getInt64(Least)));
  if (Of.AfterStep) {
    X = B.CreateAdd(X, Step);
    Y = B.CreateAdd(Y, Step);
  }
  // Nobody starts, or steps, beyond the numbers that there are.
  for (Value *V : {X, Y, B.CreateAdd(Bound, Step)})
    Require(B.CreateICmpSLE(V, B.getInt64(Most)));
  Require(
      B.CreateICmpEQ(stepsTo(B, Bound, X, Step), stepsTo(B, Bound, Y, Step)));
  return Holds;
}

std::optional<int64_t> strideWithinBounds(const Bounded &Of) {
  Type *T = Of.Operand->getType();
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 64)
    return std::nullopt;
  uint64_t Span = std::abs(Of.span());
  const APInt *C;
  switch (Of.I->getOpcode()) {
  case Instruction::ICmp:
    return 0;
  case Instruction::ZExt:
  case Instruction::SExt: {
    unsigned Bits = T->getIntegerBitWidth();
    if (Bits < 8 || Bits > 32 || Of.I->getType()->getIntegerBitWidth() > 64 ||
        Span >> (Bits - 1))
      return std::nullopt;
    return Of.Stride;
  }
  case Instruction::And:
    if (bitsDropped(Of))
      return 0;
    if (match(Of.Other, m_APInt(C))
            ? C->isAllOnes() || !(Span >> C->countr_one())
            : looksLikeLowMask(Of.Other))
      return Of.Stride;
    return std::nullopt;
  case Instruction::LShr:
  case Instruction::AShr:
    if (Of.Operand == Of.I->getOperand(0) && bitsDropped(Of))
      return 0;
    return std::nullopt;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: {
    if (Of.Operand != Of.I->getOperand(0) ||
        (match(Of.Other, m_APInt(C)) && (C->isNonPositive() || C->ule(Span))))
      return std::nullopt;
    bool IsRemainder = Of.I->getOpcode() == Instruction::URem ||
                       Of.I->getOpcode() == Instruction::SRem;
    return IsRemainder ? Of.Stride : 0;
  }
  default:
    return std::nullopt;
  }
}

Value *liesWithinBounds(IRBuilder<> &B, const Bounded &Of, Value *First,
                        Value *Other, Value *Step) {
  if (Step)
    return takesEqualSteps(B, Of, First, Other, Step);
  Type *I64 = B.getInt64Ty();
  unsigned Opcode = Of.I->getOpcode();
  bool Signed = Opcode == Instruction::SExt || Opcode == Instruction::SDiv ||
                Opcode == Instruction::SRem;
  Value *X = B.CreateIntCast(First, I64, Signed);
  Value *Y = B.CreateAdd(X, B.getInt64(Of.span()));
  auto Fits = [&] {
    return B.CreateICmpEQ(
        Y, B.CreateIntCast(B.CreateTrunc(Y, First->getType()), I64, Signed));
  };
  auto SameAbove = [&](Value *HighBits) {
    return B.CreateIsNull(B.CreateAnd(B.CreateXor(X, Y), HighBits));
  };
  if (isa<CastInst>(Of.I))
    return Fits();
  if (std::optional<unsigned> Bits = bitsDropped(Of))
    return SameAbove(B.getInt64(-(uint64_t(1) << *Bits)));
  if (Opcode == Instruction::And) {
    // From the mask's lowest zero upwards.
    Value *Zeros = B.CreateNot(B.CreateZExt(Other, I64));
    Value *Lowest = B.CreateAnd(Zeros, B.CreateNeg(Zeros));
    return SameAbove(B.CreateNeg(Lowest));
  }
  // Numbers below 2^63 divide alike, signed or not. If no thread divides, the
  // divisor may be anything.
  Value *D = B.CreateIntCast(
      isGuaranteedNotToBeUndefOrPoison(Other) ? Other : B.CreateFreeze(Other),
      I64, Signed);
  Value *Positive = B.CreateICmpSGT(D, B.getInt64(0));
  D = B.CreateSelect(Positive, D, B.getInt64(1));
  Value *Numbers = B.CreateICmpSGE(B.CreateOr(X, Y), B.getInt64(0));
  Value *Same = B.CreateICmpEQ(B.CreateUDiv(X, D), B.CreateUDiv(Y, D));
  return B.CreateAnd(B.CreateAnd(Positive, Fits()), B.CreateAnd(Numbers, Same));
}

} // namespace ferry::spmd
