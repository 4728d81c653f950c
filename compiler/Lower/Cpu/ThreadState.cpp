//===- ThreadState.cpp - Queries and panics of a thread on the CPU --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the loops themselves a query is a value and a panic a branch. Functions
// that stayed out of line (recursive ones, targets of function pointers, very
// large ones) have neither at hand. Only when such a function asks or can
// panic, a module gets a thread-local variable: each thread leaves its position
// there, and a panic sets its `ended` flag and returns, after which every
// caller on the way up tests the flag and returns too.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

static constexpr StringRef StateName = "ferry.thread";
static constexpr StringRef RecordName = "ferry.panic";

static bool isPanicCall(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == "__ferry_panic";
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

/// `void ferry.panic(ptr record, i32 site, i32 block[3], i32 thread[3],
/// i64 values[4], i32 generation)`: the first caller fills the record. Cold and
/// out of line, so that a check costs a compare and a branch.
static Function *recordFunction(Module &M) {
  if (Function *F = M.getFunction(RecordName))
    return F;
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B(Ctx);
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  SmallVector<Type *> Types{B.getPtrTy(), I32};
  Types.append(6, I32);
  Types.append(4, I64);
  Types.push_back(I32);
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                             GlobalValue::InternalLinkage, RecordName, M);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  F->setDoesNotThrow();
  BasicBlock *Entry = BasicBlock::Create(Ctx, "entry", F);
  BasicBlock *First = BasicBlock::Create(Ctx, "first", F);
  BasicBlock *Done = BasicBlock::Create(Ctx, "done", F);
  B.SetInsertPoint(Entry);
  Value *Record = F->getArg(0);
  unsigned GenerationArg = F->arg_size() - 1;
  Value *Generation = F->getArg(GenerationArg);
  LoadInst *Last = B.CreateLoad(I32, Record);
  Last->setAtomic(AtomicOrdering::Monotonic);
  Last->setAlignment(Align(8));
  auto *Claim = B.CreateAtomicCmpXchg(Record, Last, Generation, Align(8),
                                      AtomicOrdering::AcquireRelease,
                                      AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateAnd(B.CreateICmpNE(Last, Generation),
                             B.CreateExtractValue(Claim, 1)),
                 First, Done);
  B.SetInsertPoint(First);
  for (unsigned I = 1; I != GenerationArg; ++I) {
    // site, block[3] and thread[3] at 4 to 31, values from 32.
    uint64_t At = I < 8 ? 4 * I : 32 + 8 * (I - 8);
    B.CreateStore(F->getArg(I),
                  B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, At));
  }
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

static void writeRecord(CallInst &Panic, const Position &P) {
  IRBuilder<> B(&Panic);
  SmallVector<Value *> Args{P.Panic, Panic.getArgOperand(0)};
  Args.append(std::begin(P.BlockIdx), std::end(P.BlockIdx));
  Args.append(std::begin(P.ThreadIdx), std::end(P.ThreadIdx));
  for (unsigned I = 1; I != 5; ++I)
    Args.push_back(Panic.getArgOperand(I));
  Args.push_back(P.Generation);
  B.CreateCall(recordFunction(*Panic.getModule()), Args);
}

static Blocks blocksOf(Function &F) {
  Blocks Code;
  for (BasicBlock &BB : F)
    Code.push_back(&BB);
  return Code;
}

static SmallVector<CallInst *> panicsIn(const Blocks &Code) {
  SmallVector<CallInst *> Panics;
  for (BasicBlock *BB : Code)
    for (Instruction &I : *BB)
      if (isPanicCall(I))
        Panics.push_back(cast<CallInst>(&I));
  return Panics;
}

