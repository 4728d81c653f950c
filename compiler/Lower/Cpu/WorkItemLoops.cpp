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
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

namespace {
/// Where ferry_geometry keeps things.
enum Offset : uint64_t {
  ExtentAt = 0,
  BlockAt = 24,
  GenerationAt = 36,
  PanicAt = 40,
  DynamicSharedAt = 48
};

/// Builds `void Symbol.loops(ptr geometry, i64 begin[3], i64 end[3],
/// slots...)`.
class LoopBuilder {
public:
  LoopBuilder(const Kernel &K, Function &Thread)
      : K(K), Thread(Thread), M(*Thread.getParent()), B(Thread.getContext()) {}

  Function *build() {
    createFunction();
    B.SetInsertPoint(BasicBlock::Create(Ctx, "entry", Loops));
    if (DISubprogram *SP = Loops->getSubprogram())
      B.SetCurrentDebugLocation(DILocation::get(Ctx, SP->getLine(), 0, SP));
    loadGeometry();
    openOuterLoops();
    ThreadLoop Main = threadLoop(InnerFrom, InnerTo);
    closeOuterLoops();
    if (std::optional<CheckedRange> Range = findCheckedRange(*Loops, Main))
      splitAt(*Range, Main);
    return Loops;
  }

private:
  const Kernel &K;
  Function &Thread;
  Module &M;
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B;
  Function *Loops = nullptr;
  Value *Begin[3], *End[3];
  Value *Extent[3], *BlockDim[3]; // i64
  Value *Panic = nullptr, *Generation = nullptr, *DynamicShared = nullptr;
  SmallVector<ThreadLoop, 5> Outer; // outermost first
  Value *InnerFrom = nullptr, *InnerTo = nullptr;

  void createFunction() {
    SmallVector<Type *> Types{B.getPtrTy()};
    Types.append(6, B.getInt64Ty());
    for (Argument &A : Thread.args())
      Types.push_back(A.getType());
    Loops =
        Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                         GlobalValue::InternalLinkage, K.Symbol + ".loops", M);
    Loops->addFnAttr(Attribute::NoInline); // keeps what noalias says
    Loops->setDoesNotThrow();
    Loops->addParamAttrs(0, AttrBuilder(Ctx)
                                .addAttribute(Attribute::NoAlias)
                                .addAttribute(Attribute::ReadOnly)
                                .addDereferenceableAttr(64));
    for (Argument &A : Thread.args())
      Loops->addParamAttrs(
          7 + A.getArgNo(),
          AttrBuilder(Ctx, Thread.getAttributes().getParamAttrs(A.getArgNo())));
    for (unsigned D = 0; D != 3; ++D) {
      Begin[D] = Loops->getArg(1 + D);
      End[D] = Loops->getArg(4 + D);
    }
    if (DISubprogram *SP = Thread.getSubprogram())
      Loops->setSubprogram(DISubprogram::getDistinct(
          Ctx, SP->getScope(), SP->getName(), Loops->getName(), SP->getFile(),
          SP->getLine(), SP->getType(), SP->getScopeLine(), nullptr, 0, 0,
          SP->getFlags(), SP->getSPFlags(), SP->getUnit()));
  }

