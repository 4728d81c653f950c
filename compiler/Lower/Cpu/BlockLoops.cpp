//===- BlockLoops.cpp - A block whose threads work together ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel comes cut into regions (Regions.cpp). A block runs them, each as a
// loop nest over the block's threads, in one of two ways.
//
// In step: all threads come to the same collectives. After a region's loops
// there is one region to go on with, the same for all threads, so that the
// regions are joined by plain branches: a loop with a barrier in it becomes a
// loop with thread loops in it.
//
// Apart: threads may wait at different barriers, or be done while others wait.
// Each thread has its own state, and a block goes in phases: every thread that
// can run does, up to its next collective. Warps whose lanes wait for each
// other are served between phases. When all threads are done or wait for the
// block, the block's barrier opens, as it does on GPUs, whichever place in the
// source each thread waits at.
//
// Shared memory is one block's at a time, and contexts too, so both lie in the
// scratch memory of the host thread that runs the block.
//
// All that is built once more for a block of the likely size, if there is one
// (LikelyBlocks.cpp): constants as trip counts make other code of it.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Regions.h"
#include "Lower/Cpu/WorkItemLoops.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace ferry {

namespace {
/// Threads that a block can have; as many have a state.
constexpr unsigned MaxThreads = 1024;

/// States of a thread that are no region's number: waiting at the collective
/// before region i is i + Waiting.
constexpr unsigned Waiting = 1u << 16, Done = 1u << 31;

/// A slot that has no scratch object.
constexpr unsigned NoScratch = -1u;

class BlockBuilder final : public LoopBuilder {
public:
  BlockBuilder(const Kernel &K, const KnownShape &Known, bool CanPanic,
               Function &Model, CutKernel &Cut, ArrayRef<ScratchObject> Scratch,
               ArrayRef<unsigned> SlotScratch)
      : LoopBuilder(K, Known, Model, Scratch), CanPanic(CanPanic), Cut(Cut),
        SlotScratch(SlotScratch) {}

protected:
  void buildBody() override {
    for (auto [I, Slot] : enumerate(Cut.Slots)) {
      if (Slot.Shared) {
        In.push_back(room(Slot, "kept"));
        Out.push_back(handedOn(I, Slot, "kept.next"));
      } else {
        In.push_back(nullptr);
        Out.push_back(nullptr);
      }
    }
    Next = handedOn(Cut.Slots.size(), {4, Align(4)}, "next");
    push(Begin[2], End[2], "z");
    push(Begin[1], End[1], "y");
    push(Begin[0], End[0], "x");
    Cut.InStep ? runInStep() : runApart();
    while (!Outer.empty())
      pop();
  }

  void runThread(const Position &P, BasicBlock *Latch) override {
    const Region &R = Cut.Regions[Current];
    if (Cut.InStep) {
      Value *GoOn = inlineThread(*R.Code, P, Latch);
      if (R.Next.size() > 1)
        B.CreateStore(GoOn, Next);
      B.CreateBr(Latch);
      return;
    }
    BasicBlock *Run = BasicBlock::Create(Ctx, "thread.run", Loops);
    Value *State = B.CreateLoad(B.getInt32Ty(), stateOf(P.Number));
    B.CreateCondBr(B.CreateICmpEQ(State, B.getInt32(Current)), Run, Latch);
    B.SetInsertPoint(Run);
    B.CreateStore(B.getInt32(Done), stateOf(P.Number)); // if it panics
    Value *GoOn = inlineThread(*R.Code, P, Latch);
    for (unsigned Region : R.Next) {
      BasicBlock *Wait = BasicBlock::Create(Ctx, "thread.wait", Loops);
      BasicBlock *Else = BasicBlock::Create(Ctx, "thread.else", Loops);
      B.CreateCondBr(B.CreateICmpEQ(GoOn, B.getInt32(Region)), Wait, Else);
      B.SetInsertPoint(Wait);
      if (Region) {
        B.CreateStore(B.getInt32(Region + Waiting), stateOf(P.Number));
        B.CreateStore(B.getTrue(), Waits[Region]);
      }
      B.CreateBr(Latch);
      B.SetInsertPoint(Else);
    }
    B.CreateBr(Latch);
  }

