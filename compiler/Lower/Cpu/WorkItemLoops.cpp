//===- WorkItemLoops.cpp - One loop nest around a kernel ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel without barriers is a function of one thread, so a box of threads is
// a loop nest with the thread's code as its body:
//
//   OVER     for z, y, x in begin..end
//   BLOCKS   for bz, by, bx in begin..end, for tz, ty, tx in 0..block
//
// The innermost loop runs over x, in which neighbouring threads touch
// neighbouring elements, and is the one that LLVM's loop vectoriser takes. Two
// things help it. The kernel's arguments are parameters of the function that
// holds the loops, so that `noalias` speaks of all threads together. And where
// the thread's code compares its index with a bound, the innermost loop is
// built three times: the middle one covers the threads for which every such
// check is known to pass, and has none (RangeChecks.cpp).
//
// Kernels whose threads work together have more than one nest: BlockLoops.cpp.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/WorkItemLoops.h"
#include "Lower/Cpu/Spmd/Spmd.h"
#include "ferry/runtime.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

/// The parameters before the slots: geometry, begin, end.
static constexpr unsigned FirstSlot = 7;

/// libferry admits no more.
static constexpr uint64_t MostThreadsOfBlock = 1024,
                          MostThreadsOfAll = uint64_t(1) << 32;

LoopBuilder::LoopBuilder(const Kernel &K, const KnownShape &Known,
                         Function &Model, ArrayRef<ScratchObject> Scratch)
    : K(K), Known(Known), M(*Model.getParent()), Ctx(Model.getContext()),
      B(Ctx), NumSlots(Model.arg_size()) {
  createFunction(Model, Scratch);
}

Function *LoopBuilder::build() {
  B.SetInsertPoint(BasicBlock::Create(Ctx, "entry", Loops));
  if (DISubprogram *SP = Loops->getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(Ctx, SP->getLine(), 0, SP));
  loadGeometry();
  buildBody();
  B.CreateRetVoid();
  return Loops;
}

void LoopBuilder::createFunction(Function &Model,
                                 ArrayRef<ScratchObject> Scratch) {
  SmallVector<Type *> Types{B.getPtrTy()};
  Types.append(6, B.getInt64Ty());
  for (Argument &A : Model.args())
    Types.push_back(A.getType());
  Types.append(Scratch.size(), B.getPtrTy());
  Loops =
      Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       GlobalValue::InternalLinkage, K.Symbol + ".loops", M);
  Loops->addFnAttr(Attribute::NoInline); // keeps what noalias says
  // Rows of threads are too short for a call, and for what it takes to start a
  // string instruction.
  if (K.LaunchShape == Shape::Blocks)
    for (StringRef Name : {"memcpy", "memmove", "memset", "memset_pattern16"})
      Loops->addFnAttr(("no-builtin-" + Name).str());
  Loops->setDoesNotThrow();
  Loops->addParamAttrs(0, AttrBuilder(Ctx)
                              .addAttribute(Attribute::NoAlias)
                              .addAttribute(Attribute::ReadOnly)
                              .addDereferenceableAttr(sizeof(ferry_geometry)));
  for (Argument &A : Model.args())
    Loops->addParamAttrs(
        FirstSlot + A.getArgNo(),
        AttrBuilder(Ctx, Model.getAttributes().getParamAttrs(A.getArgNo())));
  for (auto [I, Object] : enumerate(Scratch)) {
    AttrBuilder Attributes(Ctx);
    Attributes.addAttribute(Attribute::NoAlias);
    Attributes.addAttribute(Attribute::NonNull);
    if (Object.Bytes)
      Attributes.addDereferenceableAttr(Object.Bytes);
    if (Object.In == ScratchObject::Contexts)
      Attributes.addAlignmentAttr(Align(64));
    Loops->addParamAttrs(FirstSlot + NumSlots + I, Attributes);
  }
  for (unsigned D = 0; D != 3; ++D) {
    Begin[D] = Loops->getArg(1 + D);
    End[D] = Loops->getArg(4 + D);
  }
  if (DISubprogram *SP = Model.getSubprogram())
    Loops->setSubprogram(DISubprogram::getDistinct(
        Ctx, SP->getScope(), SP->getName(), Loops->getName(), SP->getFile(),
        SP->getLine(), SP->getType(), SP->getScopeLine(), nullptr, 0, 0,
        SP->getFlags(), SP->getSPFlags(), SP->getUnit()));
}

