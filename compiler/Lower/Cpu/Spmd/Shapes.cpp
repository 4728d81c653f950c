//===- Shapes.cpp - What the threads of a group have in common ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values: an optimistic fixed point over Unknown < Linear(stride) < Varying.
// The loop's counter has stride 1, all that is defined outside has stride 0,
// and additions, multiplications by constants and address computations carry
// strides along. Arithmetic modulo 2^bits keeps them exact. An extension to
// more bits keeps them only if no thread of the group wraps around; where that
// is not certain the value is Linear by assumption, and whoever wants to use it
// so tests the assumption when the code runs (Memory.cpp). A load of one
// address gives all threads one value, since another thread's store would be a
// race.
//
// Where groups of threads start at multiples of their size, even a comparison
// of an index with a bound can be one for all (Agreement.cpp).
//
// Where a group may be trusted, all that is linear between two boundaries
// (Assumptions.h) is so without reserve, if whether the group lies between them
// can be seen before it starts.
//
// Control: a branch on a varying value is divergent. As in Karrenberg and
// Hack's Whole-Function Vectorization (CGO 2011) and LLVM's own uniformity
// analysis, the blocks that both its ways reach are joins, found by sending a
// label down each way: where two labels meet, threads of both meet, and the
// values that a phi chooses from vary. The labels stop at the branch's
// immediate post-dominator; blocks before it run for some of the threads only,
// and are masked. If it lies outside of a loop around the branch, threads leave
// that loop in different iterations; what they bring out varies, whatever it
// was inside.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Spmd/Shapes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry::spmd {

Shapes::Shapes(const Candidate &C, unsigned Width, const Order &O,
               const LoopInfo &LI, const PostDominatorTree &PDT, Trust T)
    : C(C), Width(Width), T(T), O(O), LI(LI), PDT(PDT),
      DL(C.Header->getModule()->getDataLayout()) {
  Known[C.Induction] = Shape::linear(1);
  for (const Candidate::Pass &P : C.Carried)
    Known[P.Phi] = Shape::uniform();
  for (const PrivateArray &A : C.Arrays) {
    Arrays[A.Alloca] = &A;
    Known[A.Alloca] = Shape::linear(
        A.Unit ? A.Unit : DL.getTypeAllocSize(A.Alloca->getAllocatedType()));
  }
  do {
    while (propagate())
      ;
  } while (spreadDivergence() || settleUnknown());
  collectTrusted();
}