  void finishInlined(const Blocks &Code, const Position &P) override {
    SmallVector<CallInst *> Reads, Writes;
    for (BasicBlock *BB : Code)
      for (Instruction &I : *BB) {
        if (CallInst *Call = slotAddress(I, ContextName))
          Reads.push_back(Call);
        if (CallInst *Call = slotAddress(I, ContextOutName))
          Writes.push_back(Call);
      }
    for (CallInst *Call : Reads) {
      unsigned Slot = slotOf(*Call);
      if (Cut.Slots[Slot].Shared) {
        for (User *U : make_early_inc_range(Call->users())) {
          auto *Load = cast<LoadInst>(U);
          Load->replaceAllUsesWith(Now.at(Slot));
          Load->eraseFromParent();
        }
      } else {
        B.SetInsertPoint(Call);
        Call->replaceAllUsesWith(slotOfThread(Slot, P.Number));
      }
      Call->eraseFromParent();
    }
    for (CallInst *Call : Writes) {
      Call->replaceAllUsesWith(Out[slotOf(*Call)]);
      Call->eraseFromParent();
    }
  }

private:
  bool CanPanic;
  CutKernel &Cut;
  ArrayRef<unsigned> SlotScratch;  ///< which scratch object a slot is
  unsigned Current = 0;            ///< the region being built
  SmallVector<Value *> In, Out;    ///< of shared slots, else null
  DenseMap<unsigned, Value *> Now; ///< what a shared slot holds
  Value *Next = nullptr;
  // Of threads apart:
  AllocaInst *States = nullptr;
  SmallVector<AllocaInst *> CanRun, Waits; ///< some thread, by region

  AllocaInst *room(const ContextSlot &Slot, const Twine &Name) {
    AllocaInst *A = variable(ArrayType::get(B.getInt8Ty(), Slot.Bytes), Name);
    A->setAlignment(Slot.Alignment);
    return A;
  }

  /// Room for what all threads of a region write alike. A thread that panics
  /// does not, so that as a register its value would seem to differ between
  /// threads; it stays in memory then.
  Value *handedOn(unsigned Slot, const ContextSlot &Size, const Twine &Name) {
    if (SlotScratch[Slot] != NoScratch)
      return scratch(SlotScratch[Slot]);
    return room(Size, Name);
  }

  //===--------------------------------------------------------------------===//
  // Threads in step
  //===--------------------------------------------------------------------===//

  void runInStep() {
    SmallVector<BasicBlock *> Starts;
    for (unsigned I = 0; I != Cut.Regions.size(); ++I)
      Starts.push_back(BasicBlock::Create(Ctx, "region", Loops));
    BasicBlock *BlockDone = BasicBlock::Create(Ctx, "block.done", Loops);
    B.CreateBr(Starts[0]);
    for (Current = 0; Current != Cut.Regions.size(); ++Current) {
      const Region &R = Cut.Regions[Current];
      B.SetInsertPoint(Starts[Current]);
      exchange(R);
      SmallVector<unsigned> Changed = changedSlots(R);
      // A way out that does not write a slot leaves it as it was.
      for (unsigned Slot : Changed)
        if (R.Next.size() > 1)
          copySlot(Slot, Out, In);
        else
          B.CreateStore(
              PoisonValue::get(B.getIntNTy(Cut.Slots[Slot].Bytes * 8)),
              Out[Slot]);
      B.CreateStore(PoisonValue::get(B.getInt32Ty()), Next);
      loadShared(R);
      runThreads();
      for (unsigned Slot : Changed)
        copySlot(Slot, In, Out);
      leaveIfPanicked(BlockDone);
      goOn(R, Starts, BlockDone);
    }
    B.SetInsertPoint(BlockDone);
  }

  /// Reads the shared slots that the region reads, once for all threads: range
  /// checks with them in their bounds are those of the loops then.
  void loadShared(const Region &R) {
    Now.clear();
    for (Instruction &I : instructions(*R.Code)) {
      CallInst *Call = slotAddress(I, ContextName);
      if (!Call || !Cut.Slots[slotOf(*Call)].Shared)
        continue;
      for (User *U : Call->users())
        if (auto *Load = dyn_cast<LoadInst>(U))
          if (Value *&V = Now[slotOf(*Call)]; !V)
            V = B.CreateLoad(Load->getType(), In[slotOf(*Call)], "kept");
    }
  }

