//===- Split.cpp - The two sweeps as two functions ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that calls itself cannot run both sweeps in one go: the caller
// goes on in between. So the function that does is cut in two at its turn, as a
// coroutine is at a suspension. Local variables, and values of the forward
// sweep that the reverse sweep uses, live in a frame on the heap:
//
//   forward   allocates the frame, stores these values at its end, returns it
//   reverse   loads them at its beginning, releases the frame at its end
//
// The caller keeps the frame like any other value of its own forward sweep. It
// is cut after it was optimised, when most variables are gone.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Split.h"
#include "Autodiff/Helpers.h"
#include "Autodiff/Refusal.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry::ad {

static constexpr StringRef TurnName = "ferry.turn";

void markTurn(BasicBlock &Exit, ArrayRef<Value *> Returned) {
  IRBuilder<> B(Exit.getTerminator());
  FunctionCallee Turn = Exit.getModule()->getOrInsertFunction(
      TurnName, FunctionType::get(B.getVoidTy(), {}, /*isVarArg=*/true));
  cast<Function>(Turn.getCallee())->addFnAttr(Attribute::NoDuplicate);
  cast<Function>(Turn.getCallee())->setDoesNotThrow();
  B.CreateCall(Turn, Returned);
}

static CallInst *findTurn(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->getName() == TurnName)
      return Call;
  return nullptr;
}

namespace {
/// Where in the frame a variable or a value is.
class Frame {
public:
  explicit Frame(const DataLayout &DL) : DL(DL) {}
  void add(Value *V, Type *T, Align A) {
    Size = alignTo(Size, A);
    Places[V] = Size;
    Size += DL.getTypeAllocSize(T);
    Alignment = std::max(Alignment, A);
  }
  uint64_t size() const { return Size; }
  Align alignment() const { return Alignment; }
  Value *at(IRBuilder<> &B, Value *Begin, Value *V) const {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Begin, Places.lookup(V));
  }

private:
  const DataLayout &DL;
  MapVector<Value *, uint64_t> Places;
  uint64_t Size = 0;
  Align Alignment;
};
} // namespace

/// What runs from `Entry` on, not going beyond `End`.
static SmallPtrSet<BasicBlock *, 32> reachable(BasicBlock &Entry,
                                               const BasicBlock *End) {
  SmallPtrSet<BasicBlock *, 32> Found;
  SmallVector<BasicBlock *> Work{&Entry};
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (Found.insert(BB).second && BB != End)
      Work.append(succ_begin(BB), succ_end(BB));
  }
  return Found;
}