/// Values that only undefined ones flow into.
bool Shapes::settleUnknown() {
  bool Changed = false;
  for (const BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB)
      if (!I.getType()->isVoidTy() && of(&I).K == Shape::Unknown) {
        Known[&I] = Shape::varying();
        Changed = true;
      }
  return Changed;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Shape Shapes::of(const Value *V) const {
  if (auto I = Known.find(V); I != Known.end())
    return I->second;
  auto *I = dyn_cast<Instruction>(V);
  return I && C.L->contains(I) ? Shape() : Shape::uniform();
}

bool Shapes::propagate() {
  bool Changed = false;
  for (const BasicBlock *BB : O.Blocks)
    for (const Instruction &I : *BB) {
      if (I.getType()->isVoidTy() || (BB == C.Header && isa<PHINode>(I)))
        continue;
      Shape Old = of(&I), New = transfer(I);
      if (New == Old || Old.isVarying())
        continue;
      if (Old.K != Shape::Unknown) // only ever downwards
        New = New.K == Shape::Linear && New.Stride == Old.Stride
                  ? Shape::linear(New.Stride, true)
                  : Shape::varying();
      if (New == Old)
        continue;
      Known[&I] = New;
      Changed = true;
    }
  return Changed;
}

/// Strides beyond this are of no use, and would overflow at some point.
static constexpr int64_t LargestStride = INT32_MAX;

static Shape linear(int64_t Stride, bool Assumed) {
  return std::abs(Stride) > LargestStride ? Shape::varying()
                                          : Shape::linear(Stride, Assumed);
}

Shape Shapes::sum(Shape A, Shape B, int64_t Sign) const {
  if (A.isVarying() || B.isVarying())
    return Shape::varying();
  if (A.K == Shape::Unknown || B.K == Shape::Unknown)
    return Shape();
  return linear(A.Stride + Sign * B.Stride, A.Assumed || B.Assumed);
}

static Shape scaled(Shape S, int64_t Factor) {
  if (S.K != Shape::Linear)
    return S;
  if (S.Stride && std::abs(Factor) > LargestStride)
    return Shape::varying();
  return linear(S.Stride * Factor, S.Assumed);
}

/// Whether the scalar loop's instruction gives equal results for equal
/// operands.
static bool isFunctionOfOperands(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (auto *Call = dyn_cast<CallBase>(&I))
    return Call->doesNotAccessMemory() && Call->doesNotThrow() &&
           Call->willReturn();
  return !I.mayReadOrWriteMemory() && !isa<AllocaInst>(I);
}

Shape Shapes::transfer(const Instruction &I) const {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return phi(*Phi);
  if (!isFunctionOfOperands(I))
    return Shape::varying();
  bool Unknown = false, Uniform = true;
  for (const Value *Op : I.operands()) {
    if (isa<BasicBlock>(Op))
      continue;
    Shape S = of(Op);
    Unknown |= S.K == Shape::Unknown;
    Uniform &= S.isUniform();
  }
  if (Unknown)
    return Shape();
  if (Uniform)
    return Shape::uniform();
  if (!I.getType()->isIntOrPtrTy())
    return Shape::varying();
  if (std::optional<Shape> Within = withinBounds(I))
    return *Within;
  const Value *A = I.getOperand(0);
  const Value *B = I.getNumOperands() > 1 ? I.getOperand(1) : nullptr;
  const APInt *Constant;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(of(A), of(B), 1);
  case Instruction::Sub:
    return sum(of(A), of(B), -1);
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(I).isDisjoint() ? sum(of(A), of(B), 1)
                                                      : Shape::varying();
  case Instruction::Mul:
    if (match(B, m_APInt(Constant)) && Constant->getSignificantBits() <= 64)
      return scaled(of(A), Constant->getSExtValue());
    return Shape::varying();
  case Instruction::Shl:
    if (match(B, m_APInt(Constant)) && Constant->ult(32))
      return scaled(of(A), int64_t(1) << Constant->getZExtValue());
    return Shape::varying();
  case Instruction::Trunc:
    return of(A).isAssumed() || I.getType()->getIntegerBitWidth() < 16
               ? Shape::varying()
               : of(A);
  case Instruction::ZExt:
  case Instruction::SExt:
    return extension(cast<CastInst>(I));
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return I.getType()->getPrimitiveSizeInBits() ==
                   A->getType()->getPrimitiveSizeInBits()
               ? of(A)
               : Shape::varying();
  case Instruction::Freeze:
    return of(A).isLinear() ? of(A) : Shape::varying();
  case Instruction::GetElementPtr:
    return address(cast<GEPOperator>(I));
  case Instruction::ICmp:
    return decideAlike(cast<ICmpInst>(I)) ? Shape::uniform() : Shape::varying();
  case Instruction::Select: {
    Shape T = of(I.getOperand(1)), F = of(I.getOperand(2));
    return of(A).isUniform() && T == F && T.isLinear() ? T : Shape::varying();
  }
  default:
    return Shape::varying();
  }
}

//===----------------------------------------------------------------------===//
// Choices and addresses
//===----------------------------------------------------------------------===//

Shape Shapes::phi(const PHINode &Phi) const {
  Shape Result;
  bool Join = isJoin(Phi.getParent());
  for (const Value *V : Phi.incoming_values()) {
    if (isa<UndefValue>(V))
      continue;
    Shape S = of(V);
    if (S.isVarying() || S.isAssumed() ||
        leavesDivergentLoop(V, Phi.getParent()))
      return Shape::varying();
    if (S.K == Shape::Unknown)
      continue;
    if (Result.K != Shape::Unknown && Result != S)
      return Shape::varying();
    Result = S;
  }
  return Join && !Phi.hasConstantValue() ? Shape::varying() : Result;
}

bool Shapes::leavesDivergentLoop(const Value *V, const BasicBlock *To) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && C.L->contains(I) && leftByEdge(I->getParent(), To);
}

Shape Shapes::extension(const CastInst &I) const {
  Shape S = of(I.getOperand(0));
  if (S.K != Shape::Linear || I.getSrcTy()->getIntegerBitWidth() < 8 ||
      I.getSrcTy()->getIntegerBitWidth() > 32 ||
      I.getDestTy()->getIntegerBitWidth() > 64)
    return Shape::varying();
  bool Exact = isExact(I.getOperand(0), isa<SExtInst>(I), /*TrustFlags=*/false);
  return Shape::linear(S.Stride, S.Assumed || !Exact);
}

Shape Shapes::address(const GEPOperator &I) const {
  if (I.getType()->isVectorTy())
    return Shape::varying();
  SmallMapVector<Value *, APInt, 4> Scales;
  APInt Offset(64, 0);
  if (!I.collectOffset(DL, 64, Scales, Offset))
    return Shape::varying();
  const PrivateArray *Base = interleavedBase(I.getPointerOperand());
  int64_t Factor = Base ? Width : 1;
  Shape Result = of(I.getPointerOperand());
  for (auto &[Index, Scale] : Scales) {
    Shape S = of(Index);
    if (!Index->getType()->isIntegerTy(64) && !S.isUniform())
      return Shape::varying();
    Result = sum(Result, scaled(scaled(S, Scale.getSExtValue()), Factor), 1);
  }
  return Result;
}