  void copySlot(unsigned Slot, ArrayRef<Value *> To, ArrayRef<Value *> From) {
    const ContextSlot &Size = Cut.Slots[Slot];
    B.CreateMemCpy(To[Slot], Size.Alignment, From[Slot], Size.Alignment,
                   Size.Bytes);
  }

  /// The loops over the block's threads, each running the current region.
  void runThreads() {
    Value *Zero = B.getInt64(0);
    push(Zero, BlockDim[2], "tz");
    push(Zero, BlockDim[1], "ty");
    if (Cut.InStep)
      splitThreadLoop(Zero, BlockDim[0]);
    else
      threadLoop(Zero, BlockDim[0]);
    pop();
    pop();
  }

  /// The shared slots that the region writes.
  SmallVector<unsigned> changedSlots(const Region &R) {
    SmallVector<unsigned> Changed;
    for (Instruction &I : instructions(*R.Code))
      if (CallInst *Call = slotAddress(I, ContextOutName))
        if (!is_contained(Changed, slotOf(*Call)))
          Changed.push_back(slotOf(*Call));
    return Changed;
  }

  /// Some thread has panicked, perhaps of another block: the launch has failed.
  void leaveIfPanicked(BasicBlock *BlockDone) {
    if (!CanPanic)
      return;
    LoadInst *State = B.CreateAlignedLoad(B.getInt32Ty(), Panic, Align(4));
    State->setAtomic(AtomicOrdering::Monotonic);
    BasicBlock *GoOn = BasicBlock::Create(Ctx, "go.on", Loops);
    B.CreateCondBr(B.CreateICmpEQ(State, Generation), BlockDone, GoOn);
    B.SetInsertPoint(GoOn);
  }

