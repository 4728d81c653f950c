//===- ActiveValues.cpp - What depends on the inputs ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow from the active arguments along uses, optimistic: nothing
// is active until something makes it so.
//
// Memory is seen through pointers. A pointer is active if it has a shadow. One
// that comes from outside has one if the request says so. Local memory whose
// address goes nowhere is active once an active value is stored to it; local
// memory whose address is stored, merged with others or passed on, always is.
// So it is with global variables, for all functions together: one that is only
// read is a constant, whatever the rest of the program does with it.
//
// Integers are a case of their own. One that was loaded from active memory, or
// made from a number's bits, may carry these bits on, and does so as long as
// whole bytes are moved about. Arithmetic makes it an integer for good.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/ActiveValues.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Prepare.h"
#include "Autodiff/Rules.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry::ad {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

template <class Predicate>
static bool anyScalar(const Type *T, Predicate Holds) {
  if (auto *V = dyn_cast<VectorType>(T))
    return Holds(V->getElementType());
  if (T->isAggregateType())
    return any_of(T->subtypes(),
                  [&](const Type *E) { return anyScalar(E, Holds); });
  return Holds(T);
}

bool mayCarry(const Type *T) {
  return anyScalar(T, [](const Type *E) {
    return E->isFloatingPointTy() || E->isPointerTy() ||
           (E->isIntegerTy() && E->getIntegerBitWidth() % 8 == 0);
  });
}

bool containsPointer(const Type *T) {
  return anyScalar(T, [](const Type *E) { return E->isPointerTy(); });
}

bool containsFloat(const Type *T) {
  return anyScalar(T, [](const Type *E) { return E->isFloatingPointTy(); });
}

//===----------------------------------------------------------------------===//
// Global variables
//===----------------------------------------------------------------------===//

/// The functions that `F` calls or takes the address of, and they in turn.
static void collectFunctions(const Function &F,
                             SetVector<const Function *> &Found) {
  Found.insert(&F);
  for (size_t Next = 0; Next != Found.size(); ++Next)
    for (const Instruction &I : instructions(*Found[Next]))
      for (const Use &U : I.operands())
        if (auto *Named = dyn_cast<Function>(U->stripPointerCasts()))
          Found.insert(Named);
}

/// The variable that `Address` leads to, if numbers could be in it.
static const GlobalVariable *variableOf(const Value *Address) {
  if (!isa<Constant>(Address) || !Address->getType()->isPointerTy())
    return nullptr;
  const auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Address, /*MaxLookup=*/0));
  bool Matters =
      G && !G->isConstant() && !G->getName().contains("enzyme_") &&
      (containsFloat(G->getValueType()) || containsPointer(G->getValueType()));
  return Matters ? G : nullptr;
}

bool ActiveGlobals::namesVariables(const Function &F) {
  SetVector<const Function *> Reached;
  collectFunctions(F, Reached);
  return any_of(Reached, [](const Function *G) {
    return any_of(instructions(*G), [](const Instruction &I) {
      return any_of(I.operands(),
                    [](const Use &U) { return variableOf(U.get()); });
    });
  });
}

/// An address of a global variable is used: is that more than to read it?
void ActiveGlobals::addUse(const Use &U) {
  const GlobalVariable *G = variableOf(U.get());
  if (!G)
    return;
  SmallVector<const Use *> Uses{&U};
  while (!Uses.empty()) {
    const Use *Next = Uses.pop_back_val();
    auto *I = cast<Instruction>(Next->getUser());
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(I)) {
      for (const Use &Further : I->uses())
        Uses.push_back(&Further);
      continue;
    }
    auto *Call = dyn_cast<CallBase>(I);
    bool Reads = isa<LoadInst, ICmpInst>(I) ||
                 (isa<MemTransferInst>(I) && Next->getOperandNo() == 1) ||
                 (Call && classify(*Call) == Callee::Inactive);
    if (!Reads) {
      Active.insert(G);
      return;
    }
  }
}

void ActiveGlobals::addFunction(const Function &F) {
  SetVector<const Function *> Reached;
  collectFunctions(F, Reached);
  for (const Function *G : Reached)
    for (const Instruction &I : instructions(*G))
      for (const Use &U : I.operands())
        addUse(U);
}

bool ActiveGlobals::isIn(const Constant &C) const {
  if (auto *G = dyn_cast<GlobalVariable>(&C))
    return contains(*G);
  if (isa<GlobalValue>(C))
    return false;
  return any_of(C.operands(),
                [&](const Use &U) { return isIn(*cast<Constant>(U.get())); });
}