void replacePanics(const Blocks &Code, const Position &P, BasicBlock *End) {
  for (CallInst *Panic : panicsIn(Code)) {
    writeRecord(*Panic, P);
    BasicBlock *BB = Panic->getParent();
    // Everything from the panic on never runs; control leaves for `End`.
    changeToUnreachable(Panic);
    ReplaceInstWithInst(BB->getTerminator(), BranchInst::Create(End));
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static Value *choose(IRBuilder<> &B, Value *Dimension, Value *const Values[3]) {
  if (auto *C = dyn_cast<ConstantInt>(Dimension))
    return Values[std::min<uint64_t>(C->getZExtValue(), 2)];
  Value *YZ = B.CreateSelect(B.CreateICmpEQ(Dimension, B.getInt32(1)),
                             Values[1], Values[2]);
  return B.CreateSelect(B.CreateICmpEQ(Dimension, B.getInt32(0)), Values[0],
                        YZ);
}

static Value *answer(IRBuilder<> &B, Query Q, CallInst &Call,
                     const Position &P) {
  switch (Q) {
  case Query::GlobalId:
    return P.GlobalId;
  case Query::WarpSize:
    return B.getInt32(CpuWarpSize);
  case Query::WarpLane:
    return P.WarpLane;
  case Query::DynamicSharedBytes:
    return P.DynamicShared;
  default:
    break;
  }
  Value *Dimension = Call.getArgOperand(0);
  switch (Q) {
  case Query::ThreadIdx:
    return choose(B, Dimension, P.ThreadIdx);
  case Query::BlockIdx:
    return choose(B, Dimension, P.BlockIdx);
  case Query::BlockDim:
    return choose(B, Dimension, P.BlockDim);
  case Query::GridDim:
    return choose(B, Dimension, P.GridDim);
  case Query::GlobalIdx:
    return choose(B, Dimension, P.GlobalIdx);
  case Query::GlobalDim:
    return choose(B, Dimension, P.GlobalDim);
  default:
    break;
  }
  llvm_unreachable("unknown query");
}

static SmallVector<std::pair<CallInst *, Query>> queriesIn(const Blocks &Code) {
  SmallVector<std::pair<CallInst *, Query>> Calls;
  for (BasicBlock *BB : Code)
    for (Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          if (std::optional<Query> Q = queryFor(*Callee))
            Calls.push_back({Call, *Q});
  return Calls;
}

void replaceQueries(const Blocks &Code, const Position &P) {
  for (auto &[Call, Q] : queriesIn(Code)) {
    IRBuilder<> B(Call);
    Call->replaceAllUsesWith(answer(B, Q, *Call, P));
    Call->eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Functions out of line
//===----------------------------------------------------------------------===//

/// The thread's state is an array of 64-bit words: the 21 members of a Position
/// in order, the record and its generation, and the `ended` flag.
static constexpr unsigned NarrowWords = 13, PanicWord = 21, GenerationWord = 22,
                          EndedWord = 23;

static GlobalVariable *stateVariable(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(StateName))
    return G;
  auto *T = ArrayType::get(Type::getInt64Ty(M.getContext()), EndedWord + 1);
  return new GlobalVariable(M, T, false, GlobalValue::InternalLinkage,
                            Constant::getNullValue(T), StateName, nullptr,
                            GlobalValue::GeneralDynamicTLSModel);
}

static Value *stateAddress(IRBuilder<> &B, Module &M, unsigned Word) {
  return B.CreateConstInBoundsGEP1_64(
      B.getInt64Ty(), B.CreateThreadLocalAddress(stateVariable(M)), Word);
}

static SmallVector<Value **> members(Position &P) {
  SmallVector<Value **> All;
  for (auto *Triple : {&P.BlockIdx, &P.ThreadIdx, &P.BlockDim, &P.GridDim})
    for (Value *&V : *Triple)
      All.push_back(&V);
  All.push_back(&P.WarpLane); // the last that is 32 bits wide
  for (auto *Triple : {&P.GlobalIdx, &P.GlobalDim})
    for (Value *&V : *Triple)
      All.push_back(&V);
  All.push_back(&P.GlobalId);
  All.push_back(&P.DynamicShared);
  return All;
}

void storeThreadState(Module &M, const Position &P, Instruction *Before) {
  IRBuilder<> B(Before);
  Position Copy = P;
  unsigned Word = 0;
  for (Value **Member : members(Copy))
    B.CreateStore(B.CreateZExt(*Member, B.getInt64Ty()),
                  stateAddress(B, M, Word++));
  B.CreateStore(P.Panic, stateAddress(B, M, PanicWord));
  B.CreateStore(P.Generation, stateAddress(B, M, GenerationWord));
  B.CreateStore(B.getInt64(0), stateAddress(B, M, EndedWord));
}

static Position loadThreadState(Function &F) {
  Module &M = *F.getParent();
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Position P;
  unsigned Word = 0;
  for (Value **Member : members(P)) {
    Type *T = Word < NarrowWords ? B.getInt32Ty() : B.getInt64Ty();
    *Member = B.CreateTrunc(
        B.CreateLoad(B.getInt64Ty(), stateAddress(B, M, Word)), T);
    ++Word;
  }
  P.Panic = B.CreateLoad(B.getPtrTy(), stateAddress(B, M, PanicWord));
  P.Generation =
      B.CreateLoad(B.getInt32Ty(), stateAddress(B, M, GenerationWord));
  return P;
}

static bool isKernel(const Function &F, const DeviceProgram &Program) {
  return any_of(Program.Kernels,
                [&](const DeviceKernel &K) { return K.Symbol == F.getName(); });
}

static bool asksOrPanics(Function &F) {
  return !queriesIn(blocksOf(F)).empty() || !panicsIn(blocksOf(F)).empty();
}

bool needsThreadState(Module &M, const DeviceProgram &Program) {
  bool Needed = any_of(
      M, [&](Function &F) { return !isKernel(F, Program) && asksOrPanics(F); });
  if (Needed)
    stateVariable(M);
  return Needed;
}

/// The functions that can return because the thread has ended.
static SetVector<Function *> endingFunctions(Module &M) {
  SetVector<Function *> Ending;
  for (Function &F : M)
    if (F.hasFnAttribute("ferry-ends"))
      Ending.insert(&F);
  return Ending;
}

static bool mayEndThread(const CallBase &Call,
                         const SetVector<Function *> &Ending) {
  if (const Function *Callee = Call.getCalledFunction())
    return Ending.contains(const_cast<Function *>(Callee));
  return Call.isIndirectCall() &&
         any_of(Ending, [](Function *F) { return F->hasAddressTaken(); });
}

/// Marks `ferry-ends` on whoever panics or calls one who does.
static void markEndingFunctions(Module &M, const DeviceProgram &Program) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    SetVector<Function *> Ending = endingFunctions(M);
    for (Function &F : M) {
      if (Ending.contains(&F) || isKernel(F, Program))
        continue;
      bool Ends = !panicsIn(blocksOf(F)).empty() ||
                  any_of(instructions(F), [&](Instruction &I) {
                    auto *Call = dyn_cast<CallBase>(&I);
                    return Call && mayEndThread(*Call, Ending);
                  });
      if (Ends) {
        F.addFnAttr("ferry-ends");
        Changed = true;
      }
    }
  }
}

void checkThreadEnd(const Blocks &Code, BasicBlock *End) {
  Module &M = *End->getModule();
  SetVector<Function *> Ending = endingFunctions(M);
  if (Ending.empty())
    return;
  SmallVector<CallInst *> Calls;
  for (BasicBlock *BB : Code)
    for (Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && mayEndThread(*Call, Ending))
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    Call->setTailCallKind(CallInst::TCK_None);
    Instruction *Next = Call->getNextNode();
    IRBuilder<> B(Next);
    Value *Ended = B.CreateICmpNE(
        B.CreateLoad(B.getInt64Ty(), stateAddress(B, M, EndedWord)),
        B.getInt64(0));
    BasicBlock *Before = Call->getParent();
    BasicBlock *After = Before->splitBasicBlock(Next->getIterator());
    Before->getTerminator()->eraseFromParent();
    BranchInst::Create(End, After, Ended, Before)
        ->setMetadata(LLVMContext::MD_prof,
                      MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  }
}

void lowerOutOfLineFunctions(Module &M, const DeviceProgram &Program) {
  if (!needsThreadState(M, Program))
    return;
  markEndingFunctions(M, Program);
  for (Function &F : M) {
    if (F.isDeclaration() || isKernel(F, Program) || F.getName() == RecordName)
      continue;
    bool Ends = F.hasFnAttribute("ferry-ends");
    if (!Ends && queriesIn(blocksOf(F)).empty())
      continue;
    // What the function reads and writes is no longer what its source said.
    F.removeFnAttr(Attribute::Memory);
    F.removeFnAttr(Attribute::NoReturn);
    F.removeFnAttr(Attribute::WillReturn);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U)) {
        Call->removeFnAttr(Attribute::Memory);
        Call->removeFnAttr(Attribute::NoReturn);
      }
    Position P = loadThreadState(F);
    replaceQueries(blocksOf(F), P);
    if (!Ends)
      continue;
    BasicBlock *End = BasicBlock::Create(M.getContext(), "thread.end", &F);
    IRBuilder<> B(End);
    B.CreateStore(B.getInt64(1), stateAddress(B, M, EndedWord));
    Type *T = F.getReturnType();
    T->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Constant::getNullValue(T));
    replacePanics(blocksOf(F), P, End);
    checkThreadEnd(blocksOf(F), End);
  }
}

} // namespace ferry