  void goOn(const Region &R, ArrayRef<BasicBlock *> Starts,
            BasicBlock *BlockDone) {
    auto Target = [&](unsigned Region) {
      return Region ? Starts[Region] : BlockDone;
    };
    if (R.Next.empty()) { // every way through it panics, or never ends
      B.CreateBr(BlockDone);
      return;
    }
    if (R.Next.size() == 1) {
      B.CreateBr(Target(R.Next.front()));
      return;
    }
    SwitchInst *Switch =
        B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), Next),
                       Target(R.Next.front()), R.Next.size() - 1);
    for (unsigned Region : drop_begin(R.Next))
      Switch->addCase(B.getInt32(Region), Target(Region));
  }

  //===--------------------------------------------------------------------===//
  // Threads apart
  //===--------------------------------------------------------------------===//

  void runApart() {
    unsigned NumRegions = Cut.Regions.size();
    States = variable(ArrayType::get(B.getInt32Ty(), MaxThreads), "states");
    for (unsigned I = 0; I != NumRegions; ++I) {
      CanRun.push_back(variable(B.getInt1Ty(), "can.run"));
      Waits.push_back(variable(B.getInt1Ty(), "waits"));
      B.CreateStore(B.getInt1(I == 0), CanRun[I]);
      B.CreateStore(B.getFalse(), Waits[I]);
    }
    eachThread(
        [&](Value *Number) { B.CreateStore(B.getInt32(0), stateOf(Number)); });

    BasicBlock *Phase = BasicBlock::Create(Ctx, "phase", Loops);
    BasicBlock *BlockDone = BasicBlock::Create(Ctx, "block.done", Loops);
    B.CreateBr(Phase);
    B.SetInsertPoint(Phase);
    for (Current = 0; Current != NumRegions; ++Current)
      when(CanRun[Current], [&] { runThreads(); });
    leaveIfPanicked(BlockDone);
    nextPhaseIfAny(
        [](const Region &R) { return R.After != Collective::SyncThreads; },
        Phase);
    nextPhaseIfAny(
        [](const Region &R) { return R.After == Collective::SyncThreads; },
        Phase);
    B.CreateBr(BlockDone);
    B.SetInsertPoint(BlockDone);
  }

  /// Lets threads go on that wait before the regions of a kind, if there are
  /// any.
  void nextPhaseIfAny(function_ref<bool(const Region &)> IsMeant,
                      BasicBlock *Phase) {
    Value *Any = B.getFalse();
    for (unsigned I = 1; I != Cut.Regions.size(); ++I) {
      if (!IsMeant(Cut.Regions[I]))
        continue;
      Any = B.CreateOr(Any, B.CreateLoad(B.getInt1Ty(), Waits[I]));
      when(Waits[I], [&] {
        Current = I;
        exchange(Cut.Regions[I]);
        eachThread([&](Value *Number) {
          Value *State = B.CreateLoad(B.getInt32Ty(), stateOf(Number));
          Value *Ready = B.CreateICmpEQ(State, B.getInt32(I + Waiting));
          B.CreateStore(B.CreateSelect(Ready, B.getInt32(I), State),
                        stateOf(Number));
        });
        B.CreateStore(B.getTrue(), CanRun[I]);
      });
    }
    BasicBlock *Rest = BasicBlock::Create(Ctx, "rest", Loops);
    B.CreateCondBr(Any, Phase, Rest);
    B.SetInsertPoint(Rest);
  }

  /// Clears the flag and runs the code if it was set.
  void when(AllocaInst *Flag, function_ref<void()> Code) {
    BasicBlock *Then = BasicBlock::Create(Ctx, "then", Loops);
    BasicBlock *Rest = BasicBlock::Create(Ctx, "rest", Loops);
    B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Flag), Then, Rest);
    B.SetInsertPoint(Then);
    B.CreateStore(B.getFalse(), Flag);
    Code();
    B.CreateBr(Rest);
    B.SetInsertPoint(Rest);
  }

  Value *stateOf(Value *Number) {
    return B.CreateInBoundsGEP(B.getInt32Ty(), States, Number);
  }

  //===--------------------------------------------------------------------===//
  // One thread
  //===--------------------------------------------------------------------===//

  static CallInst *slotAddress(Instruction &I, StringRef Name) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == Name ? Call : nullptr;
  }

  static unsigned slotOf(const CallInst &Call) {
    return cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue();
  }

  Value *slotOfThread(unsigned Slot, Value *Number) {
    Type *T = ArrayType::get(B.getInt8Ty(), Cut.Slots[Slot].Bytes);
    return B.CreateInBoundsGEP(T, scratch(SlotScratch[Slot]), Number);
  }

  //===--------------------------------------------------------------------===//
  // Warps
  //===--------------------------------------------------------------------===//

  Value *numThreads() {
    return B.CreateMul(B.CreateMul(BlockDim[0], BlockDim[1]), BlockDim[2],
                       "threads");
  }

  ThreadLoop eachThread(function_ref<void(Value *Number)> Code) {
    ThreadLoop L = openLoop(B.getInt64(0), numThreads(), "number");
    Code(L.Induction);
    closeLoop(L);
    return L;
  }

  /// Lets the lanes of each warp see each other's operands.
  void exchange(const Region &R) {
    if (Current == 0 || R.After == Collective::SyncThreads)
      return;
    R.After == Collective::WarpShuffle ? shuffle(R) : ballot(R);
  }

  void shuffle(const Region &R) {
    Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
    Value *LaneBits = B.getInt64(CpuWarpSize - 1);
    ThreadLoop L = eachThread([&](Value *Number) {
      Value *Lane =
          B.CreateZExt(B.CreateLoad(I32, slotOfThread(R.Lane, Number)), I64);
      Value *From = B.CreateOr(B.CreateAnd(Number, B.CreateNot(LaneBits)),
                               B.CreateAnd(Lane, LaneBits));
      B.CreateStore(B.CreateLoad(I32, slotOfThread(R.Operand, From)),
                    slotOfThread(R.Result, Number));
    });
    markThreads(L);
  }

  /// All lanes of a warp at a time. Slots have room for whole warps, so that
  /// the last one's may be read and written although not all of it exists.
  void ballot(const Region &R) {
    Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
    auto *Lanes = FixedVectorType::get(I32, CpuWarpSize);
    auto LoadLanes = [&](Value *First) {
      return B.CreateAlignedLoad(Lanes, First, Align(4));
    };
    Value *Warps =
        B.CreateUDiv(B.CreateAdd(numThreads(), B.getInt64(CpuWarpSize - 1)),
                     B.getInt64(CpuWarpSize));
    ThreadLoop L = openLoop(B.getInt64(0), Warps, "warp");
    Value *First = B.CreateMul(L.Induction, B.getInt64(CpuWarpSize));
    Value *Left = B.CreateSub(numThreads(), First);
    Value *Exists = B.CreateICmpULT(
        B.CreateStepVector(FixedVectorType::get(I64, CpuWarpSize)),
        B.CreateVectorSplat(CpuWarpSize, Left));
    Value *Set = B.CreateICmpNE(LoadLanes(slotOfThread(R.Operand, First)),
                                Constant::getNullValue(Lanes));
    Set = B.CreateAnd(Set, Exists);
    if (!Cut.InStep)
      Set = B.CreateAnd(
          Set, B.CreateICmpEQ(LoadLanes(stateOf(First)),
                              B.CreateVectorSplat(
                                  CpuWarpSize, B.getInt32(Current + Waiting))));
    Value *Bits =
        B.CreateZExt(B.CreateBitCast(Set, B.getIntNTy(CpuWarpSize)), I64);
    B.CreateAlignedStore(B.CreateVectorSplat(CpuWarpSize, Bits),
                         slotOfThread(R.Result, First), Align(8));
    closeLoop(L);
  }
};
} // namespace

