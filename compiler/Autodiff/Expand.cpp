//===- Expand.cpp - A request becomes a call ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The request's operands are brought to the types of the function's parameters
// and put in the order in which a derivative takes them; what the derivative
// returns is picked apart into the results that the request is about, and these
// are packed into the type that it was declared with.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Expand.h"
#include "Autodiff/ActiveValues.h"
#include "Autodiff/Packing.h"
#include "Autodiff/Refusal.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace ferry::ad {

namespace {
class Expansion {
public:
  Expansion(const Request &R, Engine &E)
      : R(R), E(E), B(R.Call), Target(*R.Target) {}
  bool run();

private:
  const Request &R;
  Engine &E;
  IRBuilder<> B;
  Function &Target;
  Signature S;
  SmallVector<Value *> Arguments;
  SmallVector<Value *> Results;
  /// Memory for what the function returns through its first parameter.
  SmallVector<Value *> ReturnSlots;

  bool fail(const Twine &What, const Twine &Advice) {
    refuseRequest(*R.Call, What, Advice);
    return false;
  }
  bool passValue(Value *V, unsigned Parameter);
  bool passArguments();
  void passReturnSlots();
  bool returnsDerivative() const;
  bool forward();
  bool reverse();
  bool replaceCall();
};
} // namespace

bool Expansion::passValue(Value *V, unsigned Parameter) {
  Type *T = Target.getFunctionType()->getParamType(Parameter);
  Value *Converted = convertArgument(B, V, T);
  if (!Converted) {
    std::string Have, Want;
    raw_string_ostream(Have) << *V->getType();
    raw_string_ostream(Want) << *T;
    return fail("a value of type " + Have + " is given for parameter " +
                    Twine(Parameter + 1) + " of type " + Want,
                "convert it to the parameter's type");
  }
  Arguments.push_back(Converted);
  return true;
}

void Expansion::passReturnSlots() {
  Type *T = Target.getParamStructRetType(0);
  BasicBlock &Entry = R.Call->getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  for (unsigned I = 0; I != 1 + R.Width; ++I) {
    AllocaInst *Slot = AtEntry.CreateAlloca(T);
    if (MaybeAlign A = Target.getParamAlign(0))
      Slot->setAlignment(std::max(*A, Slot->getAlign()));
    const DataLayout &DL = Target.getDataLayout();
    B.CreateMemSet(Slot, B.getInt8(0), DL.getTypeAllocSize(T),
                   Slot->getAlign());
    ReturnSlots.push_back(Slot);
    Arguments.push_back(Slot);
  }
  S.Active.push_back(true);
}

bool Expansion::passArguments() {
  S.F = &Target;
  S.Width = R.Width;
  if (Target.hasStructRetAttr())
    passReturnSlots();
  for (const RequestArgument &A : R.Arguments) {
    auto Parameter = static_cast<unsigned>(S.Active.size());
    if (!passValue(A.Primal, Parameter))
      return false;
    S.Active.push_back(A.Kind != Activity::Const);
    // In reverse mode nothing is added to the shadow of what is no memory.
    Type *T = Target.getFunctionType()->getParamType(Parameter);
    if (A.Kind != Activity::Dup ||
        (R.Wanted == Mode::Reverse && !containsPointer(T)))
      continue;
    for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
      Value *Shadow = A.Shadows[A.Stride ? 0 : Lane];
      if (A.Stride) {
        if (!Shadow->getType()->isPointerTy() ||
            !A.Stride->getType()->isIntegerTy())
          return fail("parameter " + Twine(Parameter + 1) +
                          " is enzyme_dupv, but not a pointer with a stride",
                      "pass the stride in bytes, the pointer and its shadow");
        Value *Bytes = B.CreateMul(
            B.CreateSExtOrTrunc(A.Stride, B.getInt64Ty()), B.getInt64(Lane));
        Shadow = B.CreatePtrAdd(Shadow, Bytes);
      }
      if (!passValue(Shadow, Parameter))
        return false;
    }
  }
  return true;
}

bool Expansion::returnsDerivative() const {
  if (R.Return)
    return *R.Return != Activity::Const;
  Type *T = Target.getReturnType();
  return containsFloat(T) || containsPointer(T);
}

/// Calls `F`, which is a derivative: parameters are passed as they want it.
static CallInst *callDerivative(IRBuilder<> &B, Function *F,
                                ArrayRef<Value *> Arguments, Engine &E) {
  // What an earlier call left in global variables is a constant to this one.
  const DataLayout &DL = F->getDataLayout();
  for (GlobalVariable *G : E.numbersToReset(*F))
    B.CreateMemSet(G, B.getInt8(0), DL.getTypeAllocSize(G->getValueType()),
                   G->getAlign());
  CallInst *Call = B.CreateCall(F, Arguments);
  SmallVector<AttributeSet> Attributes;
  for (unsigned I = 0; I != Arguments.size(); ++I)
    Attributes.push_back(F->getAttributes().getParamAttrs(I));
  Call->setAttributes(AttributeList::get(F->getContext(), AttributeSet(),
                                         AttributeSet(), Attributes));
  return Call;
}

