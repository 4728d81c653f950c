//===- Engine.cpp - Making derivatives, each once -------------------------===//
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
#include "Autodiff/MemoryTypes.h"
#include "Autodiff/Refusal.h"
#include "Autodiff/Reverse.h"
#include "Autodiff/Shadows.h"
#include "Autodiff/Unreached.h"
#include "llvm/ADT/SetVector.h"
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

Constant *Engine::shadowConstant(Constant &C, unsigned Lane, Mode For) {
  if (auto *G = dyn_cast<GlobalVariable>(&C))
    return shadowGlobal(*G, Lane, For);
  if (isa<GlobalValue, UndefValue>(C))
    return &C;
  if (auto *Aggregate = dyn_cast<ConstantAggregate>(&C)) {
    SmallVector<Constant *> Elements;
    for (Use &U : Aggregate->operands())
      Elements.push_back(shadowConstant(*cast<Constant>(U.get()), Lane, For));
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
                             ? shadowConstant(*Operand, Lane, For)
                             : Operand);
    }
    return Expression->getWithOperands(Operands);
  }
  return Constant::getNullValue(C.getType());
}

Constant *Engine::shadowGlobal(GlobalVariable &G, unsigned Lane, Mode For) {
  // What another file defines as constant is a table of functions or a type's
  // description.
  if (isOwnShadow(G) || (G.isConstant() && !G.hasInitializer()))
    return &G;
  GlobalVariable *&Shadow = Globals[{&G, Lane, For}];
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
    New->setInitializer(shadowConstant(*G.getInitializer(), Lane, For));
  return New;
}

