//===- Residency.cpp - Memory that may stay on a device -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is said at run time, by address, so that the analysis may be as
// coarse as it likes: it has to find all instructions that *may* touch a region
// or let it out of sight, and one that does not is told apart when it runs.
//
// What is said in a copy (Copies.h) is said in the function itself as well, as
// far as it knows memory that nobody else does. A body that takes its place
// knows only such memory.
//
//===----------------------------------------------------------------------===//

#include "Residency/Residency.h"
#include "Residency/Coherence.h"
#include "Residency/Copies.h"
#include "Residency/Heap.h"
#include "ferry/runtime.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry {

namespace {

/// Finds what has to be said, without changing anything.
class Finder {
public:
  Finder(Module &M, GetLibraryInfo Library)
      : Library(Library), Points(M, Library) {
    for (unsigned Id = 1; Id < Points.numObjects(); ++Id) {
      const MemoryObject &O = Points.object(Id);
      if (O.IsHeap && !O.Launches.empty())
        Tracked.insert(Id);
    }
    if (Tracked.empty())
      return;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        find(I, Work[&F]);
    for (auto &[I, E] : Points.escapes())
      findEscapes(*I, E, Work[I->getFunction()]);
    Work.remove_if([](auto &Each) { return Each.second.empty(); });
  }

  MapVector<Function *, FunctionWork> Work;

private:
  GetLibraryInfo Library;
  PointsTo Points;
  ObjectSet Tracked;

  static bool isInCycle(const Instruction &I) {
    const BasicBlock *BB = I.getParent();
    SmallVector<const BasicBlock *> Left(successors(BB));
    SmallPtrSet<const BasicBlock *, 32> Seen(Left.begin(), Left.end());
    while (!Left.empty() && !Seen.contains(BB))
      for (const BasicBlock *Next : successors(Left.pop_back_val()))
        if (Seen.insert(Next).second)
          Left.push_back(Next);
    return Seen.contains(BB);
  }

  /// In a loop, or in a function that is called in one.
  static bool isRepeated(const Instruction &I,
                         SmallPtrSetImpl<const llvm::Function *> &Seen) {
    if (isInCycle(I))
      return true;
    return Seen.insert(I.getFunction()).second &&
           any_of(I.getFunction()->uses(), [&](const Use &U) {
             auto *Call = dyn_cast<CallBase>(U.getUser());
             return Call && isRepeated(*Call, Seen);
           });
  }

  bool isUsedAgain(CallBase &Allocation) const {
    for (unsigned Id : Tracked)
      if (Points.object(Id).Origin == &Allocation)
        return any_of(Points.object(Id).Launches, [&](Instruction *Launch) {
          SmallPtrSet<const llvm::Function *, 8> Seen;
          return isRepeated(*Launch, Seen);
        });
    return false;
  }

  bool touches(Value *V) const {
    return Points.mayPointTo(
        V, [&](unsigned Object) { return Tracked.contains(Object); });
  }

  void find(Instruction &I, FunctionWork &Of) {
    auto Access = [&](Value *Pointer, Value *Bytes, bool Reads, bool Writes) {
      if (touches(Pointer))
        Of.Accesses.push_back({&I, Pointer, Bytes, Reads, Writes});
    };
    const DataLayout &DL = I.getDataLayout();
    auto SizeOf = [&](Type *T) -> Value * {
      TypeSize Size = DL.getTypeStoreSize(T);
      return Size.isScalable()
                 ? nullptr
                 : ConstantInt::get(Type::getInt64Ty(I.getContext()), Size);
    };
    if (auto *L = dyn_cast<LoadInst>(&I))
      Access(L->getPointerOperand(), SizeOf(L->getType()), true, false);
    else if (auto *S = dyn_cast<StoreInst>(&I))
      Access(S->getPointerOperand(), SizeOf(S->getValueOperand()->getType()),
             false, true);
    else if (auto *R = dyn_cast<AtomicRMWInst>(&I))
      Access(R->getPointerOperand(), SizeOf(R->getType()), true, true);
    else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
      Access(X->getPointerOperand(), SizeOf(X->getNewValOperand()->getType()),
             true, true);
    else if (auto *Call = dyn_cast<CallBase>(&I))
      findInCall(*Call, Of, Access);
  }