LoadInst *LoopBuilder::loadAt(Type *T, uint64_t Offset, const Twine &Name) {
  LoadInst *Load = B.CreateLoad(
      T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Loops->getArg(0), Offset),
      Name);
  Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Ctx, {}));
  return Load;
}

void LoopBuilder::loadGeometry() {
  for (unsigned D = 0; D != 3; ++D)
    Extent[D] = loadAt(B.getInt64Ty(), offsetof(ferry_geometry, extent) + 8 * D,
                       "extent");
  for (unsigned D = 0; D != 3; ++D) {
    if (Known.Block[D]) {
      BlockDim[D] = B.getInt64(*Known.Block[D]);
      continue;
    }
    LoadInst *Side = loadAt(B.getInt32Ty(),
                            offsetof(ferry_geometry, block) + 4 * D, "block");
    Side->setMetadata(LLVMContext::MD_range,
                      MDBuilder(Ctx).createRange(
                          APInt(32, 0), APInt(32, MostThreadsOfBlock + 1)));
    BlockDim[D] = B.CreateZExt(Side, B.getInt64Ty());
  }
  Panic = loadAt(B.getPtrTy(), offsetof(ferry_geometry, panic), "panic");
  Generation = loadAt(B.getInt32Ty(), offsetof(ferry_geometry, generation),
                      "generation");
  DynamicShared = loadAt(B.getInt64Ty(),
                         offsetof(ferry_geometry, dynamic_shared), "dynamic");
}

Argument *LoopBuilder::scratch(unsigned Index) const {
  return Loops->getArg(FirstSlot + NumSlots + Index);
}

