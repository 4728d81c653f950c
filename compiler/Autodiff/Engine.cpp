//===- Engine.cpp - Making derivatives, each once -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a function depends on which of its parameters are active
// and on the number of lanes, so that is what it is kept under. A function is
// entered before its body is made: recursion finds itself.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Engine.h"
#include "Autodiff/ActiveValues.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Shadows.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Whether nothing behind `G` has a derivative: text, tables of integers or
/// functions. Such a constant is its own shadow.
static bool isOwnShadow(const GlobalVariable &G) {
  return G.isConstant() && !containsFloat(G.getValueType()) &&
         !containsPointer(G.getValueType());
}

Constant *Engine::shadowConstant(Constant &C, unsigned Lane) {
  if (auto *G = dyn_cast<GlobalVariable>(&C))
    return shadowGlobal(*G, Lane);
  if (isa<GlobalValue, UndefValue>(C))
    return &C;
  if (auto *Aggregate = dyn_cast<ConstantAggregate>(&C)) {
    SmallVector<Constant *> Elements;
    for (Use &U : Aggregate->operands())
      Elements.push_back(shadowConstant(*cast<Constant>(U.get()), Lane));
    if (auto *S = dyn_cast<ConstantStruct>(&C))
      return ConstantStruct::get(S->getType(), Elements);
    if (auto *A = dyn_cast<ConstantArray>(&C))
      return ConstantArray::get(A->getType(), Elements);
    return ConstantVector::get(Elements);
  }
  if (auto *Expression = dyn_cast<ConstantExpr>(&C);
      Expression && containsPointer(C.getType())) {
    SmallVector<Constant *> Operands;
    for (Use &U : Expression->operands()) {
      auto *Operand = cast<Constant>(U.get());
      Operands.push_back(containsPointer(Operand->getType())
                             ? shadowConstant(*Operand, Lane)
                             : Operand);
    }
    return Expression->getWithOperands(Operands);
  }
  return Constant::getNullValue(C.getType());
}

Constant *Engine::shadowGlobal(GlobalVariable &G, unsigned Lane) {
  // What another file defines as constant is a table of functions or a type's
  // description.
  if (isOwnShadow(G) || (G.isConstant() && !G.hasInitializer()))
    return &G;
  GlobalVariable *&Shadow = Globals[{&G, Lane}];
  if (Shadow)
    return Shadow;
  auto *New = new GlobalVariable(
      M, G.getValueType(), G.isConstant(), GlobalValue::InternalLinkage,
      Constant::getNullValue(G.getValueType()), G.getName() + ".ferry.shadow",
      &G, G.getThreadLocalMode(), G.getAddressSpace());
  New->setAlignment(G.getAlign());
  Shadow = New;
  // Pointers among globals may go round in circles.
  if (G.hasInitializer())
    New->setInitializer(shadowConstant(*G.getInitializer(), Lane));
  return New;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Function &Engine::prepared(Function &F, bool Inline) {
  Function *&Copy = Prepared[{&F, Inline}];
  if (!Copy)
    Copy = prepare(F, Inline, ThePasses);
  return *Copy;
}

Engine::~Engine() {
  for (auto &[Key, Copy] : Prepared)
    Copy->eraseFromParent();
}

Function *Engine::startDerivative(Function &Body, const Signature &S,
                                  Type *Result, ArrayRef<Type *> More,
                                  bool NumbersHaveShadows, StringRef Suffix,
                                  std::vector<ShadowArguments> &Shadows) {
  SmallVector<Type *> Types;
  auto HasShadow = [&](unsigned I) {
    return S.Active[I] &&
           (NumbersHaveShadows || containsPointer(Body.getArg(I)->getType()));
  };
  for (unsigned I = 0; I != Body.arg_size(); ++I)
    Types.append(1 + (HasShadow(I) ? S.Width : 0), Body.getArg(I)->getType());
  Types.append(More.begin(), More.end());
  auto *New = Function::Create(FunctionType::get(Result, Types, false),
                               GlobalValue::InternalLinkage,
                               Body.getAddressSpace(),
                               S.F->getName() + Suffix, &M);
  ValueToValueMapTy Map;
  unsigned Next = 0;
  SmallVector<AttributeSet> Attributes;
  LLVMContext &C = M.getContext();
  for (Argument &Old : Body.args()) {
    AttributeSet Own = Body.getAttributes().getParamAttrs(Old.getArgNo());
    Argument *Primal = New->getArg(Next++);
    Primal->setName(Old.getName());
    Map[&Old] = Primal;
    Attributes.push_back(Own);
    ShadowArguments Lanes;
    Lanes.Primal = Primal;
    for (unsigned L = 0; HasShadow(Old.getArgNo()) && L != S.Width; ++L) {
      // A struct passed by value is copied, and so is its shadow.
      AttrBuilder Kept(C);
      if (Old.hasByValAttr()) {
        Kept.addByValAttr(Old.getParamByValType());
        Kept.addAlignmentAttr(Own.getAlignment());
      }
      Attributes.push_back(AttributeSet::get(C, Kept));
      Lanes.Lanes.push_back(New->getArg(Next++));
    }
    Shadows.push_back(Lanes);
  }
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(New, &Body, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  New->setAttributes(AttributeList::get(
      C, Body.getAttributes().getFnAttrs(), AttributeSet(), Attributes));
  return New;
}

Function *Engine::forward(const Signature &S) {
  if (auto Found = Forwards.find(S); Found != Forwards.end())
    return Found->second;
  Function &Body = prepared(*S.F, /*Inline=*/false);
  Type *Returned = Body.getReturnType();
  Type *Result = Returned;
  if (mayCarry(Returned)) {
    SmallVector<Type *> Members(1 + S.Width, Returned);
    Result = StructType::get(M.getContext(), Members);
  }
  std::vector<ShadowArguments> Arguments;
  Function *New = startDerivative(Body, S, Result, {}, true, ".ferry.forward",
                                  Arguments);
  Forwards[S] = New;

  std::vector<bool> IsActive(New->arg_size());
  for (ShadowArguments &A : Arguments)
    IsActive[A.Primal->getArgNo()] = !A.Lanes.empty();
  ActiveValues Active(*New, SmallVector<bool>(IsActive.begin(), IsActive.end()));
  Shadows Tangents(*this, *New, Shadows::Kind::Tangents, S.Width, Active);
  for (ShadowArguments &A : Arguments)
    if (!A.Lanes.empty())
      Tangents.set(A.Primal, A.Lanes);
  if (!Tangents.build())
    return Forwards[S] = nullptr;

  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &BB : *New)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(Return);
  for (ReturnInst *Return : Returns) {
    if (Result == Returned)
      break;
    IRBuilder<> B(Return);
    Value *V = Return->getReturnValue();
    Value *All = B.CreateInsertValue(PoisonValue::get(Result), V, 0);
    for (unsigned Lane = 0; Lane != S.Width; ++Lane)
      All = B.CreateInsertValue(All, Tangents.get(V, Lane, *Return), Lane + 1);
    B.CreateRet(All);
    Return->eraseFromParent();
  }
  if (Tangents.failed())
    return Forwards[S] = nullptr;
  ThePasses.optimise(*New);
  return New;
}

} // namespace ferry::ad
