//===- Agreement.cpp - Comparisons that come out alike --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a block go through an array together:
//
//   for (I = threadIdx; I < N; I += blockDim)
//
// Each compares an index of its own with N, and still none leaves the loop
// before the others of its group if groups never straddle N: the numbers
// First, First + Stride, … lie in one piece of Width * Stride numbers whose
// start divides by its length, and so does N. Both are questions of trailing
// zero bits, as a group's first thread is a multiple of Width where the thread
// loop starts at 0. Pieces do not straddle the ends of the signed and unsigned
// ranges either, so that no wrap-around can part the threads.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Shapes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry::spmd {

/// Whether the first thread's value ends in as many zero bits.
bool Shapes::startsAtMultiple(const Value *V, unsigned ZeroBits) const {
  // All conditions have to hold, so that each is looked at once; what depends
  // on itself holds if the rest does.
  std::set<std::pair<const Value *, unsigned>> Seen;
  SmallVector<std::pair<const Value *, unsigned>> Open;
  auto Ask = [&](const Value *Of, unsigned Bits) {
    if (Bits && Seen.insert({Of, Bits}).second)
      Open.push_back({Of, Bits});
  };
  Ask(V, ZeroBits);
  while (!Open.empty()) {
    auto [Asked, Bits] = Open.pop_back_val();
    if (Asked == C.Induction) {
      if (Bits > Log2_32(Width))
        return false;
      Ask(C.From, Bits);
      continue;
    }
    Shape Is = of(Asked);
    if (Is.isUniform()) {
      if (computeKnownBits(Asked, DL).countMinTrailingZeros() < Bits)
        return false;
      continue;
    }
    auto *I = dyn_cast<Instruction>(Asked);
    if (!I || !Is.isLinear())
      return false;
    const APInt *Factor;
    switch (I->getOpcode()) {
    case Instruction::PHI:
      for (const Value *From : cast<PHINode>(I)->incoming_values())
        Ask(From, Bits);
      break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or: // a sum, or it would vary
      Ask(I->getOperand(0), Bits);
      Ask(I->getOperand(1), Bits);
      break;
    case Instruction::Mul:
      if (!match(I->getOperand(1), m_APInt(Factor)))
        return false;
      Ask(I->getOperand(0), Bits - std::min(Bits, Factor->countr_zero()));
      break;
    case Instruction::Shl:
      if (!match(I->getOperand(1), m_APInt(Factor)))
        return false;
      Ask(I->getOperand(0), Bits - unsigned(Factor->getLimitedValue(Bits)));
      break;
    case Instruction::And: // all of the counter, or it would vary
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
      Ask(I->getOperand(0), Bits);
      break;
    default:
      return false;
    }
  }
  return true;
}

bool Shapes::decideAlike(const ICmpInst &Compare) const {
  const Value *Number = Compare.getOperand(0), *Bound = Compare.getOperand(1);
  CmpInst::Predicate P = Compare.getPredicate();
  if (of(Number).isUniform()) {
    std::swap(Number, Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  Shape Is = of(Number);
  if (!Number->getType()->isIntegerTy() || !of(Bound).isUniform() ||
      !Is.isLinear() || Is.Stride <= 0 ||
      !isPowerOf2_64(uint64_t(Is.Stride) * Width))
    return false;
  unsigned Bits = Log2_64(uint64_t(Is.Stride) * Width);
  if (Bits > Number->getType()->getIntegerBitWidth())
    return false;
  unsigned Zeros;
  switch (P) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SGE:
    Zeros = computeKnownBits(Bound, DL).countMinTrailingZeros();
    break;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_SGT:
    Zeros = computeKnownBits(Bound, DL).countMinTrailingOnes();
    break;
  default:
    return false;
  }
  return Zeros >= Bits && startsAtMultiple(Number, Bits);
}

} // namespace ferry::spmd
