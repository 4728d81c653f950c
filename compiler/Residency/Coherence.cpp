//===- Coherence.cpp - Where the host looks -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is announced right before it, or, if it is in loops without a
// launch, before the outermost of these: there with all the bytes that it
// touches in the loop, as far as scalar evolution knows them, else with all of
// the region. A function's own memory needs no announcement where no launch can
// have come before.
//
// Where one is followed by others of the same memory, the first also says what
// all of them need together, which libferry fetches at once if it is little.
//
// Announcements in one place are behind one test whether anything is on a
// device at all.
//
//===----------------------------------------------------------------------===//

#include "Residency/Coherence.h"
#include "ferry/runtime.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ferry {

namespace {

/// What is said, and of which bytes.
struct Announcement {
  const SCEV *Begin;
  const SCEV *Bytes; ///< null: all of the region
  bool Writes;
  bool Overwrites;
  bool IsTogether = false;

  StringRef function() const {
    if (IsTogether)
      return "__ferry_host_reads_together";
    if (Overwrites)
      return "__ferry_host_overwrites";
    return Writes ? "__ferry_host_writes" : "__ferry_host_reads";
  }
  /// In one place.
  unsigned order() const { return IsTogether ? 0 : Overwrites ? 2 : 1; }
  bool operator==(const Announcement &) const = default;
};

struct Placed {
  Instruction *At;
  const SCEV *Base;
  Announcement What;
};

class Announcer {
public:
  Announcer(Function &F, const SmallPtrSetImpl<Instruction *> &Launching,
            const FunctionAnalyses &Known)
      : F(F), Launching(Launching), DT(Known.DT), LI(Known.LI), SE(Known.SE),
        Int64(Type::getInt64Ty(F.getContext())),
        ReturnsTwice(F.callsFunctionThatReturnsTwice()) {
    SmallVector<BasicBlock *> Behind;
    for (Instruction *I : Launching) {
      for (const Loop *L = LI.getLoopFor(I->getParent()); L;
           L = L->getParentLoop())
        LaunchLoops.insert(L);
      append_range(Behind, successors(I->getParent()));
    }
    while (!Behind.empty()) {
      BasicBlock *BB = Behind.pop_back_val();
      if (BehindLaunches.insert(BB).second)
        append_range(Behind, successors(BB));
    }
  }

  void add(const HostAccess &A) {
    if (!ReturnsTwice && isFresh(A))
      return;
    Loop *L = quietLoop(A);
    BasicBlock *Before = L ? preheaderOf(*L) : nullptr;
    if (Before) {
      Instruction &At = *Before->getTerminator();
      place(At, SE.getSCEV(A.Pointer), inLoop(A, *L, At));
      return;
    }
    bool Overwrites = A.Writes && !A.Reads && A.Bytes;
    const SCEV *Pointer = SE.getSCEV(A.Pointer);
    place(*A.I, Pointer,
          {Pointer, A.Bytes ? wide(SE.getSCEV(A.Bytes)) : nullptr, A.Writes,
           Overwrites});
  }

  void write() {
    bringTogether();
    MapVector<Instruction *, SmallVector<Announcement, 2>> Places;
    for (const Placed &P : All)
      Places[P.At].push_back(P.What);
    // What is overwritten must not be what another still reads from there.
    for (auto &[At, Said] : Places)
      stable_sort(Said, [](const Announcement &A, const Announcement &B) {
        return A.order() < B.order();
      });
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    IRBuilder<> B(F.getContext());
    Module &M = *F.getParent();
    Constant *Away = M.getOrInsertGlobal("__ferry_regions_away", Int64);
    MDNode *Unlikely = MDBuilder(F.getContext()).createUnlikelyBranchWeights();
    for (auto &[At, Said] : Places) {
      B.SetInsertPoint(At);
      // Another thread may make room on the device, and bring data home.
      LoadInst *Number = B.CreateAlignedLoad(Int64, Away, Align(8));
      Number->setAtomic(AtomicOrdering::Acquire);
      Value *Any = B.CreateIsNotNull(Number);
      Instruction *Then = SplitBlockAndInsertIfThen(Any, At->getIterator(),
                                                    /*Unreachable=*/false,
                                                    Unlikely, &Updater, &LI);
      SCEVExpander Expander(SE, "ferry");
      for (const Announcement &A : Said)
        say(M, A, *Then, Expander);
    }
  }

private:
  Function &F;
  const SmallPtrSetImpl<Instruction *> &Launching;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  Type *Int64;
  bool ReturnsTwice;
  SmallPtrSet<const Loop *, 8> LaunchLoops;
  SmallPtrSet<BasicBlock *, 16> BehindLaunches;
  SmallVector<Placed> All;