  template <typename Function>
  void findInCall(CallBase &Call, FunctionWork &Of, Function Access) {
    if (auto *Set = dyn_cast<MemSetInst>(&Call)) {
      Access(Set->getRawDest(), Set->getLength(), false, true);
      return;
    }
    if (auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
      Access(Transfer->getRawSource(), Transfer->getLength(), true, false);
      Access(Transfer->getRawDest(), Transfer->getLength(), false, true);
      return;
    }
    for (Use &U : Call.args())
      if (Call.isPassPointeeByValueArgument(Call.getArgOperandNo(&U)))
        Access(U, nullptr, true, false); // copied by the call
    const TargetLibraryInfo &TLI = Library(*Call.getFunction());
    if (allocates(Call, TLI)) {
      if (touches(&Call))
        Of.Begins.emplace_back(&Call, isUsedAgain(Call));
      return;
    }
    if (Value *Freed = freedPointer(Call, TLI)) {
      if (touches(Freed))
        Of.Ends.emplace_back(&Call, Freed);
      return;
    }
    llvm::Function *Named = Call.getCalledFunction();
    if ((Named && Named->getName() == "__ferry_run") ||
        PointsTo::visibleCallee(Call))
      return;
    findUnseen(Call, TLI, Of, Access);
  }

  /// What code that is not here does with pointers that it does not keep.
  template <typename Function>
  void findUnseen(CallBase &Call, const TargetLibraryInfo &TLI,
                  FunctionWork &Of, Function Access) {
    if (Call.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(Call) ||
        Call.doesNotAccessMemory())
      return;
    LibFunc Known;
    bool IsLibrary = TLI.getLibFunc(Call, Known) && TLI.has(Known);
    for (Use &U : Call.args()) {
      unsigned Number = Call.getArgOperandNo(&U);
      if (!touches(U) || !U->getType()->isPointerTy() ||
          Call.isPassPointeeByValueArgument(Number) ||
          !Call.doesNotCapture(Number) ||
          Call.paramHasAttr(Number, Attribute::ReadNone))
        continue;
      // Nothing can be said behind a call that is the last thing.
      bool Frees = Call.isMustTailCall() ||
                   (!IsLibrary && !Call.hasFnAttr(Attribute::NoFree) &&
                    !Call.paramHasAttr(Number, Attribute::NoFree));
      if (Frees || reallocatedPointer(Call) == U)
        Of.Escapes.emplace_back(&Call, U);
      else if (isa<IntrinsicInst>(Call) || IsLibrary)
        Access(U, nullptr, true, !Call.onlyReadsMemory(Number));
      else
        Of.Lends.emplace_back(&Call, U);
    }
  }

  void findEscapes(Instruction &I, const PointsTo::Escape &E,
                   FunctionWork &Of) {
    auto ByPointer = [&](unsigned Object) {
      bool Any = false;
      for (Value *V : I.operands())
        if (V->getType()->isPointerTy() &&
            Points.mayPointTo(V,
                              [&](unsigned Each) { return Each == Object; })) {
          if (!is_contained(Of.Escapes, std::pair(&I, V)))
            Of.Escapes.emplace_back(&I, V);
          Any = true;
        }
      return Any;
    };
    for (unsigned Object : E.Direct)
      if (Tracked.contains(Object) && !ByPointer(Object))
        Of.SiteEscapes.emplace_back(
            &I, cast<CallBase>(Points.object(Object).Origin));
    for (unsigned Object : E.Reached)
      if (Tracked.contains(Object))
        Of.SiteEscapes.emplace_back(
            &I, cast<CallBase>(Points.object(Object).Origin));
  }
};

/// Says it.
class Teller {
public:
  explicit Teller(Module &M) : M(M), B(M.getContext()) {}

