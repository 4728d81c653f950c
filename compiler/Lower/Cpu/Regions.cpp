//===- Regions.cpp - A kernel cut at its barriers -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host thread plays all threads of a block, so at a barrier it must put a
// thread aside and take up the next. The kernel is cut there: a region is what
// a thread runs from one barrier to the next, whatever way it goes, and a block
// runs region after region, each as a loop over its threads. Any control flow
// around barriers is right by construction, since a region is not a piece of
// the source but all that can be reached (Meyer, Aksel Alpay et al.,
// "Implementation Techniques for SPMD Kernels on CPUs", IWOCL 2023; Karrenberg
// and Hack, "Improving Performance of OpenCL on CPUs", CC 2012).
//
//   1. Each collective ends a block; the next block begins a region.
//   2. Values that are cheap to compute from what all threads share or from
//      the thread's place are computed again where they are used: indices stay
//      visible to the vectoriser, and need no room.
//   3. Other values that live across a collective are written to a slot of the
//      thread's context before it and read back after. Those on which all
//      threads agree have one place for the block. A loop's variable and its
//      next value have one slot, so that nothing is copied from round to round.
//   4. Arrays of the thread that live across a collective move to the context,
//      but for copies of by-value arguments, which each region fills anew.
//   5. For each region the function is copied, with that region's start as its
//      entry and returns in place of collectives.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Regions.h"
#include "Lower/Cpu/Cpu.h"
#include "Lower/Cpu/Uniformity.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace ferry {

namespace {
/// Instructions that computing a value again may take.
constexpr unsigned RecomputeLimit = 12;

/// A collective and the block that begins the region after it.
struct Cut {
  CallInst *Call;
  BasicBlock *After;
};

class Cutter {
public:
  Cutter(Function &F, bool MayKeepStep)
      : F(F), M(*F.getParent()), MayKeepStep(MayKeepStep) {}

  CutKernel run() {
    removeUnreachableBlocks(F);
    Uniform.emplace(F);
    Result.InStep = MayKeepStep && Uniform->meetsAtCollectives();
    Result.Regions.resize(1);
    splitBlocks();
    moveArrays();
    recomputeCheapValues();
    keepOtherValues();
    for (unsigned I = 0; I != Result.Regions.size(); ++I)
      makeRegion(I);
    F.eraseFromParent();
    return std::move(Result);
  }

private:
  Function &F;
  Module &M;
  bool MayKeepStep;
  std::optional<Uniformity> Uniform;
  CutKernel Result;
  SmallVector<Cut> Cuts;
  SmallVector<Instruction *> Refills; ///< fill copies of by-value arguments
  DenseMap<const Instruction *, unsigned> Costs;

  bool isShared(const Value &V) const {
    return Result.InStep && Uniform->isUniform(&V);
  }

  //===--------------------------------------------------------------------===//
  // Slots
  //===--------------------------------------------------------------------===//

  unsigned addSlot(uint64_t Bytes, Align A, bool Shared) {
    Result.Slots.push_back({alignTo(Bytes, A), A, Shared});
    return Result.Slots.size() - 1;
  }

  unsigned addSlot(Type *T, bool Shared = false) {
    const DataLayout &DL = M.getDataLayout();
    return addSlot(DL.getTypeAllocSize(T), DL.getABITypeAlign(T), Shared);
  }

  Value *address(IRBuilder<> &B, unsigned Slot, bool Out = false) {
    FunctionCallee Context = M.getOrInsertFunction(
        Out ? ContextOutName : ContextName, B.getPtrTy(), B.getInt32Ty());
    auto *Callee = cast<Function>(Context.getCallee());
    Callee->setDoesNotThrow();
    Callee->setDoesNotAccessMemory();
    Callee->addFnAttr(Attribute::WillReturn);
    return B.CreateCall(Context, B.getInt32(Slot));
  }

  //===--------------------------------------------------------------------===//
  // 1. Blocks
  //===--------------------------------------------------------------------===//

