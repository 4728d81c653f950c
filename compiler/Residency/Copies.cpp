//===- Copies.cpp - Functions of this module's own ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis that follows does not keep the callers of a function apart. So
// that those who pass memory of their own suffer least from those who pass
// memory of which nothing is known, the functions from which execution starts
// are parted into *worlds*: those that are given no pointers; those that may be
// given any; and those whose body may be replaced but whose address is known,
// such as virtual members. What a world reaches by direct calls is copied for
// that world, unless it is only called from there anyway.
//
// The rest, bodies that may be replaced and that only code of that kind calls,
// are nobody's world. They are left as they are, and count as unseen.
//
//===----------------------------------------------------------------------===//

#include "Residency/Copies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

bool hasUnseenCallers(const Function &F) {
  return !F.hasLocalLinkage() || F.hasAddressTaken();
}

namespace {

using FunctionSet = SetVector<Function *>;

struct World {
  FunctionSet Roots;
  FunctionSet Reached;
  DenseMap<Function *, Function *> Copies;
};

} // namespace

/// The function that a call names, also by another name.
static Function *namedCallee(const CallBase &Call) {
  Value *Named = Call.getCalledOperand();
  if (auto *Alias = dyn_cast<GlobalAlias>(Named))
    if (!Alias->isInterposable())
      Named = Alias->getAliasee();
  auto *F = dyn_cast<Function>(Named);
  return F && F->getFunctionType() == Call.getFunctionType() ? F : nullptr;
}

static bool canBeCopied(const Function &F) {
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() ||
      F.isPresplitCoroutine() || F.hasFnAttribute(Attribute::Naked))
    return false;
  for (const BasicBlock &BB : F) {
    if (BB.hasAddressTaken())
      return false;
    for (const Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->cannotDuplicate())
        return false;
  }
  return true;
}

static void findReached(World &W) {
  SmallVector<Function *> Left(W.Roots.begin(), W.Roots.end());
  while (!Left.empty())
    for (Instruction &I : instructions(*Left.pop_back_val()))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *F = namedCallee(*Call);
            F && canBeCopied(*F) && W.Reached.insert(F))
          Left.push_back(F);
}

static bool isGivenNoPointers(const Function &F) {
  return F.getName() == "main" || none_of(F.args(), [](const Argument &A) {
           return A.getType()->isPtrOrPtrVectorTy();
         });
}

static Function *copyOf(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + ".ferry");
  Copy->setComdat(nullptr);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  return Copy;
}

/// Has the function's calls stay in the world.
static void redirectCalls(Function &F, const World &W) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? namedCallee(*Call) : nullptr;
    if (!Callee || !W.Reached.contains(Callee))
      continue;
    Function *Copy = W.Copies.lookup(Callee);
    Call->setCalledFunction(Copy ? Copy : Callee);
  }
}

FunctionCopies::FunctionCopies(Module &M) {
  World WithoutPointers, WithPointers, Replaceable, Nobodys;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (!F.isDefinitionExact())
      Nobodys.Roots.insert(&F);
    if (!hasUnseenCallers(F))
      continue;
    if (F.isDefinitionExact())
      (isGivenNoPointers(F) ? WithoutPointers : WithPointers).Roots.insert(&F);
    else if (F.hasAddressTaken())
      Replaceable.Roots.insert(&F);
  }
  World *Worlds[] = {&WithoutPointers, &WithPointers, &Replaceable};
  findReached(Nobodys);
  DenseMap<Function *, unsigned> Times;
  for (Function *F : Nobodys.Reached)
    ++Times[F];
  for (World *W : Worlds) {
    findReached(*W);
    for (Function *F : W->Reached)
      ++Times[F];
  }

  for (World *W : Worlds)
    for (Function *F : W->Reached)
      if (hasUnseenCallers(*F) || Times[F] > 1) {
        Function *Copy = copyOf(*F);
        W->Copies[F] = Copy;
        OriginalOf[Copy] = F;
      }
  for (World *W : Worlds) {
    for (Function *F : W->Roots)
      redirectCalls(*F, *W);
    for (Function *F : W->Reached) {
      Function *Copy = W->Copies.lookup(F);
      redirectCalls(Copy ? *Copy : *F, *W);
    }
  }
}

void FunctionCopies::drop(function_ref<bool(Function &)> SaysSomething,
                          FunctionAnalysisManager &FAM) {
  FunctionSet Needed;
  for (auto &[Copy, Original] : OriginalOf)
    if (SaysSomething(*Copy))
      Needed.insert(Copy);
  for (unsigned I = 0; I < Needed.size(); ++I)
    for (User *U : Needed[I]->users())
      if (Function *Caller = cast<CallBase>(U)->getFunction();
          OriginalOf.contains(Caller))
        Needed.insert(Caller);
  for (auto &[Copy, Original] : OriginalOf)
    if (!Needed.contains(Copy))
      Copy->replaceAllUsesWith(Original);
  OriginalOf.remove_if([&](auto &Each) {
    if (Needed.contains(Each.first))
      return false;
    FAM.clear(*Each.first, Each.first->getName());
    Each.first->eraseFromParent();
    return true;
  });
}

} // namespace ferry
