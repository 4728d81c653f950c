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
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Assumptions.h"
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
  if (!match(Of.Other, m_APInt(C)))
    return std::nullopt;
  uint64_t Bits = Of.I->getOpcode() == Instruction::And
                      ? C->countr_zero()
                      : C->getLimitedValue();
  if (Bits >= C->getBitWidth() || uint64_t(std::abs(Of.span())) >> Bits)
    return std::nullopt;
  return Bits;
}

std::optional<int64_t> strideWithinBounds(const Bounded &Of) {
  Type *T = Of.Operand->getType();
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 64)
    return std::nullopt;
  uint64_t Span = std::abs(Of.span());
  const APInt *C;
  switch (Of.I->getOpcode()) {
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
        (match(Of.Other, m_APInt(C)) &&
         (C->isNonPositive() || C->ule(Span))))
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
                        Value *Other) {
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
  Value *D = B.CreateIntCast(B.CreateFreeze(Other), I64, Signed);
  Value *Positive = B.CreateICmpSGT(D, B.getInt64(0));
  D = B.CreateSelect(Positive, D, B.getInt64(1));
  Value *Numbers = B.CreateICmpSGE(B.CreateOr(X, Y), B.getInt64(0));
  Value *Same = B.CreateICmpEQ(B.CreateUDiv(X, D), B.CreateUDiv(Y, D));
  return B.CreateAnd(B.CreateAnd(Positive, Fits()), B.CreateAnd(Numbers, Same));
}

} // namespace ferry::spmd
