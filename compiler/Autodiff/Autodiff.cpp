//===- Autodiff.cpp - Derivatives of functions ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The road of a request:
//
//   1  registrations: what the user says about functions becomes attributes
//   2  wrappers: a function that passes the function that it was given on to a
//      request is inlined into its callers, where the function is known
//   3  a request for one of several functions becomes one request for each
//   4  the requests that the function itself makes are expanded before it is
//      differentiated (inner first)
//   5  Request.cpp reads it, Engine.cpp makes the derivative, Expand.cpp calls
//      that in its place
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Autodiff.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Engine.h"
#include "Autodiff/Expand.h"
#include "Autodiff/Helpers.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Registrations.h"
#include "Autodiff/Request.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

using namespace ad;

static SmallVector<CallBase *> requestsIn(Function &F) {
  SmallVector<CallBase *> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (isRequest(*Call))
        Found.push_back(Call);
  return Found;
}

/// Names decide quickly that a module has no requests.
static bool mentionsRequests(const Module &M) {
  return any_of(M.functions(), [](const Function &F) {
    return F.isDeclaration() && F.getName().contains("__enzyme_") &&
           !F.use_empty();
  });
}

bool hasDerivativeRequests(const Module &M) {
  return mentionsRequests(M) && any_of(M, [](const Function &F) {
           return any_of(instructions(F), [](const Instruction &I) {
             auto *Call = dyn_cast<CallBase>(&I);
             return Call && isRequest(*Call);
           });
         });
}

namespace {
class Driver {
public:
  explicit Driver(Module &M) : M(M), E(M) {}
  bool run();

private:
  Module &M;
  Engine E;
  SetVector<Function *> InProgress;
  DenseSet<Function *> Done;

  bool inlineWrappers();
  bool inlineWrapper(Function &F, CallBase &Request);
  bool expandIn(Function &F);
  bool expandReachable(Function &F);
  bool expandCall(CallBase &Call);
  bool expandChoice(CallBase &Call, ArrayRef<Function *> Targets);
  void defineMarkers();
};
} // namespace

//===----------------------------------------------------------------------===//
// Wrappers
//===----------------------------------------------------------------------===//

/// Inlines `F`, whose argument is the function of `Request`, where it is
/// called.
bool Driver::inlineWrapper(Function &F, CallBase &Request) {
  SmallVector<CallBase *> Calls;
  bool Escapes = false;
  for (User *U : F.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (Call && Call->getCalledOperand() == &F && Call->getFunction() != &F)
      Calls.push_back(Call);
    else
      Escapes = true;
  }
  if (Escapes || (Calls.empty() && !F.isDiscardableIfUnused())) {
    refuseRequest(Request, "the function is a parameter that is not known here",
                  "call it where the function is written, or make the function "
                  "a template parameter");
    return false;
  }
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    if (InlineResult R = InlineFunction(*Call, Info); !R.isSuccess()) {
      refuseRequest(Request,
                    "the wrapper around it cannot be inlined: " +
                        StringRef(R.getFailureReason()),
                    "write the request where the function is known");
      return false;
    }
  }
  if (F.isDiscardableIfUnused()) {
    F.eraseFromParent();
    return true;
  }
  // Nobody in this file calls it any more. In another, the function is unknown.
  IRBuilder<> B(&Request);
  B.CreateIntrinsic(Intrinsic::trap, {});
  Request.replaceAllUsesWith(PoisonValue::get(Request.getType()));
  Request.eraseFromParent();
  return true;
}

bool Driver::inlineWrappers() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : M) {
      SmallVector<CallBase *> Requests = requestsIn(F);
      auto *Found = find_if(Requests, [](CallBase *Call) {
        return isa_and_nonnull<Argument>(requestedFunction(*Call));
      });
      if (Found == Requests.end())
        continue;
      if (!inlineWrapper(F, **Found))
        return false;
      Changed = true;
      break;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// The functions that `V` may be. False if there is something else among them.
static bool collectFunctions(Value *V, SetVector<Function *> &Found,
                             SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(V).second)
    return true;
  V = V->stripPointerCasts();
  if (auto *F = dyn_cast<Function>(V))
    return Found.insert(F), true;
  if (auto *Select = dyn_cast<SelectInst>(V))
    return collectFunctions(Select->getTrueValue(), Found, Seen) &&
           collectFunctions(Select->getFalseValue(), Found, Seen);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(),
                  [&](Value *In) { return collectFunctions(In, Found, Seen); });
  return false;
}

