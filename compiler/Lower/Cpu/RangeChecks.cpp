//===- RangeChecks.cpp - Where all checks on the thread's index pass ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (i < n)`, Rust's bounds checks and the margins of a stencil all compare
// the thread's index, plus something that does not change along the loop, with
// a bound that does not change either. Such a check passes for an interval of
// threads, and the intersection of the intervals of all checks is nearly the
// whole loop. This file finds it.
//
// LLVM's inductive range check elimination does the same for loops in general,
// but wants bounds that are provably non-negative and branches with a profile;
// work-item loops have neither, and need less: the index counts up by one from
// a known start and stays below 2^33 (libferry admits no more threads), so
// every interval can be computed exactly in saturating 64-bit arithmetic.
//
// Where there is one check only, its outcome is often known outside of the
// interval, too: what is left of `if (t < stride)` there is nothing.
//
// An index that is chosen by such a comparison (a neighbour on a ring) counts
// as a check, too: between the borders it is a plain sum again.
//
// A w-bit value that SCEV knows as {start,+,1} is index + offset modulo 2^w.
// The interval keeps index + offset inside [0, 2^(w-1)), where nothing wraps
// and signed and unsigned comparisons agree.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// Fewer bits are part of a number: a thread's lane in its warp, say, whose
/// range ends with the warp.
static constexpr unsigned NarrowestIndex = 32;

/// Threads that may be few enough for each to count.
static constexpr uint64_t ShortRow = 1024;

namespace {
/// `Index + Offset <Predicate> Bound`, with everything of `Width` bits.
struct RangeCheck {
  CheckedRange::Check Source;
  CmpInst::Predicate Predicate; ///< what holds when the check passes
  const SCEV *Offset, *Bound;
  unsigned Width, BoundWidth;
};

class Finder {
public:
  Finder(Function &F, const ThreadLoop &TL)
      : TL(TL), DT(F), LI(DT), AC(F),
        LibraryInfo(F.getParent()->getTargetTriple()), TLI(LibraryInfo),
        SE(F, TLI, AC, DT, LI), L(LI.getLoopFor(TL.Header)) {}

  std::optional<CheckedRange> find() {
    collectAll();
    if (Checks.empty())
      return std::nullopt;
    return computeRange();
  }

  std::optional<CheckedRange> findExact() {
    collectAll();
    auto *Exact = find_if(Checks, [&](auto &C) { return isExact(C); });
    if (Checks.size() < 2 || Exact == Checks.end())
      return std::nullopt;
    Checks = {*Exact};
    return computeRange();
  }

private:
  const ThreadLoop &TL;
  DominatorTree DT;
  LoopInfo LI;
  AssumptionCache AC;
  TargetLibraryInfoImpl LibraryInfo;
  TargetLibraryInfo TLI;
  ScalarEvolution SE;
  Loop *L;
  SmallVector<RangeCheck> Checks;

  void collectAll() {
    // What leads to the loop may not have been built yet.
    if (!L)
      return;
    SmallVector<BasicBlock *> Blocks = reached();
    for (BasicBlock *BB : Blocks)
      if (auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
          Branch && Branch->isConditional() && BB != TL.Header)
        if (std::optional<bool> Usual = usualOutcome(*Branch))
          collect(Branch->getCondition(), *Usual);
    for (BasicBlock *BB : Blocks)
      for (Instruction &I : *BB)
        if (auto *Select = dyn_cast<SelectInst>(&I))
          collectSelect(*Select);
  }

  /// The loop's blocks that no settled branch keeps threads from.
  SmallVector<BasicBlock *> reached() const {
    SmallSetVector<BasicBlock *, 16> Found;
    Found.insert(TL.Header);
    for (unsigned I = 0; I != Found.size(); ++I) {
      Instruction *Terminator = Found[I]->getTerminator();
      auto *Branch = dyn_cast<BranchInst>(Terminator);
      auto *Settled = Branch && Branch->isConditional()
                          ? dyn_cast<ConstantInt>(Branch->getCondition())
                          : nullptr;
      for (BasicBlock *Succ : successors(Terminator))
        if (L->contains(Succ) &&
            (!Settled || Succ == Branch->getSuccessor(Settled->isZero())))
          Found.insert(Succ);
    }
    return Found.takeVector();
  }

  /// A block that gives up on the thread: reports a panic, or does nothing.
  bool givesUp(const BasicBlock *BB) const {
    if (BB == TL.Latch)
      return true;
    for (const Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && Callee->hasFnAttribute(Attribute::Cold))
          return true;
    return BB->size() == 1 && BB->getSingleSuccessor() == TL.Latch;
  }