  void place(Instruction &At, const SCEV *Pointer, const Announcement &A) {
    const SCEV *Base = SE.getPointerBase(Pointer);
    if (none_of(All,
                [&](const Placed &P) { return P.At == &At && P.What == A; }))
      All.push_back({&At, Base, A});
  }

  const SCEV *wide(const SCEV *Bytes) {
    return SE.getTruncateOrZeroExtend(Bytes, Int64);
  }

  bool comesBehindLaunch(const Instruction &I) const {
    if (BehindLaunches.contains(I.getParent()))
      return true;
    return any_of(Launching, [&](Instruction *Launch) {
      return Launch->getParent() == I.getParent() && Launch->comesBefore(&I);
    });
  }

  /// This call of the function has allocated the memory, and launched nothing.
  bool isFresh(const HostAccess &A) const {
    if (comesBehindLaunch(*A.I))
      return false;
    SmallVector<const Value *> Objects;
    getUnderlyingObjects(A.Pointer, Objects, &LI, /*MaxLookup=*/0);
    return all_of(Objects, [](const Value *V) {
      auto *Call = dyn_cast<CallBase>(V);
      return Call && Call->hasRetAttr(Attribute::NoAlias);
    });
  }

  /// The outermost loop around the access of which all turns can be announced
  /// in front of it.
  Loop *quietLoop(const HostAccess &A) const {
    Loop *Found = nullptr;
    if (ReturnsTwice)
      return nullptr;
    const SCEV *Base = SE.getPointerBase(SE.getSCEV(A.Pointer));
    for (Loop *L = LI.getLoopFor(A.I->getParent());
         L && !LaunchLoops.contains(L) && SE.isLoopInvariant(Base, L);
         L = L->getParentLoop())
      Found = L;
    return Found;
  }

  /// Null when a loop can have none.
  BasicBlock *preheaderOf(Loop &L) {
    BasicBlock *Known = L.getLoopPreheader();
    return Known ? Known
                 : InsertPreheaderForLoop(&L, &DT, &LI, nullptr,
                                          /*PreserveLCSSA=*/false);
  }

  /// First and last value of a pointer that walks upwards in the loop and those
  /// inside. The number of turns may be far too large where the loop has other
  /// exits, but what comes of it never wraps.
  bool bounds(const SCEV *S, const Loop &L, const SCEV *&Least,
              const SCEV *&Largest) {
    auto *Walk = dyn_cast<SCEVAddRecExpr>(S);
    if (!Walk) {
      Least = Largest = S;
      return SE.isLoopInvariant(S, &L);
    }
    const Loop *Own = Walk->getLoop();
    auto *Step = dyn_cast<SCEVConstant>(Walk->getStepRecurrence(SE));
    const SCEV *Turns = SE.getSymbolicMaxBackedgeTakenCount(Own);
    if (!L.contains(Own) || !Step || !Step->getAPInt().isStrictlyPositive() ||
        isa<SCEVCouldNotCompute>(Turns) ||
        SE.getTypeSizeInBits(Turns->getType()) > 64)
      return false;
    constexpr int64_t Far = int64_t(1) << 60;
    const SCEV *Most =
        SE.getConstant(Step->getType(), Far / Step->getAPInt().getSExtValue());
    const SCEV *Way = SE.getMulExpr(
        Step, SE.getUMinExpr(SE.getTruncateOrZeroExtend(Turns, Step->getType()),
                             Most));
    const SCEV *Unused;
    return bounds(Walk->getStart(), L, Least, Unused) &&
           bounds(SE.getAddExpr(Walk->getStart(), Way), L, Unused, Largest);
  }

  Announcement inLoop(const HostAccess &A, const Loop &L, Instruction &At) {
    const SCEV *Pointer = SE.getSCEV(A.Pointer);
    Announcement All = {SE.getPointerBase(Pointer), nullptr, A.Writes, false};
    auto *Bytes = dyn_cast_or_null<ConstantInt>(A.Bytes);
    const SCEV *Least, *Largest;
    if (!Bytes || !bounds(Pointer, L, Least, Largest))
      return All;
    const SCEV *Length = SE.getMinusSCEV(Largest, Least);
    if (isa<SCEVCouldNotCompute>(Length))
      return All;
    Length = SE.getAddExpr(wide(Length), SE.getSCEV(Bytes));
    SCEVExpander Expander(SE, "ferry");
    if (!Expander.isSafeToExpandAt(Least, &At) ||
        !Expander.isSafeToExpandAt(Length, &At))
      return All;
    return {Least, Length, A.Writes, false};
  }