bool splitSweeps(Function &Both, unsigned Seeds, const SplitDerivative &D) {
  CallInst *Turn = findTurn(Both);
  BasicBlock *Exit = Turn->getParent();
  BasicBlock *Back = Exit->splitBasicBlock(std::next(Turn->getIterator()));
  auto Late = reachable(*Back, nullptr);

  // The frame.
  const DataLayout &DL = Both.getDataLayout();
  Frame Places(DL);
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : instructions(Both)) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    if (!Variable)
      continue;
    if (!Variable->isStaticAlloca() || Variable->isArrayAllocation()) {
      refuse(I,
             "has the variable-length array " + describe(I) +
                 " and calls itself",
             "allocate it on the heap");
      return false;
    }
    Places.add(Variable, Variable->getAllocatedType(), Variable->getAlign());
    Variables.push_back(Variable);
  }
  SmallVector<Value *> Crossing;
  auto Crosses = [&](Value &V) {
    return any_of(V.users(), [&](User *U) {
      return Late.contains(cast<Instruction>(U)->getParent());
    });
  };
  for (Argument &A : Both.args()) {
    if (A.hasByValAttr() && !A.use_empty()) {
      refuse(*Turn, "takes a struct by value and calls itself",
             "pass a pointer to it");
      return false;
    }
    if (A.getArgNo() + Seeds < Both.arg_size() && Crosses(A))
      Crossing.push_back(&A);
  }
  for (BasicBlock &BB : Both)
    for (Instruction &I : BB)
      if (!Late.contains(&BB) && !isa<AllocaInst>(I) && Crosses(I))
        Crossing.push_back(&I);
  for (Value *V : Crossing)
    Places.add(V, V->getType(), DL.getABITypeAlign(V->getType()));
  if (Places.alignment() > Align(16)) {
    refuse(*Turn, "has an over-aligned variable and calls itself",
           "use a variable of the usual alignment");
    return false;
  }

  // The forward sweep.
  Module &M = *Both.getParent();
  SmallVector<ReturnInst *> Returns;
  {
    ValueToValueMapTy Map;
    for (Argument &A : Both.args())
      Map[&A] = A.getArgNo() < D.Forward->arg_size()
                    ? static_cast<Value *>(D.Forward->getArg(A.getArgNo()))
                    : PoisonValue::get(A.getType());
    CloneFunctionInto(D.Forward, &Both, Map,
                      CloneFunctionChangeType::LocalChangesOnly, Returns);
    auto *End = cast<CallInst>(Map[Turn]);
    Instruction *Jump = End->getParent()->getTerminator();
    // Without variables the frame is needed at the end only, which a function
    // that throws does not come to.
    IRBuilder<> B(End);
    if (!Variables.empty())
      B.SetInsertPoint(&D.Forward->getEntryBlock(),
                       D.Forward->getEntryBlock().begin());
    Value *Begin =
        B.CreateCall(tapeAllocateFunction(M),
                     {B.getInt64(std::max<uint64_t>(Places.size(), 1))});
    for (AllocaInst *Variable : Variables) {
      Value *Copy = Map[Variable];
      Copy->replaceAllUsesWith(Places.at(B, Begin, Variable));
    }
    B.SetInsertPoint(End);
    for (Value *V : Crossing)
      B.CreateStore(Map[V], Places.at(B, Begin, V));
    Value *All = PoisonValue::get(D.Forward->getReturnType());
    unsigned Next = 0;
    for (Value *V : End->args())
      All = B.CreateInsertValue(All, V, Next++);
    B.CreateRet(B.CreateInsertValue(All, Begin, Next));
    End->eraseFromParent();
    Jump->eraseFromParent();
    removeUnreachableBlocks(*D.Forward);
  }

  // The reverse sweep.
  {
    auto *Entry = BasicBlock::Create(M.getContext(), "", D.Reverse);
    IRBuilder<> B(Entry);
    Value *Begin = D.Reverse->getArg(0);
    ValueToValueMapTy Map;
    DenseMap<Value *, Value *> Loaded;
    for (Value *V : Crossing)
      Loaded[V] = B.CreateLoad(V->getType(), Places.at(B, Begin, V));
    unsigned Next = 1;
    for (Argument &A : Both.args()) {
      if (A.getArgNo() + Seeds >= Both.arg_size())
        Map[&A] = D.Reverse->getArg(Next++);
      else if (Value *V = Loaded.lookup(&A))
        Map[&A] = V;
      else
        Map[&A] = PoisonValue::get(A.getType());
    }
    Returns.clear();
    CloneFunctionInto(D.Reverse, &Both, Map,
                      CloneFunctionChangeType::LocalChangesOnly, Returns);
    for (AllocaInst *Variable : Variables) {
      Value *Copy = Map[Variable];
      Copy->replaceAllUsesWith(Places.at(B, Begin, Variable));
    }
    for (auto [V, Load] : Loaded)
      if (isa<Instruction>(V))
        Map[V]->replaceAllUsesWith(Load);
    auto *Start = cast<BasicBlock>(Map[Back]);
    cast<Instruction>(Map[Turn])
        ->getParent()
        ->getTerminator()
        ->eraseFromParent();
    IRBuilder<>(cast<BasicBlock>(Map[Exit])).CreateUnreachable();
    B.CreateBr(Start);
    removeUnreachableBlocks(*D.Reverse);
    for (BasicBlock &BB : *D.Reverse)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
        IRBuilder<> AtEnd(Return);
        AtEnd.CreateCall(
            M.getOrInsertFunction("free", AtEnd.getVoidTy(), AtEnd.getPtrTy()),
            {Begin});
      }
  }
  return true;
}

} // namespace ferry::ad