  Value *loadAt(Type *T, uint64_t Offset, const Twine &Name) {
    LoadInst *Load = B.CreateLoad(
        T,
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Loops->getArg(0), Offset),
        Name);
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(Ctx, {}));
    return Load;
  }

  void loadGeometry() {
    for (unsigned D = 0; D != 3; ++D)
      Extent[D] = loadAt(B.getInt64Ty(), ExtentAt + 8 * D, "extent");
    for (unsigned D = 0; D != 3; ++D)
      BlockDim[D] = B.CreateZExt(
          loadAt(B.getInt32Ty(), BlockAt + 4 * D, "block"), B.getInt64Ty());
    Panic = loadAt(B.getPtrTy(), PanicAt, "panic");
    Generation = loadAt(B.getInt32Ty(), GenerationAt, "generation");
    DynamicShared = loadAt(B.getInt64Ty(), DynamicSharedAt, "dynamic.shared");
  }

  /// Opens a loop; code goes into its body.
  ThreadLoop openLoop(Value *From, Value *To, const Twine &Name) {
    ThreadLoop L;
    L.Before = B.GetInsertBlock();
    L.From = From;
    L.To = To;
    L.Header = BasicBlock::Create(Ctx, Name, Loops);
    BasicBlock *Body = BasicBlock::Create(Ctx, Name + ".body", Loops);
    L.Latch = BasicBlock::Create(Ctx, Name + ".end", Loops);
    L.Exit = BasicBlock::Create(Ctx, Name + ".exit", Loops);
    B.CreateBr(L.Header);
    B.SetInsertPoint(L.Header);
    L.Induction = B.CreatePHI(B.getInt64Ty(), 2, Name);
    L.Induction->addIncoming(From, L.Before);
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

  /// Ends the body; code goes behind the loop.
  void closeLoop(const ThreadLoop &L) {
    B.CreateBr(L.Latch);
    B.SetInsertPoint(L.Exit);
  }

  void openOuterLoops() {
    Outer.push_back(openLoop(Begin[2], End[2], "z"));
    Outer.push_back(openLoop(Begin[1], End[1], "y"));
    InnerFrom = Begin[0];
    InnerTo = End[0];
    if (K.LaunchShape == Shape::Over)
      return;
    Value *Zero = B.getInt64(0);
    Outer.push_back(openLoop(Begin[0], End[0], "x"));
    Outer.push_back(openLoop(Zero, BlockDim[2], "tz"));
    Outer.push_back(openLoop(Zero, BlockDim[1], "ty"));
    InnerFrom = Zero;
    InnerTo = BlockDim[0];
  }

  void closeOuterLoops() {
    for (const ThreadLoop &L : reverse(Outer))
      closeLoop(L);
    B.CreateRetVoid();
  }

  /// The innermost loop, with the thread's code in it.
  ThreadLoop threadLoop(Value *From, Value *To) {
    ThreadLoop L = openLoop(From, To, "thread");
    Position P = position(L.Induction);
    SmallVector<Value *> Args;
    for (Argument &A : Thread.args())
      Args.push_back(Loops->getArg(7 + A.getArgNo()));
    CallInst *Call = B.CreateCall(&Thread, Args);
    closeLoop(L);
    inlineThread(P, *Call, L.Latch);
    return L;
  }

  void inlineThread(const Position &P, CallInst &Call, BasicBlock *Latch) {
    if (M.getNamedGlobal("ferry.thread"))
      storeThreadState(M, P, &Call);
    SmallPtrSet<BasicBlock *, 32> Others;
    for (BasicBlock &BB : *Loops)
      if (&BB != Call.getParent())
        Others.insert(&BB);
    BasicBlock *Start = Call.getParent();
    InlineFunctionInfo Info;
    InlineFunction(Call, Info);
    hoistArgumentCopies(*Loops, *Start);
    Blocks Code;
    for (BasicBlock &BB : *Loops)
      if (!Others.contains(&BB))
        Code.push_back(&BB);
    replaceQueries(Code, P);
    replacePanics(Code, P, Latch);
    checkThreadEnd(Code, Latch);
  }

  /// Three loops in place of one; in the middle the checks are settled.
  void splitAt(const CheckedRange &Range, ThreadLoop &Main) {
    for (const CheckedRange::Check &C : Range.Checks)
      C.Compare->replaceAllUsesWith(B.getInt1(C.Outcome));
    Main.Test->setOperand(1, Range.High);

    Main.Before->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Main.Before);
    threadLoop(Main.From, Range.Low);
    BasicBlock *AfterFirst = B.GetInsertBlock();
    B.CreateBr(Main.Header);
    int FromBefore = Main.Induction->getBasicBlockIndex(Main.Before);
    Main.Induction->setIncomingBlock(FromBefore, AfterFirst);
    Main.Induction->setIncomingValue(FromBefore, Range.Low);

    // Main.Exit keeps what followed the loop; the last loop comes before it.
    BasicBlock *Rest =
        Main.Exit->splitBasicBlock(Main.Exit->begin(), "thread.rest");
    Main.Exit->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Main.Exit);
    threadLoop(Range.High, Main.To);
    B.CreateBr(Rest);
  }

  /// libferry admits no shape of more than 2^32 threads, so nothing wraps.
  Value *mul(Value *X, Value *Y) { return B.CreateMul(X, Y, "", true, true); }
  Value *add(Value *X, Value *Y) { return B.CreateAdd(X, Y, "", true, true); }

  Position position(Value *Inner) {
    Position P;
    Value *Blocks[3], *Threads[3], *GridDim[3];
    for (unsigned D = 0; D != 3; ++D) {
      if (K.LaunchShape == Shape::Blocks) {
        Blocks[D] = Outer[2 - D].Induction;
        Threads[D] = D ? Outer[5 - D].Induction : Inner;
        P.GlobalIdx[D] = add(mul(Blocks[D], BlockDim[D]), Threads[D]);
        P.GlobalDim[D] = mul(Extent[D], BlockDim[D]);
        GridDim[D] = Extent[D];
      } else {
        P.GlobalIdx[D] = D ? Outer[2 - D].Induction : Inner;
        Blocks[D] = B.CreateUDiv(P.GlobalIdx[D], BlockDim[D]);
        Threads[D] = B.CreateURem(P.GlobalIdx[D], BlockDim[D]);
        P.GlobalDim[D] = Extent[D];
        GridDim[D] = B.CreateUDiv(
            add(Extent[D], B.CreateSub(BlockDim[D], B.getInt64(1))),
            BlockDim[D]);
      }
    }
    for (unsigned D = 0; D != 3; ++D) {
      P.BlockIdx[D] = B.CreateTrunc(Blocks[D], B.getInt32Ty());
      P.ThreadIdx[D] = B.CreateTrunc(Threads[D], B.getInt32Ty());
      P.BlockDim[D] = B.CreateTrunc(BlockDim[D], B.getInt32Ty());
      P.GridDim[D] = B.CreateTrunc(GridDim[D], B.getInt32Ty());
    }
    Value *Row = add(mul(P.GlobalIdx[2], P.GlobalDim[1]), P.GlobalIdx[1]);
    P.GlobalId = add(mul(Row, P.GlobalDim[0]), P.GlobalIdx[0]);
    // A thread's number in its block; lanes are counted along it.
    Value *Number = P.ThreadIdx[2];
    for (unsigned D : {1, 0})
      Number = B.CreateAdd(B.CreateMul(Number, P.BlockDim[D]), P.ThreadIdx[D]);
    P.WarpLane = B.CreateAnd(Number, B.getInt32(CpuWarpSize - 1));
    P.DynamicShared = DynamicShared;
    P.Panic = Panic;
    P.Generation = Generation;
    return P;
  }
};
} // namespace