  /// Whether a thread does what it does on the way through `Edge` only. What is
  /// handed on in the loops' own variables is the same for all threads.
  bool isAllWork(const BasicBlockEdge &Edge) const {
    auto IsWork = [](const Instruction &I) {
      auto *Store = dyn_cast<StoreInst>(&I);
      return I.mayHaveSideEffects() && !I.isLifetimeStartOrEnd() &&
             !isa<AssumeInst>(I) &&
             !(Store && isa<AllocaInst>(
                            getUnderlyingObject(Store->getPointerOperand())));
    };
    return all_of(reached(), [&](const BasicBlock *BB) {
      return DT.dominates(Edge, BB) || none_of(*BB, IsWork);
    });
  }

  /// The outcome of `Branch` that is worth a loop of its own.
  std::optional<bool> usualOutcome(const BranchInst &Branch) const {
    bool TrueEnds = givesUp(Branch.getSuccessor(0));
    bool FalseEnds = givesUp(Branch.getSuccessor(1));
    auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
    // A block's row is short: without its first thread, the others make less of
    // full and aligned groups than there is to gain, unless they have nothing
    // to do at all.
    if (Compare && Compare->isEquality() && TL.MostThreads <= ShortRow &&
        !isAllWork(BasicBlockEdge(
            Branch.getParent(),
            Branch.getSuccessor(Compare->getPredicate() == ICmpInst::ICMP_NE))))
      return std::nullopt;
    if (TrueEnds != FalseEnds)
      return FalseEnds;
    // Both sides go on. Interior threads are the many: they are below an upper
    // bound, above a lower one, and not equal to anything.
    if (!Compare)
      return std::nullopt;
    if (!Compare->isEquality())
      return true;
    return Compare->getPredicate() == ICmpInst::ICMP_NE;
  }

  /// A neighbour on a ring, or at a border: one thread's index is another's.
  void collectSelect(SelectInst &Select) {
    auto *Compare = dyn_cast<ICmpInst>(Select.getCondition());
    if (Select.getType()->isIntegerTy() && Compare && Compare->isEquality())
      collect(Compare, Compare->getPredicate() == ICmpInst::ICMP_NE);
  }

