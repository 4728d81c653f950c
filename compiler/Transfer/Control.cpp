//===- Control.cpp - When a block of a kernel runs ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions with answers that err on different sides.
//
// What holds when a block runs? The conditions of the branches whose edges
// dominate it; those that can't be expressed are left out.
//
// When does it certainly run? From the head of the innermost loop around it
// (or the kernel's entry) it is reached unless an edge is taken from which
// there is no way back to it: into a panic, to the end, out of the loop, to the
// next turn. So the conditions of all such edges have to be met, on all the
// ways there are. Where such an edge is in a loop of its own, that has to be so
// in all of its turns, which libferry takes care of: a number that a condition
// has several of is one that all have to meet it. Then the same is asked of the
// loop's head, in the loop around that.
//
// A turn of a loop comes only after all turns before. They ended at the latch,
// with its condition met, so the turn's own number has to meet it with the turn
// before in its place; or the loop's count is known exactly.
//===----------------------------------------------------------------------===//

#include "Transfer/Control.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace llvm::SCEVPatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

bool ControlReader::addCondition(const SCEV *Value, const SCEV *Bound,
                                 int64_t Plus, uint32_t Relation,
                                 const Loop *At, std::vector<Condition> &To) {
  bool Signed = Relation == FERRY_WHEN_SLT || Relation == FERRY_WHEN_SGE;
  Condition C;
  C.Relation = Relation;
  C.Width = SE.getTypeSizeInBits(Value->getType());
  std::vector<Condition> Fits;
  std::optional<Sum> V = Formulas.sum(Value, At, Fits, Signed);
  std::optional<Formula> B = Formulas.formula(Bound);
  if (!V || !B)
    return false;
  // A number of a few bits is rarely the one that it was made of.
  if (!Sufficient && any_of(Fits, [](auto &F) { return F.Width < 16; }))
    return false;
  C.Value = std::move(*V);
  C.Bound = combine(
      wrapped(std::move(*B), Signed ? FERRY_OP_SEXT : FERRY_OP_ZEXT, C.Width),
      constant(Plus), FERRY_OP_ADD);
  if (C.Bound.size() > FERRY_MOST_OPS)
    return false;
  To.push_back(std::move(C));
  append_range(To, Fits);
  return true;
}

/// Where both sides count: the difference of the exact numbers is negative.
bool ControlReader::addDifference(const SCEV *L, const SCEV *R, bool OrEqual,
                                  bool Signed, const Loop *At,
                                  std::vector<Condition> &To) {
  if (!Sufficient && !Differences)
    return false;
  std::vector<Condition> Fits;
  std::optional<Sum> A = Formulas.sum(L, At, Fits, Signed),
                     B = Formulas.sum(R, At, Fits, Signed);
  if (!A || !B)
    return false;
  for (const Sum *Side : {&*A, &*B}) {
    Condition Fit;
    Fit.Value = *Side;
    Fit.Relation = Signed ? FERRY_WHEN_FITS_SIGNED : FERRY_WHEN_FITS_UNSIGNED;
    Fit.Width = SE.getTypeSizeInBits(L->getType());
    Fits.push_back(std::move(Fit));
  }
  scale(*B, constant(-1));
  add(*A, *B);
  if (A->Terms.size() > FERRY_MOST_TERMS || A->Base.size() > FERRY_MOST_OPS)
    return false;
  Condition C;
  C.Value = std::move(*A);
  C.Bound = constant(OrEqual);
  C.Relation = FERRY_WHEN_SLT;
  C.Width = 64;
  To.push_back(std::move(C));
  append_range(To, Fits);
  return true;
}

/// L < R, or L <= R.
bool ControlReader::readLess(const SCEV *L, const SCEV *R, bool OrEqual,
                             bool Signed, const Loop *At,
                             std::vector<Condition> &To) {
  // Below the least of several is below each.
  bool IsMin = Signed ? isa<SCEVSMinExpr>(R)
                      : isa<SCEVUMinExpr, SCEVSequentialUMinExpr>(R);
  bool IsMax = Signed ? isa<SCEVSMaxExpr>(L) : isa<SCEVUMaxExpr>(L);
  if (IsMin || IsMax) {
    bool All = true;
    for (const SCEV *Each : cast<SCEVNAryExpr>(IsMin ? R : L)->operands())
      All &= IsMin ? readLess(L, Each, OrEqual, Signed, At, To)
                   : readLess(Each, R, OrEqual, Signed, At, To);
    return All;
  }
  if (!Formulas.hasTerms(R, At))
    return addCondition(L, R, OrEqual, Signed ? FERRY_WHEN_SLT : FERRY_WHEN_ULT,
                        At, To);
  if (!Formulas.hasTerms(L, At))
    return addCondition(R, L, !OrEqual,
                        Signed ? FERRY_WHEN_SGE : FERRY_WHEN_UGE, At, To);
  return addDifference(L, R, OrEqual, Signed, At, To);
}