/// One request for each function, under a comparison with its address.
bool Driver::expandChoice(CallBase &Call, ArrayRef<Function *> Targets) {
  unsigned Operand = Call.hasStructRetAttr() ? 1 : 0;
  Value *Wanted = Call.getArgOperand(Operand);
  SmallVector<CallBase *> Calls;
  for (Function *F : Targets.drop_back()) {
    IRBuilder<> B(&Call);
    Value *IsThis = B.CreateICmpEQ(Wanted, F);
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(IsThis, Call.getIterator(), &Then, &Else);
    auto *One = cast<CallBase>(Call.clone());
    One->insertBefore(Then->getIterator());
    One->setArgOperand(Operand, F);
    Calls.push_back(One);
    BasicBlock *Tail = Call.getParent();
    Call.moveBefore(Else->getIterator());
    if (!Call.getType()->isVoidTy()) {
      auto *Phi = PHINode::Create(Call.getType(), 2, "", Tail->begin());
      Call.replaceAllUsesWith(Phi);
      Phi->addIncoming(One, One->getParent());
      Phi->addIncoming(&Call, Call.getParent());
    }
  }
  Call.setArgOperand(Operand, Targets.back());
  Calls.push_back(&Call);
  return all_of(Calls, [&](CallBase *C) { return expandCall(*C); });
}

bool Driver::expandCall(CallBase &Call) {
  Value *Wanted = requestedFunction(Call);
  SetVector<Function *> Targets;
  SmallPtrSet<Value *, 4> Seen;
  if (!Wanted || !collectFunctions(Wanted, Targets, Seen)) {
    refuseRequest(Call, "the function to differentiate is not known here",
                  "pass a function by its name as the first argument");
    return false;
  }
  if (Targets.size() > 1)
    return expandChoice(Call, Targets.getArrayRef());
  Function &Target = *Targets.front();
  if (Target.isDeclaration()) {
    refuseRequest(Call, "'" + Target.getName() + "' has no body in this file",
                  "define it in this file");
    return false;
  }
  std::optional<Request> R = parseRequest(Call, Target);
  if (!R || !expandReachable(Target))
    return false;
  E.announce(Target);
  return expand(*R, E);
}

/// Expands the requests of `F` and of all that it calls, maybe by pointer.
bool Driver::expandReachable(Function &F) {
  SetVector<Function *> Reachable;
  Reachable.insert(&F);
  for (size_t N = 0; N != Reachable.size(); ++N)
    for (Instruction &I : instructions(*Reachable[N]))
      for (Use &U : I.operands())
        if (auto *Named = dyn_cast<Function>(U->stripPointerCasts()))
          Reachable.insert(Named);
  return all_of(Reachable, [&](Function *G) { return expandIn(*G); });
}

bool Driver::expandIn(Function &F) {
  if (Done.contains(&F))
    return true;
  SmallVector<CallBase *> Requests = requestsIn(F);
  if (!Requests.empty() && !InProgress.insert(&F)) {
    refuseRequest(*Requests.front(), "the derivative is needed to make itself",
                  "differentiate a function that does not call this one");
    return false;
  }
  bool Good = true;
  for (CallBase *Call : Requests) {
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      Call = changeToCall(Invoke);
    Good &= expandCall(*Call);
  }
  InProgress.remove(&F);
  Done.insert(&F);
  return Good;
}

/// Markers are no data, but unoptimised code still loads them: it must link.
void Driver::defineMarkers() {
  for (GlobalVariable &G : M.globals())
    if (G.isDeclaration() && G.getName().contains("enzyme_") &&
        !G.use_empty() && G.getValueType()->isIntegerTy()) {
      G.setInitializer(Constant::getNullValue(G.getValueType()));
      G.setLinkage(GlobalValue::WeakAnyLinkage);
    }
}

bool Driver::run() {
  if (!readRegistrations(M) || !inlineWrappers())
    return false;
  SmallVector<Function *> Users;
  for (Function &F : M)
    if (!requestsIn(F).empty())
      Users.push_back(&F);
  for (Function *F : Users)
    for (CallBase *Call : requestsIn(*F)) {
      SetVector<Function *> Targets;
      SmallPtrSet<Value *, 4> Seen;
      if (Value *Wanted = requestedFunction(*Call))
        if (collectFunctions(Wanted, Targets, Seen))
          for (Function *Target : Targets)
            E.announce(*Target);
    }
  bool Good = true;
  for (Function *F : Users)
    Good &= expandIn(*F);
  lowerUnlessZero(M);
  defineMarkers();
  return Good;
}

AutodiffResult expandDerivatives(Module &M) {
  if (!hasDerivativeRequests(M))
    return AutodiffResult::Unchanged;
  return Driver(M).run() ? AutodiffResult::Changed : AutodiffResult::Failed;
}

} // namespace ferry
