//===- Neutral.cpp - Host code without the host ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a front end writes into a function because it is for a host: a CPU and
// its features, unwinding, stack protection, calling conventions, counters for
// profiling. None of it means anything on a device, and some of it keeps the
// inliner from its work. What a host's code cannot say is added: that thread
// queries are pure, and that nobody reads errno.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Outline/Outline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

/// Attributes that speak of the host, or that forbid what a device needs.
static AttributeMask hostAttributes(const AttributeSet &Set) {
  static const Attribute::AttrKind Kinds[] = {
      Attribute::NoInline,        Attribute::OptimizeNone,
      Attribute::OptimizeForSize, Attribute::MinSize,
      Attribute::UWTable,         Attribute::StackProtect,
      Attribute::StackProtectReq, Attribute::StackProtectStrong,
      Attribute::NonLazyBind,     Attribute::NoRedZone,
      Attribute::InlineHint,      Attribute::AlwaysInline,
      Attribute::NoImplicitFloat, Attribute::SafeStack,
      Attribute::ShadowCallStack, Attribute::JumpTable,
      Attribute::NoCfCheck,       Attribute::NoProfile};
  AttributeMask Mask;
  for (Attribute::AttrKind Kind : Kinds)
    Mask.addAttribute(Kind);
  for (Attribute A : Set)
    if (A.isStringAttribute() && !A.getKindAsString().contains("fp-math"))
      Mask.addAttribute(A.getKindAsString());
  return Mask;
}

/// A landing pad that resumes the program elsewhere, as opposed to one that
/// only runs destructors or terminates.
static bool catches(const InvokeInst &Invoke) {
  const LandingPadInst *Pad = Invoke.getLandingPadInst();
  if (!Pad)
    return true;
  bool HasCatch = false;
  for (unsigned I = 0; I != Pad->getNumClauses(); ++I)
    HasCatch |= Pad->isCatch(I);
  if (!HasCatch)
    return false;
  for (const Instruction &I : *Pad->getParent())
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *F = calledFunction(*Call))
        if (F->getName() == "__clang_call_terminate")
          return false;
  return true;
}

/// invoke becomes call. Where a handler is lost by that, a call of
/// __ferry_catch_handler stays behind for the portability check to find.
static void dropExceptions(Function &F) {
  SmallVector<InvokeInst *> Invokes;
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()))
      Invokes.push_back(Invoke);
  for (InvokeInst *Invoke : Invokes) {
    if (catches(*Invoke) && !Invoke->doesNotThrow()) {
      FunctionCallee Handler = F.getParent()->getOrInsertFunction(
          "__ferry_catch_handler", Type::getVoidTy(F.getContext()));
      CallInst::Create(Handler, "", Invoke->getIterator())
          ->setDebugLoc(Invoke->getDebugLoc());
    }
    changeToCall(Invoke);
  }
  F.setPersonalityFn(nullptr);
  removeUnreachableBlocks(F);
}

/// Whatever follows a panic never runs, whether or not the entry says so.
/// A thrown exception's object is built between its allocation and the throw;
/// the thread already ends at the allocation.
static void cutAfterPanics(Function &F) {
  SmallVector<CallInst *> Cuts;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = calledFunction(*Call))
        if (isPanicEntry(*Callee))
          Cuts.push_back(Call);
  for (CallInst *Call : Cuts) {
    if (!Call->getParent()) // went with an earlier cut of its block
      continue;
    if (calledFunction(*Call)->getName() == "__cxa_allocate_exception") {
      // Remember what is thrown: the throw itself is about to go.
      for (User *U : Call->users())
        if (auto *Throw = dyn_cast<CallBase>(U))
          if (const Function *Thrower = calledFunction(*Throw);
              Thrower && Thrower->getName() == "__cxa_throw") {
            FunctionCallee Report = F.getParent()->getOrInsertFunction(
                "__cxa_throw", Thrower->getFunctionType());
            Value *Null =
                ConstantPointerNull::get(PointerType::get(F.getContext(), 0));
            auto *Replacement =
                CallInst::Create(Report, {Null, Throw->getArgOperand(1), Null},
                                 "", Call->getIterator());
            Replacement->setDebugLoc(Throw->getDebugLoc());
            changeToUnreachable(Call);
            break;
          }
      continue;
    }
    Instruction *Next = Call->getNextNode();
    if (!isa<UnreachableInst>(Next))
      changeToUnreachable(Next);
  }
  removeUnreachableBlocks(F);
}

/// Removes what serves the host: profile counters, annotations, pauses, and
/// inline assembly without instructions, which only fences the optimiser.
static void dropInstrumentation(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    switch (Call->getIntrinsicID()) {
    case Intrinsic::instrprof_increment:
    case Intrinsic::instrprof_increment_step:
    case Intrinsic::instrprof_cover:
    case Intrinsic::instrprof_callsite:
    case Intrinsic::instrprof_timestamp:
    case Intrinsic::instrprof_value_profile:
    case Intrinsic::instrprof_mcdc_parameters:
    case Intrinsic::instrprof_mcdc_tvbitmap_update:
    case Intrinsic::var_annotation:
    case Intrinsic::pseudoprobe:
      Call->eraseFromParent();
      continue;
    case Intrinsic::ptr_annotation:
      Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
      continue;
    default:
      break;
    }
    // The hint of a spinning loop.
    if (const Function *Callee = Call->getCalledFunction();
        Callee && Callee->getName() == "llvm.x86.sse2.pause") {
      Call->eraseFromParent();
      continue;
    }
    auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
    if (!Asm || !Asm->getAsmString().empty())
      continue;
    if (Call->getType()->isVoidTy()) {
      Call->eraseFromParent();
    } else if (Call->arg_size() == 1 &&
               Call->getArgOperand(0)->getType() == Call->getType()) {
      Call->replaceAllUsesWith(Call->getArgOperand(0)); // "+r"(x)
      Call->eraseFromParent();
    }
  }
}