const PrivateArray *Shapes::interleavedBase(const Value *Pointer) const {
  while (auto *Gep = dyn_cast<GEPOperator>(Pointer))
    Pointer = Gep->getPointerOperand();
  const PrivateArray *A = Arrays.lookup(Pointer);
  return A && A->Unit ? A : nullptr;
}

void Shapes::collectAssumptions(const Value *V, const BasicBlock *Use,
                                Extensions &Found) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !of(V).isAssumed())
    return;
  if (isa<ZExtInst, SExtInst>(I)) {
    // A block that all threads run uses all their values, so that flags hold.
    bool Holds = !isMasked(Use) && isExact(I->getOperand(0), isa<SExtInst>(I),
                                           /*TrustFlags=*/true);
    if (!Holds)
      Found.insert(cast<CastInst>(I));
  }
  for (const Value *Op : I->operands())
    collectAssumptions(Op, Use, Found);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

const Loop *Shapes::leftByEdge(const BasicBlock *From,
                               const BasicBlock *To) const {
  const Loop *Left = nullptr;
  for (const Loop *L = LI.getLoopFor(From); L != C.L && !L->contains(To);
       L = L->getParentLoop())
    if (isDivergent(L))
      Left = L;
  return Left;
}

const Value *Shapes::decides(const BasicBlock &BB) {
  const Instruction &Terminator = *BB.getTerminator();
  if (auto *Branch = dyn_cast<BranchInst>(&Terminator))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  return cast<SwitchInst>(Terminator).getCondition();
}

bool Shapes::spreadDivergence() {
  bool Changed = false;
  for (const BasicBlock *BB : O.Blocks) {
    const Value *Condition = decides(*BB);
    if (BB == C.Header || !Condition || of(Condition).isUniform() ||
        !Divergent.insert(BB).second)
      continue;
    Changed = true;
    const BasicBlock *Meeting = PDT[BB]->getIDom()->getBlock();
    SmallVector<const BasicBlock *> Ways(successors(BB));
    spread(Ways, Meeting);
    for (const Loop *L = LI.getLoopFor(BB); !L->contains(Meeting);
         L = L->getParentLoop())
      markDivergent(L);
  }
  // Who leaves a loop in which others stay leaves those inside it likewise.
  for (const BasicBlock *BB : O.Blocks)
    for (const BasicBlock *Succ : successors(BB))
      if (const Loop *Outer = BB == C.Header ? nullptr : leftByEdge(BB, Succ))
        for (const Loop *L = LI.getLoopFor(BB); L != Outer;
             L = L->getParentLoop())
          Changed |= markDivergent(L);
  return Changed;
}

/// Threads leave `L` at different times, by whatever exits it has.
bool Shapes::markDivergent(const Loop *L) {
  if (!DivergentLoops.insert(L).second)
    return false;
  for (const BasicBlock *BB : L->blocks())
    Masked.insert(BB);
  const BasicBlock *Meeting = L->getHeader();
  while (L->contains(Meeting))
    Meeting = PDT[Meeting]->getIDom()->getBlock();
  SmallVector<BasicBlock *> Exits;
  L->getUniqueExitBlocks(Exits);
  SmallVector<const BasicBlock *> Ways(Exits.begin(), Exits.end());
  spread(Ways, Meeting);
  Joins.insert_range(Exits);
  return true;
}

void Shapes::spread(ArrayRef<const BasicBlock *> Ways,
                    const BasicBlock *Meeting) {
  DenseMap<const BasicBlock *, const BasicBlock *> Label;
  std::set<std::pair<unsigned, const BasicBlock *>> Open;
  auto Reach = [&](const BasicBlock *BB, const BasicBlock *Way) {
    auto [Known, IsNew] = Label.try_emplace(BB, Way);
    if (IsNew) {
      Open.insert({O.Index.lookup(BB), BB});
    } else if (Known->second != Way) {
      Known->second = BB;
      Joins.insert(BB);
    }
  };
  for (const BasicBlock *Way : Ways)
    Reach(Way, Way);
  while (!Open.empty()) {
    const BasicBlock *BB = Open.begin()->second;
    Open.erase(Open.begin());
    if (BB == Meeting || BB == C.Header)
      continue;
    Masked.insert(BB);
    for (const BasicBlock *Succ : successors(BB))
      if (Succ != C.Header && !O.isBackEdge(BB, Succ))
        Reach(Succ, Label.lookup(BB));
  }
}

} // namespace ferry::spmd