bool ActiveGlobals::isNamedIn(const Function &F) const {
  if (Active.empty())
    return false;
  SetVector<const Function *> Reached;
  collectFunctions(F, Reached);
  return any_of(Reached, [&](const Function *G) {
    return any_of(instructions(*G), [&](const Instruction &I) {
      return any_of(I.operands(), [&](const Use &U) {
        auto *C = dyn_cast<Constant>(U.get());
        return C && isIn(*C);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Moves of bytes
//===----------------------------------------------------------------------===//

/// Whether each byte of the mask is taken as a whole or left out.
static bool isByteMask(const Value *V) {
  auto *C = dyn_cast<ConstantInt>(V);
  if (!C || C->getBitWidth() % 8)
    return false;
  for (unsigned I = 0; I != C->getBitWidth(); I += 8) {
    uint64_t Byte = C->getValue().extractBitsAsZExtValue(8, I);
    if (Byte != 0 && Byte != 0xff)
      return false;
  }
  return true;
}

bool movesBytes(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Or:
    return true;
  case Instruction::Shl:
  case Instruction::LShr: {
    auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
    return By && By->getValue().urem(8) == 0;
  }
  case Instruction::And:
    return isByteMask(I.getOperand(1));
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// The dataflow
//===----------------------------------------------------------------------===//

bool ActiveValues::contains(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V))
    return Globals.isIn(*C);
  return Active.contains(V);
}

void ActiveValues::add(const Value *V) {
  if (!isa<Constant>(V) && Active.insert(V).second)
    Work.push_back(V);
}

/// Finds out what makes the local memory `Object` active.
void ActiveValues::addObject(const Instruction &Object) {
  SmallVector<const Value *> Pointers{&Object};
  SmallVector<const Value *> Sources;
  for (size_t N = 0; N != Pointers.size(); ++N)
    for (const Use &U : Pointers[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isLost(*I->getParent()))
        continue;
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      if (isa<LoadInst, ICmpInst>(I))
        continue;
      if (isa<StoreInst>(I) && U.getOperandNo() == 1) {
        Sources.push_back(I->getOperand(0));
        continue;
      }
      if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
        if (U.getOperandNo() == 0)
          Sources.push_back(Copy->getRawSource());
        continue;
      }
      if (isa<MemSetInst>(I))
        continue;
      if (auto *Call = dyn_cast<CallBase>(I)) {
        Callee K = classify(*Call);
        if (K == Callee::Inactive || K == Callee::Release)
          continue;
      }
      add(&Object);
      return;
    }
  for (const Value *Source : Sources) {
    if (contains(Source))
      add(&Object);
    Triggers[Source].push_back(&Object);
  }
}

/// Whether the result of `I` is active, given the operands that are.
bool ActiveValues::follows(const Instruction &I) const {
  if (!mayCarry(I.getType()))
    return false;
  auto IsActive = [&](const Use &U) { return contains(U.get()); };
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    switch (classify(*Call)) {
    case Callee::Rule:
      return operandCount(*findRule(*Call)) && any_of(Call->args(), IsActive);
    case Callee::Inactive:
    case Callee::Allocation:
      return false;
    default:
      return any_of(Call->args(), IsActive);
    }
  }
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst, GetElementPtrInst>(I))
    return contains(I.getOperand(0));
  if (isa<SelectInst>(I))
    return contains(I.getOperand(1)) || contains(I.getOperand(2));
  if (isa<ExtractElementInst>(I))
    return contains(I.getOperand(0));
  if (isa<InsertElementInst>(I))
    return contains(I.getOperand(0)) || contains(I.getOperand(1));
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return any_of(I.operands(), IsActive);
  default:
    break;
  }
  if (movesBytes(I) || (isa<UnaryOperator, BinaryOperator>(I) &&
                        I.getType()->isFPOrFPVectorTy()))
    return any_of(I.operands(), IsActive);
  return false;
}

/// Whether a pointer that `F` returns may lead to memory that it allocates.
static bool mayReturnNewMemory(const Function &F) {
  if (!containsPointer(F.getReturnType()))
    return false;
  SetVector<const Function *> Reached;
  collectFunctions(F, Reached);
  return any_of(Reached, [](const Function *G) {
    return any_of(instructions(*G), [](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && classify(*Call) == Callee::Allocation;
    });
  });
}

ActiveValues::ActiveValues(Function &F, ArrayRef<bool> Arguments,
                           const ActiveGlobals &Globals,
                           ArrayRef<const Value *> Roots)
    : Globals(Globals) {
  for (const Value *Root : Roots)
    add(Root);
  for (auto [A, IsActive] : zip_equal(F.args(), Arguments))
    if (IsActive)
      add(&A);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (isa<AllocaInst>(I) || (Call && classify(*Call) == Callee::Allocation))
      addObject(I);
    if (Call && classify(*Call) == Callee::Defined &&
        mayReturnNewMemory(*calledFunction(*Call)))
      add(&I);
    // What a block that is made larger holds goes on with it.
    if (Call && calledFunction(*Call) &&
        calledFunction(*Call)->getName() == "realloc") {
      Triggers[Call->getArgOperand(0)].push_back(&I);
      if (contains(Call->getArgOperand(0)))
        add(&I);
    }
    // What starts from an active global variable.
    if (follows(I))
      add(&I);
  }
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users()) {
      auto *I = cast<Instruction>(U);
      if (!Active.contains(I) && follows(*I))
        add(I);
    }
    if (auto Found = Triggers.find(V); Found != Triggers.end())
      for (const Value *Object : Found->second)
        add(Object);
  }
}

} // namespace ferry::ad