static void makeNeutral(Function &F) {
  F.setComdat(nullptr);
  F.setSection("");
  F.setCallingConv(CallingConv::C);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setDSOLocal(false);
  F.removeFnAttrs(hostAttributes(F.getAttributes().getFnAttrs()));
  if (F.isDeclaration())
    return;
  F.setLinkage(GlobalValue::InternalLinkage);
  if (F.hasPrefixData())
    F.setPrefixData(nullptr);
  if (F.hasPrologueData())
    F.setPrologueData(nullptr);
  F.clearGC();
  dropExceptions(F);
  dropInstrumentation(F);
  cutAfterPanics(F);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Call->removeFnAttrs(hostAttributes(Call->getAttributes().getFnAttrs()));
      const Function *Callee = calledFunction(*Call);
      if (!Callee || !Callee->isIntrinsic())
        Call->setCallingConv(CallingConv::C);
    }
}

/// What the front ends' queries may be assumed to do, for languages that
/// cannot say so.
static void describeQueries(Module &M) {
  for (Function &F : M)
    if (queryFor(F)) {
      F.setDoesNotThrow();
      F.setDoesNotAccessMemory();
      F.addFnAttr(Attribute::WillReturn);
    }
}

/// On devices nobody reads errno, so a libm call is a pure function of its
/// arguments and can be vectorised. Said of the calls, since the declaration is
/// shared with the host when the CPU's code returns there.
static void describeMathCalls(Module &M) {
  TargetLibraryInfoImpl Impl(M.getTargetTriple());
  TargetLibraryInfo TLI(Impl);
  for (Function &F : M) {
    LibFunc Func;
    if (!F.isDeclaration() || F.isIntrinsic() || !TLI.getLibFunc(F, Func) ||
        !F.getReturnType()->isFloatingPointTy() ||
        any_of(F.args(),
               [](Argument &A) { return A.getType()->isPointerTy(); }))
      continue;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U)) {
        Call->setDoesNotAccessMemory();
        Call->setDoesNotThrow();
        Call->addFnAttr(Attribute::WillReturn);
      }
  }
}

/// Where front ends put variables that every image keeps for itself: they start
/// as zeros and no launch copies them.
static constexpr StringRef DeviceSection = "ferry.device";

static void neutraliseGlobals(DeviceProgram &Program, const Reach &Reached,
                              ValueToValueMapTy &VMap) {
  Module &M = *Program.M;
  for (const GlobalValue *Host : Reached.Values) {
    auto *HostVar = dyn_cast<GlobalVariable>(Host);
    if (!HostVar)
      continue;
    auto *Var = cast<GlobalVariable>(VMap[HostVar]);
    bool DeviceOnly = HostVar->getSection() == DeviceSection;
    Var->setComdat(nullptr);
    Var->setSection("");
    Var->setVisibility(GlobalValue::DefaultVisibility);
    Var->setDSOLocal(false);
    if (HostVar->isThreadLocal())
      continue; // for the portability check
    if (Var->isConstant() && Var->hasInitializer()) {
      Var->setLinkage(GlobalValue::InternalLinkage);
      continue;
    }
    if (DeviceOnly) {
      Var->setConstant(false);
      Var->setLinkage(GlobalValue::InternalLinkage);
      Var->setInitializer(Constant::getNullValue(Var->getValueType()));
      continue;
    }
    // A virtual table or type description of another file is no data to copy.
    if (!Var->getValueType()->isSized() ||
        HostVar->getName().starts_with("_ZT"))
      continue;
    SharedGlobal Shared;
    Shared.Host = const_cast<GlobalVariable *>(HostVar);
    Shared.Name = userName(HostVar->getName());
    Shared.Symbol = "ferry_global_";
    for (char C : HostVar->getName())
      Shared.Symbol += isAlnum(C) ? C : '_';
    Var->setConstant(false);
    Var->setExternallyInitialized(true);
    Var->setLinkage(GlobalValue::ExternalLinkage);
    Var->setInitializer(Constant::getNullValue(Var->getValueType()));
    Var->setName(Shared.Symbol);
    Shared.Symbol = Var->getName().str();
    Program.Globals.push_back(std::move(Shared));
  }
  // Type descriptions stay on the host: virtual tables point to nothing there.
  for (GlobalVariable &Var : make_early_inc_range(M.globals()))
    if (Var.isDeclaration() && Var.getName().starts_with("_ZTI"))
      for (User *U : make_early_inc_range(Var.users()))
        if (auto *C = dyn_cast<Constant>(U); C && !isa<GlobalValue>(C))
          C->handleOperandChange(&Var, Constant::getNullValue(Var.getType()));
}

void makeNeutral(DeviceProgram &Program, const Reach &Reached,
                 ValueToValueMapTy &VMap) {
  for (Function &F : *Program.M)
    makeNeutral(F);
  neutraliseGlobals(Program, Reached, VMap);
  describeQueries(*Program.M);
  describeCollectives(*Program.M);
  describeMathCalls(*Program.M);
}

} // namespace ferry
