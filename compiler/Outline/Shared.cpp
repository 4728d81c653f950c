//===- Shared.cpp - What the threads of a block have in common ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A front end asks for shared memory with a call that names a place in the
// source. Here each such place becomes one global variable without a value,
// which every target puts where its blocks have their memory. Two calls mean
// the same object when they name the same place: the same constant, or, where
// the language says that a constant's address means nothing, equal constants,
// since such constants are copied freely between files.
//
// A generic function in Rust has no constant of its own to name, as a C++
// template has. There the debug info tells instances apart: the front end's
// function is inlined into one of them, whose name says which. Calls for
// different instances get different callees, before inlining brings them
// together and makes one of equal calls.
//
// Collectives are described, so that no pass moves one to where only some
// threads pass by.
//
//===----------------------------------------------------------------------===//

#include "Outline/Outline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace ferry {

/// Text that is equal for constants that stand for the same place. Empty when
/// `V` is no constant.
static std::string placeKey(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  if (!C)
    return "";
  if (auto *G = dyn_cast<GlobalVariable>(C)) {
    if (G->hasGlobalUnnamedAddr() && G->isConstant() && G->hasInitializer())
      return "{" + placeKey(G->getInitializer()) + "}";
    return ("@" + G->getName()).str();
  }
  std::string Key;
  raw_string_ostream OS(Key);
  if (!C->getNumOperands()) {
    C->print(OS);
    return Key;
  }
  OS << C->getValueID() << "(";
  if (auto *GEP = dyn_cast<GEPOperator>(C))
    GEP->getSourceElementType()->print(OS);
  for (const Use &U : C->operands())
    OS << placeKey(U) << ",";
  OS << ")";
  return Key;
}

bool nameInstances(Module &M) {
  Function *F = M.getFunction("__ferry_instance");
  if (!F)
    return false;
  bool Found = false;
  for (User *U : make_early_inc_range(F->users())) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledOperand() != F)
      continue;
    // Equal texts are one instance, whichever file they come from.
    Constant *Text = ConstantDataArray::getString(
        M.getContext(), Call->getFunction()->getName());
    auto *Name =
        new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, Text, "ferry.instance");
    Name->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Call->replaceAllUsesWith(Name);
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      changeToCall(Invoke)->eraseFromParent();
    else
      Call->eraseFromParent();
    Found = true;
  }
  return Found;
}

static constexpr StringLiteral MarkerName = "__ferry_shared";

/// The instance of the user's function that a call of the Rust front end's has
/// been inlined into.
static StringRef rustInstance(const CallInst &Call) {
  const DILocation *At = Call.getDebugLoc();
  const DILocation *Caller = At ? At->getInlinedAt() : nullptr;
  DISubprogram *SP = Caller ? Caller->getScope()->getSubprogram() : nullptr;
  if (!SP || !SP->getUnit() ||
      SP->getUnit()->getSourceLanguage().getUnversionedName() !=
          dwarf::DW_LANG_Rust)
    return "";
  return SP->getLinkageName();
}

void separateInstances(Module &M) {
  Function *F = M.getFunction(MarkerName);
  if (!F)
    return;
  for (User *U : make_early_inc_range(F->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    StringRef Instance = Call ? rustInstance(*Call) : "";
    if (!Instance.empty())
      Call->setCalledFunction(
          M.getOrInsertFunction((MarkerName + "." + Instance).str(),
                                F->getFunctionType(), F->getAttributes()));
  }
}

static GlobalVariable *declareShared(Module &M, const Twine &Name,
                                     uint64_t Bytes, Align A) {
  auto *G = new GlobalVariable(
      M, ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes),
      /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr, Name);
  G->setAlignment(A);
  return G;
}

static void placeDynamic(Module &M) {
  Function *F = M.getFunction("__ferry_dynamic_shared");
  if (!F)
    return;
  GlobalVariable *G = declareShared(M, DynamicSharedSymbol, 0, Align(16));
  for (User *U : make_early_inc_range(F->users()))
    if (auto *Call = dyn_cast<CallInst>(U)) {
      Call->replaceAllUsesWith(G);
      Call->eraseFromParent();
    }
}

void placeSharedObjects(DeviceProgram &Program) {
  Module &M = *Program.M;
  placeDynamic(M);
  std::map<std::string, GlobalVariable *> Known;
  SmallVector<CallInst *> Calls;
  for (Function &F : M)
    if (F.getName().starts_with(MarkerName) && F.isDeclaration())
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && Call->getCalledFunction() == &F && Call->arg_size() == 4)
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    std::string Site = placeKey(Call->getArgOperand(0));
    std::string Instance = placeKey(Call->getArgOperand(1));
    auto *Bytes = dyn_cast<ConstantInt>(Call->getArgOperand(2));
    auto *Alignment = dyn_cast<ConstantInt>(Call->getArgOperand(3));
    if (Site.empty() || Instance.empty() || !Bytes || !Alignment ||
        !isPowerOf2_64(Alignment->getZExtValue())) {
      // The portability check tells the user.
      Call->setCalledFunction(
          M.getOrInsertFunction(MarkerName, Call->getFunctionType()));
      continue;
    }
    Align A(Alignment->getZExtValue());
    std::string Key = (Call->getCalledFunction()->getName() + Site + Instance +
                       Twine(Bytes->getZExtValue()) + "," + Twine(A.value()))
                          .str();
    GlobalVariable *&G = Known[Key];
    if (!G) {
      G = declareShared(M, "ferry.shared." + Twine(Program.Shared.size()),
                        Bytes->getZExtValue(), A);
      Program.Shared.push_back({G->getName().str(), Bytes->getZExtValue(), A});
    }
    Call->replaceAllUsesWith(G);
    Call->eraseFromParent();
  }
}

void describeCollectives(Module &M) {
  for (Function &F : M) {
    std::optional<Collective> C = collectiveFor(F);
    if (!C)
      continue;
    F.addFnAttr(Attribute::Convergent);
    F.setDoesNotThrow();
    F.addFnAttr(Attribute::WillReturn);
    if (*C != Collective::SyncThreads)
      F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
  for (StringRef Name : {MarkerName, StringLiteral("__ferry_dynamic_shared")})
    if (Function *F = M.getFunction(Name)) {
      F->setDoesNotThrow();
      F->setDoesNotAccessMemory();
      F->addFnAttr(Attribute::WillReturn);
      F->addRetAttr(Attribute::NonNull);
    }

  // Whoever calls a collective is one.
  SmallVector<Function *> Queue;
  for (Function &F : M)
    if (F.isConvergent())
      Queue.push_back(&F);
  while (!Queue.empty())
    for (User *U : Queue.pop_back_val()->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && !Call->getFunction()->isConvergent()) {
        Call->getFunction()->addFnAttr(Attribute::Convergent);
        Queue.push_back(Call->getFunction());
      }
}

} // namespace ferry