/// `void Symbol.cpu(ptr slots, ptr geometry, ptr begin, ptr end)`: unpacks and
/// calls the loops.
static void buildEntry(const Kernel &K, Function &Loops) {
  Module &M = *Loops.getParent();
  LLVMContext &Ctx = M.getContext();
  Type *Ptr = PointerType::get(Ctx, 0);
  auto *Entry = Function::Create(
      FunctionType::get(Type::getVoidTy(Ctx), {Ptr, Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::ExternalLinkage, K.Symbol + ".cpu", M);
  Entry->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", Entry));
  auto Load = [&](unsigned Arg, unsigned Index, Type *T) {
    return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(
                               B.getInt64Ty(), Entry->getArg(Arg), Index));
  };
  SmallVector<Value *> Args{Entry->getArg(1)};
  for (unsigned Arg : {2, 3})
    for (unsigned D = 0; D != 3; ++D)
      Args.push_back(Load(Arg, D, B.getInt64Ty()));
  for (unsigned I = 7; I != Loops.arg_size(); ++I)
    Args.push_back(Load(0, I - 7, Loops.getArg(I)->getType()));
  B.CreateCall(&Loops, Args);
  B.CreateRetVoid();
}

static constexpr StringLiteral ThreadBytesName = "ferry-thread-bytes";

uint64_t threadBytes(const Function &Cpu) {
  uint64_t Bytes = 0;
  Attribute A = Cpu.getFnAttribute(ThreadBytesName);
  if (A.isValid())
    A.getValueAsString().getAsInteger(10, Bytes);
  return Bytes;
}

void buildWorkItemLoops(const Kernel &K, Function &Thread) {
  Function *Loops = LoopBuilder(K, Thread).build();
  Thread.eraseFromParent();
  buildEntry(K, *Loops);
}

} // namespace ferry