  /// The second comes after the first as a rule, and no launch in between.
  bool follows(const Placed &First, const Placed &Second,
               const BlockFrequencyInfo &Often) const {
    if (First.At == Second.At)
      return true;
    BasicBlock *From = First.At->getParent(), *To = Second.At->getParent();
    if (!DT.dominates(First.At, Second.At) ||
        LI.getLoopFor(From) != LI.getLoopFor(To) ||
        Often.getBlockFreq(To).getFrequency() <
            Often.getBlockFreq(From).getFrequency() / 10 * 9)
      return false;
    SmallPtrSet<BasicBlock *, 4> Excluded = {To};
    return none_of(Launching, [&](Instruction *Launch) {
      BasicBlock *BB = Launch->getParent();
      if (From == To)
        return BB == From && First.At->comesBefore(Launch) &&
               Launch->comesBefore(Second.At);
      return (BB == From && First.At->comesBefore(Launch)) ||
             (BB == To && Launch->comesBefore(Second.At)) ||
             (BB != From && BB != To &&
              isPotentiallyReachable(First.At, Launch, &Excluded, &DT, &LI));
    });
  }

  /// All that two need. Nothing is known of bytes that are not constant.
  Announcement unite(const Announcement &A, const Announcement &B,
                     const SCEV *Base) const {
    Announcement Whole = {Base, nullptr, false, false, true};
    auto *Here = dyn_cast_or_null<SCEVConstant>(A.Bytes);
    auto *There = dyn_cast_or_null<SCEVConstant>(B.Bytes);
    auto *Way = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B.Begin, A.Begin));
    if (!Here || !There || !Way)
      return Whole;
    int64_t To = Way->getAPInt().getSExtValue();
    int64_t End = std::max<int64_t>(Here->getAPInt().getSExtValue(),
                                    To + There->getAPInt().getSExtValue());
    int64_t Begin = std::min<int64_t>(0, To);
    const SCEV *First = SE.getAddExpr(
        A.Begin, SE.getConstant(Way->getType(), Begin, /*isSigned=*/true));
    return {First, SE.getConstant(Int64, End - Begin), false, false, true};
  }

  void bringTogether() {
    if (All.size() < 2)
      return;
    BranchProbabilityInfo Likely(F, LI);
    BlockFrequencyInfo Often(F, Likely, LI);
    SmallVector<Placed> Leaders;
    SmallPtrSet<const Placed *, 8> Led;
    for (const Placed &First : All) {
      if (First.What.Overwrites || Led.contains(&First))
        continue;
      Announcement Together = First.What;
      for (const Placed &Second : All) {
        if (&First == &Second || First.Base != Second.Base ||
            Second.What.Overwrites || Led.contains(&Second) ||
            !follows(First, Second, Often))
          continue;
        Led.insert(&Second);
        Together = unite(Together, Second.What, First.Base);
      }
      if (Together.IsTogether)
        Leaders.push_back({First.At, First.Base, Together});
    }
    append_range(All, Leaders);
  }

  void say(Module &M, const Announcement &A, Instruction &At,
           SCEVExpander &Expander) {
    IRBuilder<> B(&At);
    Value *Begin = Expander.expandCodeFor(A.Begin, B.getPtrTy(), &At);
    Value *Bytes = A.Bytes ? Expander.expandCodeFor(A.Bytes, Int64, &At)
                           : B.getInt64(FERRY_ALL_BYTES);
    FunctionCallee Callee =
        M.getOrInsertFunction(A.function(), B.getVoidTy(), B.getPtrTy(), Int64);
    B.SetInsertPoint(&At);
    B.CreateCall(Callee, {Begin, Bytes})->setDoesNotThrow();
  }
};

} // namespace

void announce(Function &F, ArrayRef<HostAccess> Accesses,
              const SmallPtrSetImpl<Instruction *> &Launching,
              const FunctionAnalyses &Known) {
  Announcer Say(F, Launching, Known);
  for (const HostAccess &A : Accesses)
    Say.add(A);
  Say.write();
}

} // namespace ferry