  void tell(const FunctionWork &Work, const TargetLibraryInfo &TLI) {
    for (auto &[Call, Pointer] : Work.Ends)
      call(*Call, "__ferry_region_end", {Pointer});
    for (auto &[I, Pointer] : Work.Escapes)
      call(*I, "__ferry_region_escapes", {Pointer});
    for (auto &[I, Site] : Work.SiteEscapes)
      call(*I, "__ferry_regions_escape", {siteOf(*Site)});
    for (auto &[Call, Pointer] : Work.Lends) {
      call(*Call, "__ferry_region_lent", {Pointer});
      call(*after(*Call), "__ferry_region_returned", {Pointer});
    }
    for (auto &[Call, Again] : Work.Begins)
      begin(*Call, Again, TLI);
  }

private:
  Module &M;
  IRBuilder<> B;
  DenseMap<CallBase *, Constant *> Sites;

  void call(Instruction &Before, StringRef Name, ArrayRef<Value *> Arguments) {
    B.SetInsertPoint(&Before);
    SmallVector<Type *> Types;
    for (Value *V : Arguments)
      Types.push_back(V->getType());
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(B.getVoidTy(), Types, false));
    B.CreateCall(Callee, Arguments)->setDoesNotThrow();
  }

  /// Where the call has returned.
  Instruction *after(CallBase &Call) {
    auto *Invoke = dyn_cast<InvokeInst>(&Call);
    if (!Invoke)
      return Call.getNextNode();
    BasicBlock *Next = Invoke->getNormalDest();
    if (!Next->getSinglePredecessor())
      Next = SplitEdge(Invoke->getParent(), Next);
    return &*Next->getFirstInsertionPt();
  }

  Constant *siteOf(CallBase &Call) {
    Constant *&Site = Sites[&Call];
    if (!Site) {
      auto *G = new GlobalVariable(M, B.getInt8Ty(), /*isConstant=*/true,
                                   GlobalValue::PrivateLinkage, B.getInt8(0),
                                   "ferry.site");
      Site = G;
    }
    return Site;
  }

  void begin(CallBase &Call, bool Again, const TargetLibraryInfo &TLI) {
    Value *Known = allocatedBytes(Call, TLI);
    if (!Known)
      return;
    Instruction *At = after(Call);
    B.SetInsertPoint(At);
    Value *Bytes = B.CreateZExtOrTrunc(Known, B.getInt64Ty());
    call(*At, "__ferry_region_begin",
         {&Call, Bytes, siteOf(Call), B.getInt32(Again)});
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Functions that launch, or call one that does.
static SmallPtrSet<Function *, 16> launchingFunctions(Function &Run) {
  SmallPtrSet<Function *, 16> Result;
  SmallVector<Function *> Left = {&Run};
  while (!Left.empty())
    for (User *U : Left.pop_back_val()->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Result.insert(Call->getFunction()).second)
          Left.push_back(Call->getFunction());
  return Result;
}

static SmallPtrSet<Instruction *, 16>
launchesIn(Function &F, const Function &Run,
           const SmallPtrSetImpl<Function *> &Functions) {
  SmallPtrSet<Instruction *, 16> Result;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = Call->getCalledFunction())
        if (Callee == &Run || Functions.contains(Callee))
          Result.insert(&I);
  return Result;
}

PreservedAnalyses ResidencyPass::run(Module &M, ModuleAnalysisManager &MAM) {
  Function *Run = M.getFunction("__ferry_run");
  if (!Run || Run->use_empty())
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto Library = [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  FunctionCopies Copies(M);
  Finder Found(M, Library);
  Copies.drop([&](Function &F) { return Found.Work.contains(&F); }, FAM);

  SmallPtrSet<Function *, 16> Launching = launchingFunctions(*Run);
  Teller Tell(M);
  for (auto &[F, Work] : Found.Work) {
    FunctionAnalyses Known{FAM.getResult<DominatorTreeAnalysis>(*F),
                           FAM.getResult<LoopAnalysis>(*F),
                           FAM.getResult<ScalarEvolutionAnalysis>(*F)};
    announce(*F, Work.Accesses, launchesIn(*F, *Run, Launching), Known);
  }
  for (auto &[F, Work] : Found.Work)
    Tell.tell(Work, Library(*F));
  return PreservedAnalyses::none();
}

} // namespace ferry