bool ControlReader::readEqual(const SCEV *L, const SCEV *R, bool Equal,
                              const Loop *At, std::vector<Condition> &To) {
  if (Formulas.hasTerms(R, At))
    std::swap(L, R);
  if (Formulas.hasTerms(R, At))
    return false;
  // No number of several is 0 when the least isn't.
  if (!Equal && R->isZero() && isa<SCEVUMinExpr, SCEVSequentialUMinExpr>(L)) {
    bool All = true;
    for (const SCEV *Each : cast<SCEVNAryExpr>(L)->operands())
      All &= readEqual(Each, R, Equal, At, To);
    return All;
  }
  return addCondition(L, R, 0, Equal ? FERRY_WHEN_EQ : FERRY_WHEN_NE, At, To);
}

bool ControlReader::readCompare(ICmpInst &Compare, bool Truth, const Loop *At,
                                std::vector<Condition> &To) {
  CmpInst::Predicate P = Compare.getPredicate();
  if (!Truth)
    P = CmpInst::getInversePredicate(P);
  const SCEV *L = SE.getSCEV(Compare.getOperand(0));
  const SCEV *R = SE.getSCEV(Compare.getOperand(1));
  if (L->getType()->isPointerTy()) {
    if (!CmpInst::isEquality(P) || SE.getPointerBase(L) != SE.getPointerBase(R))
      return false;
    L = SE.removePointerBase(L);
    R = SE.removePointerBase(R);
  }
  if (!L->getType()->isIntegerTy())
    return false;
  if (CmpInst::isEquality(P))
    return readEqual(L, R, P == CmpInst::ICMP_EQ, At, To);
  if (ICmpInst::isGT(P) || ICmpInst::isGE(P))
    std::swap(L, R);
  return readLess(L, R, ICmpInst::isGE(P) || ICmpInst::isLE(P),
                  CmpInst::isSigned(P), At, To);
}