AllocaInst *LoopBuilder::variable(Type *T, const Twine &Name) {
  IRBuilder<> Entry(&*Loops->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return Entry.CreateAlloca(T, nullptr, Name);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ThreadLoop LoopBuilder::openLoop(Value *From, Value *To, const Twine &Name) {
  ThreadLoop L;
  BasicBlock *Before = B.GetInsertBlock();
  L.From = From;
  L.To = To;
  L.MostThreads =
      is_contained(BlockDim, To) ? MostThreadsOfBlock : MostThreadsOfAll;
  L.Header = BasicBlock::Create(Ctx, Name, Loops);
  BasicBlock *Body = BasicBlock::Create(Ctx, Name + ".body", Loops);
  L.Latch = BasicBlock::Create(Ctx, Name + ".end", Loops);
  L.Exit = BasicBlock::Create(Ctx, Name + ".exit", Loops);
  B.CreateBr(L.Header);
  B.SetInsertPoint(L.Header);
  L.Induction = B.CreatePHI(B.getInt64Ty(), 2, Name);
  L.Induction->addIncoming(From, Before);
  L.Test = cast<ICmpInst>(
      B.Insert(new ICmpInst(ICmpInst::ICMP_ULT, L.Induction, To)));
  B.CreateCondBr(L.Test, Body, L.Exit);
  B.SetInsertPoint(L.Latch);
  Value *Next = B.CreateAdd(L.Induction, B.getInt64(1), "next", /*NUW=*/true,
                            /*NSW=*/true);
  L.Induction->addIncoming(Next, L.Latch);
  B.CreateBr(L.Header);
  B.SetInsertPoint(Body);
  return L;
}

void LoopBuilder::closeLoop(const ThreadLoop &L) {
  B.CreateBr(L.Latch);
  B.SetInsertPoint(L.Exit);
}

void LoopBuilder::push(Value *From, Value *To, const Twine &Name) {
  Outer.push_back(openLoop(From, To, Name));
  // What is worth unrolling is inside.
  addLoopProperty(*Outer.back().Latch->getTerminator(),
                  {MDString::get(Ctx, "llvm.loop.unroll.disable")});
}

void LoopBuilder::pop() { closeLoop(Outer.pop_back_val()); }

/// Whether an access may move with regard to the same access of other threads.
/// A thread's own variables don't count: all threads have theirs in one place.
static bool isIndependent(const Instruction &I) {
  if (!I.mayReadOrWriteMemory() || I.isAtomic() || I.isVolatile())
    return false;
  SmallVector<const Value *> Objects;
  for (const Use &U : I.operands())
    if (U->getType()->isPtrOrPtrVectorTy())
      getUnderlyingObjects(U, Objects, nullptr, /*MaxLookup=*/0);
  return none_of(Objects, [](const Value *V) { return isa<AllocaInst>(V); });
}

/// Marks the loop that was written last, for our vectoriser and for LLVM's,
/// which has to be told what a thread loop is: threads between two barriers
/// touch the same memory only through atomics, since all else would be a data
/// race. (Language reference, llvm.loop.parallel_accesses.)
void LoopBuilder::markThreads(ThreadLoop &L) {
  for (BasicBlock &BB : make_range(L.Header->getIterator(), Loops->end()))
    if (&BB != L.Exit)
      L.Blocks.push_back(&BB);
  MDNode *Group = MDNode::getDistinct(Ctx, {});
  for (BasicBlock *BB : L.Blocks)
    for (Instruction &I : *BB)
      if (isIndependent(I))
        I.setMetadata(LLVMContext::MD_access_group, Group);
  addLoopProperty(*L.Latch->getTerminator(),
                  {MDString::get(Ctx, "llvm.loop.parallel_accesses"), Group});
  markThreadLoop(cast<BranchInst>(*L.Latch->getTerminator()));
}

ThreadLoop LoopBuilder::threadLoop(Value *From, Value *To) {
  ThreadLoop L = openLoop(From, To, "thread");
  runThread(position(L.Induction), L.Latch);
  markThreads(L);
  B.SetInsertPoint(L.Exit);
  return L;
}

void LoopBuilder::splitThreadLoop(Value *From, Value *To) {
  ThreadLoop Main = threadLoop(From, To);
  // What follows is built behind the exit, wherever that will be.
  BasicBlock *Rest = BasicBlock::Create(Ctx, "thread.rest", Loops);
  B.CreateBr(Rest);
  // Threads on either side of an exact check have little in common.
  SmallVector<ThreadLoop, 4> Parts{Main};
  if (std::optional<CheckedRange> Range = findExactRange(*Loops, Main)) {
    splitAt(*Range, Main, Parts);
    Parts.front() = Main;
  }
  SmallVector<ThreadLoop> Done;
  for (ThreadLoop &Part : Parts)
    if (std::optional<CheckedRange> Range = findCheckedRange(*Loops, Part))
      splitAt(*Range, Part, Done);
  B.SetInsertPoint(Rest);
}

/// Three loops in place of one, or as many as have threads; in the middle the
/// checks are settled, and outside as well if they are known there.
void LoopBuilder::splitAt(const CheckedRange &Range, ThreadLoop &Main,
                          SmallVectorImpl<ThreadLoop> &Others) {
  SmallVector<std::pair<WeakVH, bool>> Settled;
  auto AddLoop = [&](Value *From, Value *To) {
    ValueToValueMapTy Map;
    ThreadLoop L = copyLoop(Main, From, To, Map);
    if (Range.OppositeOutside)
      for (const CheckedRange::Check &C : Range.Checks)
        Settled.emplace_back(&*Map[C.Compare], !C.Outcome);
    Others.push_back(L);
  };
  ThreadLoop All = Main;
  if (Range.Low != All.From) {
    BasicBlock *Before = Main.before();
    Before->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Before);
    AddLoop(All.From, Range.Low);
    B.CreateBr(Main.Header);
    Main.From = Range.Low;
    Main.Induction->setIncomingValueForBlock(Before, Main.From);
    Main.Induction->replaceIncomingBlockWith(Before, B.GetInsertBlock());
  }
  if (Range.High != All.To) {
    Main.To = Range.High;
    Main.Test->setOperand(1, Main.To);
    // Main.Exit keeps what followed the loop; the last loop comes before it.
    BasicBlock *Rest =
        Main.Exit->splitBasicBlock(Main.Exit->begin(), "thread.last");
    Main.Exit->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Main.Exit);
    AddLoop(Range.High, All.To);
    B.CreateBr(Rest);
  }
  for (const CheckedRange::Check &C : Range.Checks)
    Settled.emplace_back(C.Compare, C.Outcome);
  for (auto &[Compare, Outcome] : Settled)
    if (Compare) // it may be a part of several checks
      replaceAndRecursivelySimplify(cast<Instruction>(Compare),
                                    B.getInt1(Outcome));
}