std::vector<GlobalVariable *> Engine::numbersToReset(Function &Derivative) {
  DenseSet<GlobalVariable *> Shadows;
  for (auto &[Key, Shadow] : Globals)
    if (!Shadow->isConstant() && !containsPointer(Shadow->getValueType()))
      Shadows.insert(Shadow);
  std::vector<GlobalVariable *> Found;
  SetVector<Constant *> Reached;
  Reached.insert(&Derivative);
  for (size_t N = 0; N != Reached.size() && !Shadows.empty(); ++N) {
    Constant *C = Reached[N];
    if (auto *G = dyn_cast<GlobalVariable>(C); G && Shadows.contains(G))
      Found.push_back(G);
    auto Follow = [&](User &U) {
      for (Use &Operand : U.operands())
        if (auto *Next = dyn_cast<Constant>(Operand.get()))
          Reached.insert(Next);
    };
    Follow(*C);
    if (auto *F = dyn_cast<Function>(C))
      for (Instruction &I : instructions(*F))
        Follow(I);
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Function &Engine::prepared(Function &F, bool ForReverse) {
  Function *&Copy = Prepared[{&F, ForReverse}];
  if (!Copy)
    Copy = prepare(F, ForReverse, ThePasses);
  return *Copy;
}

/// Whether a variable is only read shows when the functions that its address is
/// passed to are inlined.
void Engine::announce(Function &F) {
  if (!ActiveGlobals::namesVariables(F))
    return;
  Function *Copy = prepare(F, /*ForReverse=*/true, ThePasses);
  TheGlobals.addFunction(*Copy);
  Copy->eraseFromParent();
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
  auto *New = Function::Create(
      FunctionType::get(Result, Types, false), GlobalValue::InternalLinkage,
      Body.getAddressSpace(), S.F->getName() + Suffix, &M);
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
  // Optimised internal functions have conventions that callers here have not.
  New->setCallingConv(CallingConv::C);
  New->setAttributes(AttributeList::get(C, Body.getAttributes().getFnAttrs(),
                                        AttributeSet(), Attributes));
  return New;
}

Function *Engine::forward(const Signature &S) {
  if (auto Found = Forwards.find(S); Found != Forwards.end())
    return Found->second;
  Function &Body = prepared(*S.F, /*ForReverse=*/false);
  Type *Returned = Body.getReturnType();
  Type *Result = Returned;
  if (mayCarry(Returned)) {
    SmallVector<Type *> Members(1 + S.Width, Returned);
    Result = StructType::get(M.getContext(), Members);
  }
  std::vector<ShadowArguments> Arguments;
  Function *New =
      startDerivative(Body, S, Result, {}, true, ".ferry.forward", Arguments);
  Forwards[S] = New;

  std::vector<bool> IsActive(New->arg_size());
  for (ShadowArguments &A : Arguments)
    IsActive[A.Primal->getArgNo()] = !A.Lanes.empty();
  ActiveValues Active(*New, SmallVector<bool>(IsActive.begin(), IsActive.end()),
                      TheGlobals);
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

/// The types of what a reverse derivative of `Body` returns: the result, and
/// one adjoint a lane for each number.
static Type *reverseResult(const Function &Body, const Signature &S) {
  SmallVector<Type *> Members;
  if (!Body.getReturnType()->isVoidTy())
    Members.push_back(Body.getReturnType());
  for (const Argument &A : Body.args())
    if (S.Active[A.getArgNo()] && containsFloat(A.getType()))
      Members.append(S.Width, A.getType());
  LLVMContext &C = Body.getContext();
  return Members.empty() ? Type::getVoidTy(C)
                         : static_cast<Type *>(StructType::get(C, Members));
}

Function *Engine::bothSweeps(Function &Body, const Signature &S,
                             bool ActiveReturn,
                             std::optional<unsigned> ShadowsReturned) {
  auto IsOut = [&](const Argument &A) {
    return S.Active[A.getArgNo()] && containsFloat(A.getType());
  };
  SmallVector<Type *> Seeds;
  if (ActiveReturn)
    Seeds.append(S.Width, Body.getReturnType());
  std::vector<ShadowArguments> Arguments;
  Function *New = startDerivative(Body, S, reverseResult(Body, S), Seeds, false,
                                  ".ferry.reverse", Arguments);
  SmallVector<bool> IsActive(New->arg_size());
  SmallVector<Argument *> Outs;
  for (auto [A, Original] : zip(Arguments, Body.args())) {
    bool Out = IsOut(Original);
    IsActive[A.Primal->getArgNo()] = Out || !A.Lanes.empty();
    if (Out)
      Outs.push_back(A.Primal);
    if (Out && !A.Lanes.empty()) {
      refuse(New->getEntryBlock().front(),
             "has a parameter that holds numbers and pointers by value",
             "pass a pointer to it");
      return nullptr;
    }
  }
  simplifyLoops(*New);
  ReturnInst *Return = nullptr;
  SmallVector<Instruction *> Originals;
  for (Instruction &I : instructions(*New)) {
    Originals.push_back(&I);
    if (auto *R = dyn_cast<ReturnInst>(&I))
      Return = R;
  }
  if (!Return) {
    refuse(New->getEntryBlock().front(), "never returns",
           "differentiate a function that does");
    return nullptr;
  }

  MemoryTypes Types(*New);
  ActiveValues Active(*New, IsActive, TheGlobals);
  Shadows Pointers(*this, *New, Shadows::Kind::Pointers, S.Width, Active,
                   &Types);
  for (ShadowArguments &A : Arguments)
    if (!A.Lanes.empty())
      Pointers.set(A.Primal, A.Lanes);
  if (!Pointers.build())
    return nullptr;
  for (Instruction *&I : Originals)
    if (Instruction *Other = Pointers.insteadOf(*I)) {
      Active.replace(*I, *Other);
      I = Other;
    }
  SmallVector<Value *> SeedValues, Returned;
  for (size_t I = 0; I != Seeds.size(); ++I)
    SeedValues.push_back(
        New->getArg(static_cast<unsigned>(New->arg_size() - Seeds.size() + I)));
  BasicBlock &Exit = *Return->getParent();
  if (Value *V = Return->getReturnValue())
    Returned.push_back(V);
  for (unsigned Lane = 0; Lane != ShadowsReturned.value_or(0); ++Lane)
    Returned.push_back(Pointers.get(Return->getReturnValue(), Lane, *Return));
  ReverseSweep Sweep(*New, Pointers, Types, Active, S.Width, Originals,
                     *Return);
  if (!Sweep.build(SeedValues, Outs))
    return nullptr;
  if (ShadowsReturned)
    markTurn(Exit, Returned);
  ThePasses.optimise(*New);
  return New;
}

Function *Engine::reverse(const Signature &S, bool ActiveReturn) {
  auto Key = std::pair(S, ActiveReturn);
  if (auto Found = Reverses.find(Key); Found != Reverses.end())
    return Found->second;
  Function &Body = prepared(*S.F, /*ForReverse=*/true);
  Function *New = bothSweeps(Body, S, ActiveReturn, std::nullopt);
  if (New)
    Unreached[New] = unreachedArguments(
        Body, SmallVector<bool>(S.Active.begin(), S.Active.end()), TheGlobals);
  return Reverses[Key] = New;
}

const SplitDerivative *Engine::split(const Signature &S, bool ActiveReturn,
                                     bool ShadowReturned) {
  auto [Found, New] =
      Splits.try_emplace(std::tuple(S, ActiveReturn, ShadowReturned));
  SplitDerivative &D = Found->second;
  if (!New)
    return D.Forward ? &D : nullptr;
  Function &Body = prepared(*S.F, /*ForReverse=*/true);
  LLVMContext &C = M.getContext();
  Type *R = Body.getReturnType(), *Ptr = PointerType::get(C, 0);
  D.ActiveReturn = ActiveReturn;
  D.ShadowsReturned = ShadowReturned ? S.Width : 0;
  SmallVector<Type *> Given, Results, Seeds{Ptr};
  for (Argument &A : Body.args())
    Given.append(1 + (S.Active[A.getArgNo()] && containsPointer(A.getType())
                          ? S.Width
                          : 0),
                 A.getType());
  if (!R->isVoidTy())
    Results.append(1 + D.ShadowsReturned, R);
  Results.push_back(Ptr);
  if (ActiveReturn)
    Seeds.append(S.Width, R);
  auto Declare = [&](Type *Result, ArrayRef<Type *> Parameters,
                     const Twine &Suffix) {
    return Function::Create(FunctionType::get(Result, Parameters, false),
                            GlobalValue::InternalLinkage,
                            S.F->getName() + Suffix, &M);
  };
  D.Forward = Declare(StructType::get(C, Results), Given, ".ferry.augmented");
  D.Reverse = Declare(reverseResult(Body, S), Seeds, ".ferry.reversed");
  Function *Both = bothSweeps(Body, S, ActiveReturn, D.ShadowsReturned);
  if (!Both ||
      !splitSweeps(*Both, static_cast<unsigned>(Seeds.size() - 1), D)) {
    // Calls of them are left behind, in what fails as well.
    for (Function *F : {D.Forward, D.Reverse}) {
      F->deleteBody();
      F->setLinkage(GlobalValue::ExternalLinkage);
    }
    D.Forward = nullptr;
    return nullptr;
  }
  Both->eraseFromParent();
  for (Function *F : {D.Forward, D.Reverse}) {
    F->removeRetAttrs(AttributeFuncs::typeIncompatible(
        F->getReturnType(), F->getAttributes().getRetAttrs()));
    ThePasses.optimise(*F);
  }
  return &D;
}

} // namespace ferry::ad