  void splitBlocks() {
    SmallVector<CallInst *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && collectiveFor(*Callee))
          Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      BasicBlock *After =
          Call->getParent()->splitBasicBlock(Call->getNextNode(), "region");
      After->splitBasicBlock(After->begin());
      Region R;
      R.After = *collectiveFor(*Call->getCalledFunction());
      R.Where = Call->getDebugLoc();
      if (R.After != Collective::SyncThreads)
        passThroughSlots(*Call, *After, R);
      Cuts.push_back({Call, After});
      Result.Regions.push_back(R);
    }
  }

  /// A warp operation's operands and result, which the block's loops exchange.
  void passThroughSlots(CallInst &Call, BasicBlock &After, Region &R) {
    IRBuilder<> B(&Call);
    R.Operand = addSlot(Call.getArgOperand(0)->getType());
    B.CreateStore(Call.getArgOperand(0), address(B, R.Operand));
    if (R.After == Collective::WarpShuffle) {
      R.Lane = addSlot(Call.getArgOperand(1)->getType());
      B.CreateStore(Call.getArgOperand(1), address(B, R.Lane));
    }
    R.Result = addSlot(Call.getType());
    B.SetInsertPoint(&*After.begin());
    Call.replaceAllUsesWith(
        B.CreateLoad(Call.getType(), address(B, R.Result), "exchanged"));
  }

  //===--------------------------------------------------------------------===//
  // Liveness
  //===--------------------------------------------------------------------===//

  using BlockSet = SmallPtrSet<BasicBlock *, 16>;

  /// Where a use takes place: for a phi, in the block that control comes from.
  static BasicBlock *placeOf(const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    if (auto *Phi = dyn_cast<PHINode>(User))
      return Phi->getIncomingBlock(U);
    return User->getParent();
  }

  /// The blocks at whose start `V` is still needed.
  static BlockSet liveIn(Instruction &V) {
    BlockSet Live;
    SmallVector<BasicBlock *> Queue;
    for (const Use &U : V.uses()) {
      BasicBlock *BB = placeOf(U);
      // Within its own block a value is at hand, unless a phi of that block
      // takes it from the round before, which placeOf has seen to.
      if (BB != V.getParent() && Live.insert(BB).second)
        Queue.push_back(BB);
    }
    while (!Queue.empty())
      for (BasicBlock *Pred : predecessors(Queue.pop_back_val()))
        if (Pred != V.getParent() && Live.insert(Pred).second)
          Queue.push_back(Pred);
    return Live;
  }

  bool livesAcross(Instruction &V) {
    if (V.use_empty())
      return false;
    BlockSet Live = liveIn(V);
    return any_of(Cuts, [&](const Cut &C) { return Live.contains(C.After); });
  }

  //===--------------------------------------------------------------------===//
  // 2. Cheap values
  //===--------------------------------------------------------------------===//

  static bool isCheap(const Instruction &I) {
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && (queryFor(*Callee) || Callee->getName() == ContextName);
    }
    // A thread's row or warp is not only as easy to find again: vectorised, it
    // is known to be the same for many threads.
    if (I.isIntDivRem())
      return isa<ConstantInt>(I.getOperand(1));
    return isa<CastInst, GetElementPtrInst, ICmpInst, SelectInst>(I) ||
           (isa<BinaryOperator>(I) && !I.getType()->isFPOrFPVectorTy());
  }

  /// Instructions that it takes to compute `V` from arguments, the thread's
  /// place and what all threads share. More than the limit: too many.
  unsigned cost(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    // Each region has its own copy of an alloca.
    if (!I || isa<AllocaInst>(I))
      return 0;
    if (auto Known = Costs.find(I); Known != Costs.end())
      return Known->second;
    unsigned Sum = RecomputeLimit + 1;
    if (isCheap(*I)) {
      Sum = 1;
      for (Value *Operand : I->operands())
        if (Sum <= RecomputeLimit)
          Sum += cost(Operand);
    }
    // What all threads share is at hand for one load.
    if (Sum > RecomputeLimit && isShared(*I))
      Sum = 0;
    return Costs[I] = Sum;
  }

  bool isRecomputed(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && isCheap(*I) && cost(I) != 0 && cost(I) <= RecomputeLimit;
  }

  Value *recompute(Value *V, Instruction *Before,
                   DenseMap<Value *, Value *> &Done) {
    if (!isRecomputed(V))
      return V;
    if (Value *Known = Done.lookup(V))
      return Known;
    Instruction *Copy = cast<Instruction>(V)->clone();
    for (Use &U : Copy->operands())
      U.set(recompute(U.get(), Before, Done));
    Copy->insertBefore(Before->getIterator());
    return Done[V] = Copy;
  }

  void recomputeCheapValues() {
    SmallVector<Instruction *> Values;
    for (Instruction &I : instructions(F))
      if (isRecomputed(&I) && livesAcross(I))
        Values.push_back(&I);
    for (Instruction *V : Values)
      for (Use &U : make_early_inc_range(V->uses())) {
        BasicBlock *BB = placeOf(U);
        if (BB == V->getParent())
          continue;
        auto *User = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        DenseMap<Value *, Value *> Done;
        Value *Copy = recompute(V, Phi ? BB->getTerminator() : User, Done);
        if (!Phi) {
          U.set(Copy);
          continue;
        }
        // Edges from one block bring one value.
        for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
          if (Phi->getIncomingBlock(I) == BB && Phi->getIncomingValue(I) == V)
            Phi->setIncomingValue(I, Copy);
      }
    for (Instruction *V : reverse(Values))
      if (V->use_empty())
        V->eraseFromParent();
  }

  //===--------------------------------------------------------------------===//
  // 3. Other values
  //===--------------------------------------------------------------------===//

  /// Values with one slot: a phi and what flows into it, as long as never two
  /// of them live across the same collective.
  struct Kept {
    BitVector Crossed; ///< collectives that some value lives across
    std::optional<unsigned> Slot;
  };

  void keepOtherValues() {
    MapVector<Instruction *, Kept> Values;
    EquivalenceClasses<Instruction *> Classes;
    for (Instruction &I : instructions(F)) {
      if (isa<AllocaInst>(I) || !livesAcross(I))
        continue;
      BlockSet Live = liveIn(I);
      Kept &New = Values[&I];
      New.Crossed.resize(Cuts.size());
      for (auto [Index, C] : enumerate(Cuts))
        if (Live.contains(C.After))
          New.Crossed.set(Index);
      Classes.insert(&I);
    }
    for (auto &[V, _] : Values)
      if (auto *Phi = dyn_cast<PHINode>(V))
        for (Value *Incoming : Phi->incoming_values())
          join(*Phi, Incoming, Values, Classes);
    for (auto &[V, _] : Values) {
      std::optional<unsigned> &Slot = Values[Classes.getLeaderValue(V)].Slot;
      if (!Slot)
        Slot = addSlot(V->getType(), isShared(*V));
      keep(*V, *Slot);
    }
  }

  void join(PHINode &Phi, Value *Incoming,
            MapVector<Instruction *, Kept> &Values,
            EquivalenceClasses<Instruction *> &Classes) {
    auto *I = dyn_cast<Instruction>(Incoming);
    if (!I || !Values.contains(I) || isShared(Phi) != isShared(*I))
      return;
    Instruction *A = Classes.getLeaderValue(&Phi);
    Instruction *B = Classes.getLeaderValue(I);
    if (A == B || Values[A].Crossed.anyCommon(Values[B].Crossed))
      return;
    BitVector Both = Values[A].Crossed;
    Both |= Values[B].Crossed;
    Classes.unionSets(A, B);
    Values[Classes.getLeaderValue(A)].Crossed = Both;
  }

  void keep(Instruction &V, unsigned Slot) {
    BlockSet Live = liveIn(V);
    bool Shared = Result.Slots[Slot].Shared;
    SSAUpdater Updater;
    Updater.Initialize(V.getType(), V.getName());
    Updater.AddAvailableValue(V.getParent(), &V);
    SmallPtrSet<Value *, 8> Reloads;
    SmallVector<Use *> Uses;
    for (Use &U : V.uses())
      if (placeOf(U) != V.getParent())
        Uses.push_back(&U);
    for (const Cut &C : Cuts) {
      if (!Live.contains(C.After))
        continue;
      IRBuilder<> B(C.After->getTerminator());
      Value *Reload = B.CreateLoad(V.getType(), address(B, Slot), V.getName());
      Reloads.insert(Reload);
      Updater.AddAvailableValue(C.After, Reload);
    }
    for (Use *U : Uses)
      Updater.RewriteUse(*U);
    for (const Cut &C : Cuts) {
      if (!Live.contains(C.After))
        continue;
      Value *Now = Updater.GetValueAtEndOfBlock(C.Call->getParent());
      if (Reloads.contains(Now))
        continue; // the slot has it
      IRBuilder<> B(C.Call);
      B.CreateStore(Now, address(B, Slot, Shared));
    }
  }

  //===--------------------------------------------------------------------===//
  // 4. Arrays
  //===--------------------------------------------------------------------===//

  /// Blocks that can be reached once control has been in one of `From`.
  static BlockSet reachableFrom(const BlockSet &From) {
    BlockSet Seen = From;
    SmallVector<BasicBlock *> Queue(From.begin(), From.end());
    while (!Queue.empty())
      for (BasicBlock *Next : successors(Queue.pop_back_val()))
        if (Seen.insert(Next).second)
          Queue.push_back(Next);
    return Seen;
  }

  /// Whether the array, or a pointer to it, may be used before a collective and
  /// after.
  bool livesAcross(AllocaInst &A) {
    BlockSet Users, Fresh;
    SmallVector<Instruction *> Derived{&A};
    SmallPtrSet<Instruction *, 16> Seen;
    for (unsigned I = 0; I != Derived.size(); ++I)
      for (Use &U : Derived[I]->uses()) {
        auto *User = cast<Instruction>(U.getUser());
        Users.insert(placeOf(U));
        if (!isa<LoadInst>(User) && User->getType()->isPointerTy() &&
            Seen.insert(User).second)
          Derived.push_back(User);
        // Stored somewhere, or handed on: it can turn up anywhere.
        bool Escapes = isa<StoreInst>(User) &&
                       U.getOperandNo() != StoreInst::getPointerOperandIndex();
        Escapes |= isa<CallInst>(User) && !isa<IntrinsicInst>(User);
        if (Escapes || isa<PtrToIntInst>(User))
          return true;
      }
    // A pointer that is kept would lead to the copy of another region.
    for (Instruction *I : ArrayRef(Derived).drop_front())
      if (!isRecomputed(I) && livesAcross(*I))
        return true;
    // Backwards from the uses, up to where its life starts anew.
    for (User *U : A.users())
      if (auto *Start = dyn_cast<LifetimeIntrinsic>(U);
          Start && Start->getIntrinsicID() == Intrinsic::lifetime_start)
        Fresh.insert(Start->getParent());
    BlockSet Live;
    SmallVector<BasicBlock *> Queue;
    for (BasicBlock *BB : Users)
      if (!Fresh.contains(BB) && Live.insert(BB).second)
        Queue.push_back(BB);
    while (!Queue.empty())
      for (BasicBlock *Pred : predecessors(Queue.pop_back_val()))
        if (!Fresh.contains(Pred) && Live.insert(Pred).second)
          Queue.push_back(Pred);
    BlockSet Reached = reachableFrom(Users);
    return any_of(Cuts, [&](const Cut &C) {
      return Live.contains(C.After) && Reached.contains(C.Call->getParent());
    });
  }

  void moveArrays() {
    SmallVector<AllocaInst *> Arrays;
    for (Instruction &I : instructions(F))
      if (auto *A = dyn_cast<AllocaInst>(&I))
        Arrays.push_back(A);
    const DataLayout &DL = M.getDataLayout();
    for (AllocaInst *A : Arrays) {
      if (!livesAcross(*A))
        continue;
      Costs.clear(); // addresses in the context are computed
      SmallVector<Instruction *> Fills =
          takeArgumentCopy(*A, F.getEntryBlock());
      if (!Fills.empty()) {
        append_range(Refills, Fills);
        continue;
      }
      unsigned Slot = addSlot(A->getAllocationSize(DL)->getFixedValue(),
                              A->getAlign(), /*Shared=*/false);
      for (User *U : make_early_inc_range(A->users()))
        if (cast<Instruction>(U)->isLifetimeStartOrEnd())
          cast<Instruction>(U)->eraseFromParent();
      for (Use &U : make_early_inc_range(A->uses())) {
        auto *User = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        if (!Phi) {
          IRBuilder<> B(User);
          U.set(address(B, Slot));
          continue;
        }
        IRBuilder<> B(placeOf(U)->getTerminator());
        Value *Address = address(B, Slot);
        BasicBlock *From = placeOf(U);
        for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
          if (Phi->getIncomingBlock(I) == From && Phi->getIncomingValue(I) == A)
            Phi->setIncomingValue(I, Address);
      }
      A->eraseFromParent();
    }
  }

  //===--------------------------------------------------------------------===//
  // 5. Regions
  //===--------------------------------------------------------------------===//

  void makeRegion(unsigned Number) {
    LLVMContext &Ctx = M.getContext();
    Type *I32 = Type::getInt32Ty(Ctx);
    auto *Code = Function::Create(
        FunctionType::get(I32, F.getFunctionType()->params(), false),
        GlobalValue::InternalLinkage, F.getName() + ".region." + Twine(Number),
        M);
    ValueToValueMapTy Map;
    for (auto [Old, New] : zip(F.args(), Code->args())) {
      New.setName(Old.getName());
      Map[&Old] = &New;
    }
    SmallVector<ReturnInst *> Returns;
    CloneFunctionInto(Code, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                      Returns);
    auto LeaveWith = [&](Instruction *End, unsigned Next) {
      ReturnInst::Create(Ctx, ConstantInt::get(I32, Next), End->getIterator())
          ->setDebugLoc(End->getDebugLoc());
      End->eraseFromParent();
    };
    for (ReturnInst *Return : Returns)
      LeaveWith(Return, 0);
    for (auto [I, C] : enumerate(Cuts)) {
      auto *Call = cast<CallInst>(&*Map[C.Call]);
      LeaveWith(Call->getParent()->getTerminator(), I + 1);
      Call->eraseFromParent();
    }
    if (Number) {
      SmallVector<Instruction *> Fills;
      for (Instruction *Fill : Refills)
        Fills.push_back(cast<Instruction>(&*Map[Fill]));
      enterAt(*Code, *cast<BasicBlock>(&*Map[Cuts[Number - 1].After]), Fills);
    }
    removeUnreachableBlocks(*Code);

    Region &R = Result.Regions[Number];
    R.Code = Code;
    for (BasicBlock &BB : *Code)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
        unsigned Next =
            cast<ConstantInt>(Return->getReturnValue())->getZExtValue();
        if (!is_contained(R.Next, Next))
          R.Next.push_back(Next);
      }
    llvm::sort(R.Next);
  }

  static void enterAt(Function &Code, BasicBlock &Start,
                      ArrayRef<Instruction *> Fills) {
    BasicBlock &Old = Code.getEntryBlock();
    auto *Entry = BasicBlock::Create(Code.getContext(), "entry", &Code, &Old);
    BranchInst::Create(&Start, Entry);
    for (Instruction &I : make_early_inc_range(Old))
      if (isa<AllocaInst>(I))
        I.moveBefore(Entry->getTerminator()->getIterator());
    for (Instruction *Fill : Fills)
      Fill->moveBefore(Entry->getTerminator()->getIterator());
  }
};
} // namespace

CutKernel cutAtCollectives(Function &Thread, bool MayKeepStep) {
  return Cutter(Thread, MayKeepStep).run();
}

} // namespace ferry