  /// All comparisons that must come out as `Wanted`'s parts say.
  void collect(Value *Condition, bool Wanted) {
    Value *A, *C;
    if (match(Condition, m_Not(m_Value(A))))
      return collect(A, !Wanted);
    if (Wanted ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(C)))
               : match(Condition, m_LogicalOr(m_Value(A), m_Value(C)))) {
      collect(A, Wanted);
      return collect(C, Wanted);
    }
    if (auto *Compare = dyn_cast<ICmpInst>(Condition))
      if (Compare->getOperand(0)->getType()->isIntegerTy())
        if (!addCheck(*Compare, Wanted, 0))
          addCheck(*Compare, Wanted, 1);
  }

  /// Whether operand `Side` is the index and the other one the bound.
  bool addCheck(ICmpInst &Compare, bool Wanted, unsigned Side) {
    const SCEV *Index = SE.getSCEV(Compare.getOperand(Side));
    const SCEV *Bound = SE.getSCEV(Compare.getOperand(1 - Side));
    unsigned BoundWidth =
        Compare.getOperand(0)->getType()->getIntegerBitWidth();
    // An extension of a value below 2^(w-1) is that value.
    if (auto *Extended = dyn_cast<SCEVIntegralCastExpr>(Index);
        Extended && !isa<SCEVTruncateExpr>(Index))
      Index = Extended->getOperand();
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Index);
    if (!Recurrence || Recurrence->getLoop() != L || !Recurrence->isAffine() ||
        !Recurrence->getStepRecurrence(SE)->isOne() ||
        !SE.isLoopInvariant(Bound, L) || BoundWidth > 64 ||
        Recurrence->getType()->getIntegerBitWidth() < NarrowestIndex)
      return false;
    RangeCheck Check;
    Check.Source = {&Compare, Wanted};
    Check.Predicate =
        Side ? Compare.getSwappedPredicate() : Compare.getPredicate();
    if (!Wanted)
      Check.Predicate = CmpInst::getInversePredicate(Check.Predicate);
    if (Check.Predicate == CmpInst::ICMP_EQ)
      return false;
    Type *T = Recurrence->getType();
    const SCEV *Start = SE.getTruncateOrNoop(SE.getSCEV(TL.From), T);
    Check.Offset = SE.getMinusSCEV(Recurrence->getStart(), Start);
    Check.Bound = Bound;
    Check.Width = T->getIntegerBitWidth();
    Check.BoundWidth = BoundWidth;
    if (!SE.isLoopInvariant(Check.Offset, L))
      return false;
    Checks.push_back(Check);
    return true;
  }

  /// Whether the check fails for every thread outside of its interval: no index
  /// of the loop is where something wraps around, and the interval has an end
  /// only where the check has one.
  bool isExact(const RangeCheck &C) const {
    auto *Offset = dyn_cast<SCEVConstant>(C.Offset);
    APInt Largest = APInt::getSignedMaxValue(C.Width);
    return Offset && Offset->getAPInt().isNonNegative() &&
           !ICmpInst::isEquality(C.Predicate) && C.Width <= 64 &&
           Largest.uge(TL.MostThreads) &&
           Offset->getAPInt().ule(Largest.getZExtValue() - TL.MostThreads);
  }

  static bool isUpperBound(const RangeCheck &C) {
    return ICmpInst::isLT(C.Predicate) || ICmpInst::isLE(C.Predicate);
  }

  std::optional<CheckedRange> computeRange() {
    Instruction *At = TL.before()->getTerminator();
    SCEVExpander Expander(SE, "range");
    IRBuilder<> B(At);
    Type *I64 = B.getInt64Ty();
    auto Sat = [&](Intrinsic::ID ID, Value *X, Value *Y) {
      return B.CreateBinaryIntrinsic(ID, X, Y);
    };
    auto Min = [&](Value *X, Value *Y) { return Sat(Intrinsic::smin, X, Y); };
    auto Max = [&](Value *X, Value *Y) { return Sat(Intrinsic::smax, X, Y); };
    CheckedRange Range;
    Range.Low = TL.From;
    Range.High = TL.To;
    for (const RangeCheck &C : Checks) {
      if (!Expander.isSafeToExpandAt(C.Offset, At) ||
          !Expander.isSafeToExpandAt(C.Bound, At))
        continue;
      Value *Offset = B.CreateSExt(
          Expander.expandCodeFor(C.Offset, C.Offset->getType(), At), I64);
      Value *Bound = Expander.expandCodeFor(C.Bound, C.Bound->getType(), At);
      if (CmpInst::isSigned(C.Predicate))
        Bound = B.CreateSExt(Bound, I64);
      else
        Bound = Sat(Intrinsic::umin, B.CreateZExt(Bound, I64),
                    B.getInt64(INT64_MAX));
      // No wrapping: 0 <= index + offset < 2^(width - 1).
      uint64_t Largest = APInt::getSignedMaxValue(C.Width).getZExtValue();
      Range.Low =
          Max(Range.Low, Sat(Intrinsic::ssub_sat, B.getInt64(0), Offset));
      Range.High = Min(Range.High,
                       Sat(Intrinsic::ssub_sat, B.getInt64(Largest), Offset));
      // index <predicate> bound - offset
      Value *Limit = Sat(Intrinsic::ssub_sat, Bound, Offset);
      Value *Next = Sat(Intrinsic::sadd_sat, Limit, B.getInt64(1));
      switch (C.Predicate) {
      case CmpInst::ICMP_ULT:
      case CmpInst::ICMP_SLT:
        Range.High = Min(Range.High, Limit);
        break;
      case CmpInst::ICMP_ULE:
      case CmpInst::ICMP_SLE:
        Range.High = Min(Range.High, Next);
        break;
      case CmpInst::ICMP_UGT:
      case CmpInst::ICMP_SGT:
        Range.Low = Max(Range.Low, Next);
        break;
      case CmpInst::ICMP_UGE:
      case CmpInst::ICMP_SGE:
        Range.Low = Max(Range.Low, Limit);
        break;
      case CmpInst::ICMP_NE: {
        // The larger of the two sides.
        Value *Above =
            B.CreateICmpSLE(Sat(Intrinsic::ssub_sat, Limit, Range.Low),
                            Sat(Intrinsic::ssub_sat, Range.High, Next));
        Range.Low = B.CreateSelect(Above, Max(Range.Low, Next), Range.Low);
        Range.High = B.CreateSelect(Above, Range.High, Min(Range.High, Limit));
        break;
      }
      default:
        llvm_unreachable("equality is not a range");
      }
      Range.Checks.push_back(C.Source);
    }
    if (Range.Checks.empty())
      return std::nullopt;
    Value *Low = Min(Range.Low, TL.To), *High = Max(Range.High, Low);
    Range.OppositeOutside = Checks.size() == 1 && isExact(Checks.front());
    if (!Range.OppositeOutside) {
      Range.Low = Low;
      Range.High = High;
    } else if (isUpperBound(Checks.front())) {
      Range.Low = TL.From;
      Range.High = Max(Range.High, TL.From);
    } else {
      Range.Low = Low;
      Range.High = TL.To;
    }
    return Range;
  }
};
} // namespace

std::optional<CheckedRange> findCheckedRange(Function &F, const ThreadLoop &L) {
  return Finder(F, L).find();
}

std::optional<CheckedRange> findExactRange(Function &F, const ThreadLoop &L) {
  return Finder(F, L).findExact();
}

} // namespace ferry