/// False: some of it could not be expressed. What could is in `To`.
bool ControlReader::read(Value &V, bool Truth, const Loop *At,
                         std::vector<Condition> &To) {
  Value *A, *B;
  if (auto *C = dyn_cast<ConstantInt>(&V))
    return C->isOne() == Truth;
  if (match(&V, m_Not(m_Value(A))))
    return read(*A, !Truth, At, To);
  if (Truth ? match(&V, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(&V, m_LogicalOr(m_Value(A), m_Value(B)))) {
    bool First = read(*A, Truth, At, To);
    return read(*B, Truth, At, To) && First;
  }
  if (auto *F = dyn_cast<FreezeInst>(&V))
    return isGuaranteedNotToBeUndefOrPoison(F->getOperand(0)) &&
           read(*F->getOperand(0), Truth, At, To);
  auto *Compare = dyn_cast<ICmpInst>(&V);
  return Compare && readCompare(*Compare, Truth, At, To);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What a comparison of this answer leans on has to hold before it is asked.
static void markFits(std::vector<Condition> &Conditions) {
  for (Condition &C : Conditions)
    if (C.Relation == FERRY_WHEN_FITS_UNSIGNED ||
        C.Relation == FERRY_WHEN_FITS_SIGNED)
      C.Relation |= FERRY_WHEN_BEFORE;
}

std::vector<Condition> ControlReader::necessary(BasicBlock &BB) {
  Sufficient = false;
  std::vector<Condition> Result;
  const Loop *At = LI.getLoopFor(&BB);
  for (auto *Node = DT.getNode(&BB)->getIDom(); Node; Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    for (unsigned I : {0, 1}) {
      BasicBlockEdge Edge(Node->getBlock(), Branch->getSuccessor(I));
      if (!DT.dominates(Edge, &BB))
        continue;
      std::vector<Condition> Read;
      read(*Branch->getCondition(), I == 0, At, Read);
      markFits(Read);
      Result.insert(Result.begin(), Read.begin(), Read.end());
    }
  }
  return Result;
}

/// The condition that `From` does not go to `Leave`.
bool ControlReader::stays(BasicBlock &From, BasicBlock &Leave, const Loop *At,
                          std::vector<Condition> &To) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return false;
  return read(*Branch->getCondition(), Branch->getSuccessor(1) == &Leave, At,
              To);
}

static bool hasSymbols(const Formula &F) {
  return any_of(F, [](const ferry_op &Op) {
    return Op.code == FERRY_OP_SYMBOL || Op.code == FERRY_OP_HULL;
  });
}

/// The same, said of the turn before.
bool ControlReader::staysBefore(BasicBlock &From, BasicBlock &Leave,
                                const Loop &L, std::vector<Condition> &To) {
  std::vector<Condition> Stay;
  if (!stays(From, Leave, &L, Stay))
    return false;
  unsigned Turns = Formulas.turnsOf(L);
  for (Condition &C : Stay) {
    for (const Term &T : C.Value.Terms)
      if (T.Symbol == Turns)
        C.Value.Base = combine(std::move(C.Value.Base),
                               combine(T.Stride, constant(-1), FERRY_OP_MUL),
                               FERRY_OP_ADD);
    if (C.Value.Base.size() > FERRY_MOST_OPS)
      return false;
    if (C.Relation < FERRY_WHEN_FITS_UNSIGNED)
      C.Relation |= FERRY_WHEN_LOOP;
    C.Turns = Turns;
  }
  append_range(To, Stay);
  return true;
}

/// The turn comes before turn number `Count`.
bool ControlReader::isBelow(unsigned Turns, const SCEV *Count, const Loop &L,
                            std::vector<Condition> &To) {
  if (isa<SCEVUMinExpr, SCEVSequentialUMinExpr>(Count))
    return all_of(cast<SCEVNAryExpr>(Count)->operands(), [&](const SCEV *Each) {
      return isBelow(Turns, Each, L, To);
    });
  std::vector<Condition> Fits;
  std::optional<Sum> Rest =
      Formulas.sum(Count, L.getParentLoop(), Fits, /*IsSigned=*/false);
  if (!Rest || SE.getTypeSizeInBits(Count->getType()) != 64)
    return false;
  scale(*Rest, constant(-1));
  add(*Rest, {constant(0), {{Turns, constant(1)}}});
  if (Rest->Terms.size() > FERRY_MOST_TERMS ||
      Rest->Base.size() > FERRY_MOST_OPS)
    return false;
  Condition C;
  C.Value = std::move(*Rest);
  C.Bound = constant(0);
  C.Relation = FERRY_WHEN_SLT;
  C.Width = 64;
  To.push_back(std::move(C));
  append_range(To, Fits);
  return true;
}

/// `Last` is the number of the last turn: that of some count less one, or
/// (count * size - size) / size.
bool ControlReader::isAmong(unsigned Turns, const SCEV *Last, const Loop &L,
                            std::vector<Condition> &To) {
  const SCEV *Count;
  const APInt *Less, *Size, *Times;
  if (match(Last, m_scev_Add(m_scev_APInt(Less), m_SCEV(Count))) &&
      Less->isAllOnes())
    return isBelow(Turns, Count, L, To);
  if (match(Last, m_scev_UDiv(m_scev_Add(m_scev_APInt(Less),
                                         m_scev_Mul(m_scev_APInt(Times),
                                                    m_SCEV(Count))),
                              m_scev_APInt(Size))) &&
      *Times == *Size && *Less == -*Size) {
    // The product must not wrap.
    Condition Fit;
    std::optional<Formula> Product = Formulas.formula(Count);
    if (!Product || Size->getBitWidth() != 64 || Size->isNegative())
      return false;
    Fit.Value.Base = combine(wrapped(std::move(*Product), FERRY_OP_ZEXT, 64),
                             constant(Size->getSExtValue()), FERRY_OP_MUL);
    Fit.Relation = FERRY_WHEN_FITS_UNSIGNED;
    Fit.Width = 64;
    if (Fit.Value.Base.size() > FERRY_MOST_OPS)
      return false;
    To.push_back(std::move(Fit));
    return isBelow(Turns, Count, L, To);
  }
  return isBelow(Turns, SE.getAddExpr(Last, SE.getOne(Last->getType())), L, To);
}

/// After the blocks `Before`, which a turn starts with, the loop goes on to the
/// next turn.
bool ControlReader::keepsTurning(const Loop &L,
                                 const SmallSetVector<BasicBlock *, 16> &Before,
                                 std::vector<Condition> &To) {
  unsigned Turns = Formulas.turnsOf(L);
  SmallVector<std::pair<BasicBlock *, BasicBlock *>> Exits;
  L.getExitEdges(Exits);
  for (auto [From, Leave] : Exits) {
    if (Before.contains(From))
      continue;
    bool IsCounted = From == L.getLoopLatch() && Formulas.isCounted(L);
    if (IsCounted && !hasSymbols(Formulas.Symbols[Turns].Count)) {
      Condition Exact;
      Exact.Value.Base = constant(0);
      Exact.Relation = FERRY_WHEN_EXACT;
      Exact.Turns = Turns;
      To.push_back(std::move(Exact));
      continue;
    }
    std::vector<Condition> Among;
    if (IsCounted && isAmong(Turns, SE.getExitCount(&L, From), L, Among)) {
      append_range(To, Among);
      continue;
    }
    if (!staysBefore(*From, *Leave, L, To))
      return false;
  }
  return true;
}

std::optional<std::vector<Condition>>
ControlReader::sufficient(BasicBlock &BB) {
  Sufficient = true;
  std::vector<Condition> Result;
  BasicBlock *Goal = &BB;
  for (Loop *L = LI.getLoopFor(&BB);; L = L->getParentLoop()) {
    BasicBlock *Start = L ? L->getHeader() : &BB.getParent()->getEntryBlock();
    // The blocks on the ways to the goal's first run in this turn.
    SmallSetVector<BasicBlock *, 16> Before;
    SmallVector<BasicBlock *> Work{Goal};
    while (!Work.empty()) {
      BasicBlock *Next = Work.pop_back_val();
      if (Next == Start)
        continue;
      for (BasicBlock *From : predecessors(Next))
        if ((!L || L->contains(From)) && !DT.dominates(Goal, From) &&
            Before.insert(From))
          Work.push_back(From);
    }
    if (Goal != Start && !Before.contains(Start))
      return std::nullopt;
    std::vector<Condition> Here;
    for (BasicBlock *From : Before)
      for (BasicBlock *To : successors(From)) {
        bool NextTurn = L && To == Start;
        if (!NextTurn && (To == Goal || Before.contains(To)))
          continue;
        size_t First = Here.size();
        if (!stays(*From, *To, L, Here))
          return std::nullopt;
        for (size_t I = First; L && !L->contains(To) && I != Here.size(); ++I) {
          if (Here[I].Relation < FERRY_WHEN_FITS_UNSIGNED)
            Here[I].Relation |= FERRY_WHEN_LOOP;
          Here[I].Turns = Formulas.turnsOf(*L);
        }
      }
    if (L && !keepsTurning(*L, Before, Here))
      return std::nullopt;
    Result.insert(Result.begin(), Here.begin(), Here.end());
    if (Result.size() > FERRY_MOST_CONDITIONS)
      return std::nullopt;
    if (!L)
      return Result;
    Goal = L->getHeader();
  }
}

std::optional<std::vector<Condition>> ControlReader::repeats(const Loop &L) {
  Sufficient = false;
  BasicBlock *Latch = L.getLoopLatch();
  std::vector<Condition> Result;
  if (!Latch)
    return std::nullopt;
  for (BasicBlock *Leave : successors(Latch))
    if (!L.contains(Leave) && !staysBefore(*Latch, *Leave, L, Result))
      return std::nullopt;
  // A number that may wrap elsewhere does not grow from turn to turn.
  if (Result.empty() || any_of(Result, [](const Condition &C) {
        return C.Relation >= FERRY_WHEN_FITS_UNSIGNED &&
               !(C.Relation & FERRY_WHEN_LOOP);
      }))
    return std::nullopt;
  return Result;
}

std::vector<Condition> ControlReader::necessary(BasicBlock &From,
                                                BasicBlock &To) {
  SaveAndRestore Lean(Differences, true);
  std::vector<Condition> Result = necessary(From);
  std::vector<Condition> Edge;
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (Branch && Branch->isConditional() &&
      Branch->getSuccessor(0) != Branch->getSuccessor(1))
    read(*Branch->getCondition(), Branch->getSuccessor(0) == &To,
         LI.getLoopFor(&From), Edge);
  markFits(Edge);
  append_range(Result, Edge);
  return Result;
}

} // namespace ferry