/// Writes the same loop once more, for other threads.
ThreadLoop LoopBuilder::copyLoop(const ThreadLoop &L, Value *From, Value *To,
                                 ValueToValueMapTy &Map) {
  ThreadLoop Copy = L;
  BasicBlock *Before = B.GetInsertBlock();
  Copy.From = From;
  Copy.To = To;
  Copy.Blocks.clear();
  for (BasicBlock *BB : L.Blocks) {
    Copy.Blocks.push_back(CloneBasicBlock(BB, Map, "", Loops));
    Map[BB] = Copy.Blocks.back();
  }
  Copy.Exit = BasicBlock::Create(Ctx, L.Exit->getName(), Loops);
  Map[L.before()] = Before;
  Map[L.Exit] = Copy.Exit;
  remapInstructionsInBlocks(Copy.Blocks, Map);
  SmallVector<MDNode *> Scopes;
  identifyNoAliasScopesToClone(L.Blocks, Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Copy.Blocks, Ctx, "thread");
  Copy.Header = cast<BasicBlock>(Map[L.Header]);
  Copy.Latch = cast<BasicBlock>(Map[L.Latch]);
  Copy.Induction = cast<PHINode>(Map[L.Induction]);
  Copy.Test = cast<ICmpInst>(Map[L.Test]);
  Copy.Induction->setIncomingValueForBlock(Before, From);
  Copy.Test->setOperand(1, To);
  // A loop's properties are its own.
  addLoopProperty(*Copy.Latch->getTerminator(), {});
  B.CreateBr(Copy.Header);
  B.SetInsertPoint(Copy.Exit);
  return Copy;
}