/// Makes the loops use their parameters for shared memory.
static void replaceShared(Function &Loops, GlobalVariable &G, Value &Memory) {
  convertUsersOfConstantsToInstructions({&G}, &Loops);
  G.replaceUsesWithIf(&Memory, [&](Use &U) {
    auto *User = dyn_cast<Instruction>(U.getUser());
    return User && User->getFunction() == &Loops;
  });
}

/// The scratch object of each of the kernel's slots, and of one more of four
/// bytes: where threads go on. Those for all threads have one only where that
/// must be memory.
static SmallVector<unsigned> layOutContexts(const CutKernel &Cut, bool CanPanic,
                                            BlockLoops &Result) {
  std::vector<ContextSlot> Slots = Cut.Slots;
  Slots.push_back({4, Align(4), /*Shared=*/true});
  // The largest alignment first: no gaps, since sizes are multiples of it.
  SmallVector<unsigned> Order;
  for (unsigned I = 0; I != Slots.size(); ++I)
    Order.push_back(I);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    return std::pair(Slots[B].Alignment, A) < std::pair(Slots[A].Alignment, B);
  });
  SmallVector<unsigned> Objects(Slots.size(), NoScratch);
  for (unsigned I : Order) {
    if (Slots[I].Shared && !(CanPanic && Cut.InStep))
      continue;
    Objects[I] = Result.Scratch.size();
    Result.Scratch.push_back({ScratchObject::Contexts, Result.ThreadBytes, 0});
    Result.ThreadBytes += Slots[I].Bytes;
  }
  return Objects;
}

BlockLoops buildBlockLoops(const Kernel &K, const KnownShape &Known,
                           const std::optional<KnownShape> &Likely,
                           const DeviceKernel &Device,
                           const DeviceProgram &Program, Function &Thread) {
  Module &M = *Thread.getParent();
  BlockLoops Result;
  SmallVector<std::pair<GlobalVariable *, unsigned>> Shared;
  SharedLayout Layout = layOutShared(Program, Device);
  for (auto [I, Index] : enumerate(Device.Shared)) {
    const SharedObject &Object = Program.Shared[Index];
    Shared.push_back({M.getNamedGlobal(Object.Symbol), Result.Scratch.size()});
    Result.Scratch.push_back(
        {ScratchObject::Static, Layout.Offsets[I], Object.Bytes});
  }
  if (GlobalVariable *G = M.getNamedGlobal(DynamicSharedSymbol)) {
    Shared.push_back({G, Result.Scratch.size()});
    Result.Scratch.push_back({ScratchObject::Dynamic, 0, 0});
  }

  CutKernel Cut = cutAtCollectives(Thread);
  SmallVector<unsigned> Slots = layOutContexts(Cut, Device.CanPanic, Result);
  auto Build = [&](const KnownShape &Known) {
    Function *Loops =
        BlockBuilder(K, Known, Device.CanPanic, *Cut.Regions.front().Code, Cut,
                     Result.Scratch, Slots)
            .build();
    unsigned FirstScratch = Loops->arg_size() - Result.Scratch.size();
    for (auto [G, Object] : Shared) {
      Argument &Memory = *Loops->getArg(FirstScratch + Object);
      markBlockMemory(Memory);
      if (G)
        replaceShared(*Loops, *G, Memory);
    }
    relaxSharedAccesses(*Loops);
    return Loops;
  };
  Result.Loops = Build(Known);
  if (Likely)
    Result.Likely = Build(*Likely);
  for (Region &R : Cut.Regions)
    R.Code->eraseFromParent();
  return Result;
}

} // namespace ferry