bool Expansion::forward() {
  Function *F = E.forward(S);
  if (!F)
    return false;
  Value *Returned = callDerivative(B, F, Arguments, E);
  if (!ReturnSlots.empty()) {
    Type *T = Target.getParamStructRetType(0);
    for (auto [I, Slot] : enumerate(ReturnSlots))
      if (I ? returnsDerivative() || !R.Return : R.ReturnsPrimal)
        Results.push_back(B.CreateLoad(T, Slot));
    return true;
  }
  if (Target.getReturnType()->isVoidTy())
    return true;
  bool HasShadows = mayCarry(Target.getReturnType());
  if (R.ReturnsPrimal)
    Results.push_back(HasShadows ? B.CreateExtractValue(Returned, 0)
                                 : Returned);
  for (unsigned Lane = 0; HasShadows && returnsDerivative() && Lane != R.Width;
       ++Lane)
    Results.push_back(B.CreateExtractValue(Returned, Lane + 1));
  return true;
}

bool Expansion::reverse() {
  if (!ReturnSlots.empty())
    return fail("the function returns a struct through memory",
                "give it a pointer parameter for the result, with a shadow");
  Type *T = Target.getReturnType();
  bool Seeded = returnsDerivative() && T->isFloatingPointTy();
  if (returnsDerivative() && !Seeded)
    return fail("the function does not return a number",
                "write enzyme_const_return, or give it a pointer parameter for "
                "the result, with a shadow");
  Function *F = E.reverse(S, Seeded);
  if (!F)
    return false;
  for (const std::string &Name : E.unreached(*F))
    warn(*R.Call, *F,
         "in " + Name +
             " is zero: nothing that depends on it reaches the result",
         "pass it as a constant, or see whether it goes through an integer");
  for (unsigned Lane = 0; Seeded && Lane != R.Width; ++Lane)
    Arguments.push_back(ConstantFP::get(T, 1));
  Value *Returned = callDerivative(B, F, Arguments, E);
  unsigned Next = 0;
  if (!T->isVoidTy()) {
    Value *Primal = B.CreateExtractValue(Returned, Next++);
    if (R.ReturnsPrimal)
      Results.push_back(Primal);
  }
  for (const RequestArgument &A : R.Arguments) {
    if (A.Kind != Activity::Out)
      continue;
    if (R.Width == 1) {
      Results.push_back(B.CreateExtractValue(Returned, Next++));
      continue;
    }
    Type *Gradients = ArrayType::get(
        Returned->getType()->getStructElementType(Next), R.Width);
    Value *All = PoisonValue::get(Gradients);
    for (unsigned Lane = 0; Lane != R.Width; ++Lane)
      All = B.CreateInsertValue(All, B.CreateExtractValue(Returned, Next++),
                                Lane);
    Results.push_back(All);
  }
  return true;
}

bool Expansion::replaceCall() {
  const DataLayout &DL = Target.getDataLayout();
  if (R.Result) {
    // sret: the results one after the other.
    if (Results.empty() || !fillsType(Results, R.ResultType, DL)) {
      // Or the first of them, as for a declared type that is returned.
      if (Results.size() < 2 || !fillsType(Results.front(), R.ResultType, DL))
        return fail("the derivative has " + Twine(Results.size()) +
                        " results, which do not fill the struct that it is "
                        "declared to return",
                    "declare a struct with one member for each result, in "
                    "order");
      Results.truncate(1);
    }
    SmallVector<Type *> Types;
    for (Value *V : Results)
      Types.push_back(V->getType());
    StructType *Natural = StructType::get(Target.getContext(), Types);
    for (auto [I, V] : enumerate(Results))
      B.CreateStore(
          V, B.CreateStructGEP(Natural, R.Result, static_cast<unsigned>(I)));
  } else if (!R.Call->getType()->isVoidTy()) {
    Value *Packed = packResults(B, Results, R.Call->getType());
    if (!Packed)
      return fail("the derivative's result does not fit the declared type",
                  "declare the type that the function returns, or a struct of "
                  "all results in order");
    R.Call->replaceAllUsesWith(Packed);
  }
  R.Call->eraseFromParent();
  return true;
}

bool Expansion::run() {
  if (!passArguments())
    return false;
  return (R.Wanted == Mode::Forward ? forward() : reverse()) && replaceCall();
}

bool expand(const Request &R, Engine &E) { return Expansion(R, E).run(); }

} // namespace ferry::ad