Value *LoopBuilder::inlineThread(Function &Code, const Position &P,
                                 BasicBlock *End) {
  SmallVector<Value *> Args;
  for (unsigned I = 0; I != NumSlots; ++I)
    Args.push_back(Loops->getArg(FirstSlot + I));
  // A place that keeps what comes before and after the call apart.
  CallInst *Call = B.CreateCall(&Code, Args);
  Instruction *Mark = B.CreateUnreachable();
  if (M.getNamedGlobal("ferry.thread"))
    storeThreadState(M, P, Call);
  AllocaInst *Returned = nullptr;
  if (!Code.getReturnType()->isVoidTy()) {
    Returned = variable(Code.getReturnType(), "returned");
    new StoreInst(Call, Returned, Mark->getIterator());
  }
  SmallPtrSet<BasicBlock *, 32> Others;
  for (BasicBlock &BB : *Loops)
    if (&BB != Call->getParent())
      Others.insert(&BB);
  BasicBlock *Start = Call->getParent();
  InlineFunctionInfo Info;
  InlineFunction(*Call, Info);
  hoistArgumentCopies(*Loops, *Start);
  Blocks New;
  for (BasicBlock &BB : *Loops)
    if (!Others.contains(&BB))
      New.push_back(&BB);
  finishInlined(New, P);
  replaceQueries(New, P);
  replacePanics(New, P, End);
  checkThreadEnd(New, End);
  B.SetInsertPoint(Mark);
  Value *Result =
      Returned ? B.CreateLoad(Returned->getAllocatedType(), Returned) : nullptr;
  BasicBlock *After = Mark->getParent();
  Mark->eraseFromParent();
  B.SetInsertPoint(After);
  return Result;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Position LoopBuilder::position(Value *Inner) {
  // libferry admits no shape of more than 2^32 threads, so nothing wraps.
  auto Mul = [&](Value *X, Value *Y) {
    return B.CreateMul(X, Y, "", true, true);
  };
  auto Add = [&](Value *X, Value *Y) {
    return B.CreateAdd(X, Y, "", true, true);
  };
  Position P;
  Value *Blocks[3], *Threads[3], *GridDim[3];
  for (unsigned D = 0; D != 3; ++D) {
    if (K.LaunchShape == Shape::Blocks) {
      Blocks[D] = Outer[2 - D].Induction;
      Threads[D] = D ? Outer[5 - D].Induction : Inner;
      P.GlobalIdx[D] = Add(Mul(Blocks[D], BlockDim[D]), Threads[D]);
      P.GlobalDim[D] = Mul(Extent[D], BlockDim[D]);
      GridDim[D] = Extent[D];
    } else {
      P.GlobalIdx[D] = D ? Outer[2 - D].Induction : Inner;
      Blocks[D] = B.CreateUDiv(P.GlobalIdx[D], BlockDim[D]);
      Threads[D] = B.CreateURem(P.GlobalIdx[D], BlockDim[D]);
      P.GlobalDim[D] = Extent[D];
      GridDim[D] = B.CreateUDiv(
          Add(Extent[D], B.CreateSub(BlockDim[D], B.getInt64(1))), BlockDim[D]);
    }
  }
  for (unsigned D = 0; D != 3; ++D) {
    P.BlockIdx[D] = B.CreateTrunc(Blocks[D], B.getInt32Ty());
    P.ThreadIdx[D] = B.CreateTrunc(Threads[D], B.getInt32Ty());
    P.BlockDim[D] = B.CreateTrunc(BlockDim[D], B.getInt32Ty());
    P.GridDim[D] = B.CreateTrunc(GridDim[D], B.getInt32Ty());
  }
  Value *Row = Add(Mul(P.GlobalIdx[2], P.GlobalDim[1]), P.GlobalIdx[1]);
  P.GlobalId = Add(Mul(Row, P.GlobalDim[0]), P.GlobalIdx[0]);
  Row = Add(Mul(Threads[2], BlockDim[1]), Threads[1]);
  P.Number = Add(Mul(Row, BlockDim[0]), Threads[0]);
  P.WarpLane = B.CreateAnd(B.CreateTrunc(P.Number, B.getInt32Ty()),
                           B.getInt32(CpuWarpSize - 1));
  P.DynamicShared = DynamicShared;
  P.Panic = Panic;
  P.Generation = Generation;
  return P;
}

//===----------------------------------------------------------------------===//
// Kernels whose threads go their own ways
//===----------------------------------------------------------------------===//

namespace {
class FlatBuilder final : public LoopBuilder {
public:
  FlatBuilder(const Kernel &K, const KnownShape &Known, Function &Thread)
      : LoopBuilder(K, Known, Thread, {}), Thread(Thread) {}

protected:
  void buildBody() override {
    push(Begin[2], End[2], "z");
    push(Begin[1], End[1], "y");
    if (K.LaunchShape == Shape::Over) {
      splitThreadLoop(Begin[0], End[0]);
    } else {
      Value *Zero = B.getInt64(0);
      push(Begin[0], End[0], "x");
      push(Zero, BlockDim[2], "tz");
      push(Zero, BlockDim[1], "ty");
      splitThreadLoop(Zero, BlockDim[0]);
    }
    while (!Outer.empty())
      pop();
  }

  void runThread(const Position &P, BasicBlock *Latch) override {
    inlineThread(Thread, P, Latch);
    B.CreateBr(Latch);
  }

private:
  Function &Thread;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// `void Symbol.cpu(ptr slots, ptr geometry, ptr begin, ptr end, ptr scratch)`:
/// unpacks and calls the loops, those made for the likely block if it is that.
static Function *buildEntry(const Kernel &K, Function &Loops,
                            uint64_t StaticShared,
                            ArrayRef<ScratchObject> Scratch,
                            const std::optional<KnownShape> &Likely = {},
                            Function *LikelyLoops = nullptr) {
  Module &M = *Loops.getParent();
  LLVMContext &Ctx = M.getContext();
  Type *Ptr = PointerType::get(Ctx, 0);
  auto *Entry = Function::Create(
      FunctionType::get(Type::getVoidTy(Ctx), {Ptr, Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::ExternalLinkage, K.Symbol + ".cpu", M);
  Entry->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", Entry));
  auto Load = [&](Value *From, uint64_t Offset, Type *T) {
    return B.CreateLoad(
        T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), From, Offset));
  };
  Value *Geometry = Entry->getArg(1);
  auto Block = [&](unsigned D) {
    return Load(Geometry, offsetof(ferry_geometry, block) + 4 * D,
                B.getInt32Ty());
  };
  SmallVector<Value *> Args{Geometry};
  for (unsigned Arg : {2, 3})
    for (unsigned D = 0; D != 3; ++D)
      Args.push_back(Load(Entry->getArg(Arg), 8 * D, B.getInt64Ty()));
  for (unsigned I = 0; I != K.slots(); ++I)
    Args.push_back(
        Load(Entry->getArg(0), 8 * I, Loops.getArg(FirstSlot + I)->getType()));
  if (!Scratch.empty()) {
    // As ferry_scratch_bytes lays it out.
    auto RoundUp = [&](Value *V) {
      return B.CreateAnd(B.CreateAdd(V, B.getInt64(63)), B.getInt64(~63ull));
    };
    Value *Threads = B.getInt64(1);
    for (unsigned D = 0; D != 3; ++D)
      Threads = B.CreateMul(Threads, B.CreateZExt(Block(D), B.getInt64Ty()));
    Value *Starts[3] = {B.getInt64(0), B.getInt64(alignTo(StaticShared, 64)),
                        nullptr};
    Starts[ScratchObject::Contexts] = B.CreateAdd(
        Starts[ScratchObject::Dynamic],
        RoundUp(Load(Geometry, offsetof(ferry_geometry, dynamic_shared),
                     B.getInt64Ty())));
    for (const ScratchObject &Object : Scratch) {
      Value *Offset = B.getInt64(Object.Offset);
      if (Object.In == ScratchObject::Contexts)
        Offset = B.CreateMul(Offset, RoundUp(Threads));
      Args.push_back(B.CreateGEP(B.getInt8Ty(), Entry->getArg(4),
                                 B.CreateAdd(Starts[Object.In], Offset)));
    }
  }
  if (LikelyLoops) {
    Value *IsLikely = B.getTrue();
    for (unsigned D = 0; D != 3; ++D)
      IsLikely = B.CreateAnd(
          IsLikely, B.CreateICmpEQ(Block(D), B.getInt32(*Likely->Block[D])));
    BasicBlock *Then = BasicBlock::Create(Ctx, "likely", Entry);
    BasicBlock *Else = BasicBlock::Create(Ctx, "any", Entry);
    B.CreateCondBr(IsLikely, Then, Else);
    B.SetInsertPoint(Then);
    B.CreateCall(LikelyLoops, Args);
    B.CreateRetVoid();
    B.SetInsertPoint(Else);
  }
  B.CreateCall(&Loops, Args);
  B.CreateRetVoid();
  return Entry;
}

static constexpr StringLiteral ThreadBytesName = "ferry-thread-bytes";

uint64_t threadBytes(const Function &Cpu) {
  uint64_t Bytes = 0;
  Attribute A = Cpu.getFnAttribute(ThreadBytesName);
  if (A.isValid())
    A.getValueAsString().getAsInteger(10, Bytes);
  return Bytes;
}

static bool usesSharedMemory(const Function &F) {
  return any_of(F.getParent()->globals(), [&](const GlobalVariable &G) {
    return isSharedDeclaration(G) && any_of(G.users(), [&](const User *U) {
             return !isa<Instruction>(U) ||
                    cast<Instruction>(U)->getFunction() == &F;
           });
  });
}

void buildWorkItemLoops(const Kernel &K, const KnownShape &Known,
                        const std::optional<KnownShape> &Likely,
                        const DeviceKernel &Device,
                        const DeviceProgram &Program, Function &Thread) {
  if (K.LaunchShape == Shape::Over ||
      (!Device.HasCollectives && !usesSharedMemory(Thread))) {
    Function *Loops = FlatBuilder(K, Known, Thread).build();
    Thread.eraseFromParent();
    buildEntry(K, *Loops, 0, {});
    return;
  }
  BlockLoops Built = buildBlockLoops(K, Known, Likely, Device, Program, Thread);
  Function *Entry = buildEntry(K, *Built.Loops, Device.SharedBytes,
                               Built.Scratch, Likely, Built.Likely);
  Entry->addFnAttr(ThreadBytesName, utostr(Built.ThreadBytes));
}

} // namespace ferry
