//===- Refusal.cpp - What cannot be differentiated ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A refusal names three things: the function, as the user wrote it; the
// instruction, by its opcode and what it works on; and the variable. LLVM's
// values have lost their variables by the time an error is found, so the
// variable is searched for: in debug records, which the preparing passes keep,
// then in the value's own name, then from the pointer that it was loaded from.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Refusal.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry::ad {

static std::string subprogramName(const DISubprogram &SP) {
  return userName(SP.getLinkageName().empty() ? SP.getName()
                                              : SP.getLinkageName());
}

/// The function that the user knows: copies and derivatives keep the
/// subprogram of what they were made from.
static std::string functionName(const Function &F) {
  if (const DISubprogram *SP = F.getSubprogram())
    return subprogramName(*SP);
  return userName(F.getName().split(".ferry.").first);
}

/// The place of `I`. Where that is in what a front end has put around the
/// user's function, a place in the user's function stands for it.
static DebugLoc place(const Instruction &I) {
  if (isInUserFile(I.getDebugLoc()))
    return userLocation(I.getDebugLoc());
  if (isPlumbing(functionName(*I.getFunction())))
    for (const Instruction &Other : instructions(*I.getFunction()))
      if (isInUserFile(Other.getDebugLoc()))
        return userLocation(Other.getDebugLoc());
  return userLocation(I.getDebugLoc());
}

/// The function that `I` belongs to, as the user knows it.
static std::string functionName(const Instruction &I) {
  std::string Name = functionName(*I.getFunction());
  DebugLoc Where = place(I);
  if (!isPlumbing(Name) || !Where)
    return Name;
  const DISubprogram *SP = Where->getScope()->getSubprogram();
  return SP ? subprogramName(*SP) : Name;
}

static std::string variableName(const Value &V) {
  SmallVector<DbgVariableRecord *> Records;
  findDbgValues(const_cast<Value *>(&V), Records);
  if (Records.empty() && isa<AllocaInst>(V))
    for (DbgVariableRecord *R : findDVRDeclares(const_cast<Value *>(&V)))
      Records.push_back(R);
  if (!Records.empty())
    return Records.front()->getVariable()->getName().str();
  if (isa<GlobalValue>(V))
    return userName(V.getName());
  return isa<Argument>(V) ? V.getName().str() : "";
}

std::string describe(const Value &V) {
  if (std::string Name = variableName(V); !Name.empty())
    return "'" + Name + "'";
  if (auto *Load = dyn_cast<LoadInst>(&V)) {
    const Value *P = Load->getPointerOperand();
    while (auto *Gep = dyn_cast<GEPOperator>(P))
      P = Gep->getPointerOperand();
    if (std::string Name = variableName(*P); !Name.empty())
      return "what '" + Name + "' holds";
  }
  if (auto *Call = dyn_cast<CallBase>(&V))
    if (auto *F = dyn_cast<Function>(Call->getCalledOperand()))
      return "the result of '" + userName(F->getName()) + "'";
  if (auto *Gep = dyn_cast<GEPOperator>(&V))
    return "an element of " + describe(*Gep->getPointerOperand());
  if (auto *I = dyn_cast<Instruction>(&V))
    return std::string("the result of ") + I->getOpcodeName();
  return isa<Argument>(V) ? "an argument" : "a constant";
}

static std::string instruction(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (auto *F = dyn_cast<Function>(Call->getCalledOperand()))
      return "call of '" + userName(F->getName()) + "'";
  return I.getOpcodeName();
}

void refuse(const Instruction &At, const Twine &What, const Twine &Advice) {
  Diagnostic D;
  D.What = ("cannot differentiate '" + functionName(At) + "': " + What +
            " (in " + instruction(At) + ")")
               .str();
  D.Advice = Advice.str();
  D.Where = place(At);
  D.Chain = inliningChain(At.getDebugLoc());
  report(D, *At.getFunction());
}

void refuseRequest(const CallBase &Call, const Twine &What,
                   const Twine &Advice) {
  Diagnostic D;
  D.What = ("'" + userName(Call.getCalledFunction()->getName()) + "' in '" +
            functionName(*Call.getFunction()) + "': " + What)
               .str();
  D.Advice = Advice.str();
  D.Where = userLocation(Call.getDebugLoc());
  report(D, *Call.getFunction());
}

void warn(const CallBase &Call, const Function &Derivative, const Twine &What,
          const Twine &Advice) {
  const Instruction &Begin = Derivative.getEntryBlock().front();
  std::string Name = functionName(Begin);
  Diagnostic D;
  D.IsWarning = true;
  // A request in a header is made for the user's function.
  D.Where = isInUserFile(Call.getDebugLoc()) ? userLocation(Call.getDebugLoc())
                                             : place(Begin);
  D.What = ("the gradient of '" + Name + "' " + What).str();
  D.Advice = Advice.str();
  report(D, *Call.getFunction());
}

} // namespace ferry::ad
