//===- Normalize.cpp - Host IR without what is the host's -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code was made for the host, and says so in many places: attributes name
// the host's processor, its stack probes and unwind tables; functions have the
// host's conventions; a struct by value is a `byval` pointer into the caller's
// frame, a thing that only the host's convention defines. All of that goes. A
// byval parameter becomes an ordinary pointer that the callee copies from at
// once, which means the same without a convention. What a function does not do
// (touch memory, return) goes as well: the optimizer finds it out again, and it
// would be wrong where queries and panics are about to use memory and return.
// GPUs have no jump to an address either: a computed goto becomes a switch over
// numbers that stand for its labels.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

/// String attributes that tell the arithmetic; all others describe the host.
static bool isAboutArithmetic(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"denormal-fp-math", "denormal-fp-math-f32"}, true)
      .Cases({"no-infs-fp-math", "no-nans-fp-math"}, true)
      .Cases({"no-signed-zeros-fp-math", "approx-func-fp-math"}, true)
      .Case("unsafe-fp-math", true)
      .Default(false);
}

static AttributeMask attributesToDrop(AttributeSet Attributes) {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind : {Attribute::NoInline,
                                   Attribute::OptimizeNone,
                                   Attribute::OptimizeForSize,
                                   Attribute::MinSize,
                                   Attribute::UWTable,
                                   Attribute::NonLazyBind,
                                   Attribute::NoRedZone,
                                   Attribute::NoImplicitFloat,
                                   Attribute::StackProtect,
                                   Attribute::StackProtectReq,
                                   Attribute::StackProtectStrong,
                                   Attribute::SafeStack,
                                   Attribute::ShadowCallStack,
                                   Attribute::SanitizeAddress,
                                   Attribute::SanitizeHWAddress,
                                   Attribute::SanitizeMemTag,
                                   Attribute::SanitizeMemory,
                                   Attribute::SanitizeThread,
                                   Attribute::NoCfCheck,
                                   Attribute::FnRetThunkExtern,
                                   Attribute::Memory,
                                   Attribute::Speculatable,
                                   Attribute::NoReturn,
                                   Attribute::WillReturn,
                                   Attribute::NoSync,
                                   Attribute::NoFree})
    Mask.addAttribute(Kind);
  for (Attribute A : Attributes)
    if (A.isStringAttribute() && !isAboutArithmetic(A.getKindAsString()))
      Mask.addAttribute(A.getKindAsString());
  return Mask;
}

/// Parameter attributes that speak of registers and frames.
static AttributeMask conventionAttributes() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::ByVal, Attribute::StructRet, Attribute::InReg,
        Attribute::Nest, Attribute::InAlloca, Attribute::SwiftSelf,
        Attribute::SwiftError})
    Mask.addAttribute(Kind);
  return Mask;
}

static void normalizeCall(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && (Callee->isIntrinsic() || queryFor(*Callee)))
    return;
  Call.setCallingConv(CallingConv::C);
  LLVMContext &Context = Call.getContext();
  AttributeList Attributes = Call.getAttributes();
  Attributes = Attributes.removeFnAttributes(
      Context, attributesToDrop(Attributes.getFnAttrs()));
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    Attributes =
        Attributes.removeParamAttributes(Context, I, conventionAttributes());
  Call.setAttributes(Attributes);
  if (auto *Plain = dyn_cast<CallInst>(&Call); Plain && Plain->isMustTailCall())
    Plain->setTailCallKind(CallInst::TCK_None);
}

/// Assembly without text only hides a value from the optimizer (Rust's
/// black_box); its register constraints are the host's. What it returns is what
/// it was given.
static void dropOptimizerBarrier(CallBase &Call) {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm->getAsmString().empty())
    return;
  if (!Call.getType()->isVoidTy()) {
    Use *Given = find_if(
        Call.args(), [&](Value *V) { return V->getType() == Call.getType(); });
    if (Given == Call.arg_end())
      return;
    Call.replaceAllUsesWith(*Given);
  }
  Call.eraseFromParent();
}

/// A byval parameter is the callee's own to change.
static void copyByValParameters(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Argument &A : F.args()) {
    Type *Pointee = A.getParamByValType();
    if (!Pointee)
      continue;
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Copy = B.CreateAlloca(Pointee, nullptr, A.getName());
    Align Alignment =
        std::max(A.getParamAlign().valueOrOne(), Copy->getAlign());
    Copy->setAlignment(Alignment);
    A.replaceAllUsesWith(Copy);
    B.CreateMemCpy(Copy, Alignment, &A, A.getParamAlign(),
                   DL.getTypeAllocSize(Pointee).getFixedValue());
  }
}

/// As LLVM's IndirectBrExpandPass, which runs for processors alone: labels
/// whose address is taken get numbers from 1 on, in place of addresses.
static void expandComputedGotos(Function &F) {
  SmallVector<IndirectBrInst *> Jumps;
  for (BasicBlock &Block : F)
    if (auto *Jump = dyn_cast<IndirectBrInst>(Block.getTerminator()))
      Jumps.push_back(Jump);
  IntegerType *Number = Type::getInt64Ty(F.getContext());
  DenseMap<BasicBlock *, ConstantInt *> Labels;
  for (BasicBlock &Block : F)
    if (BlockAddress *Address = BlockAddress::lookup(&Block)) {
      ConstantInt *Label = ConstantInt::get(Number, Labels.size() + 1);
      Labels[&Block] = Label;
      Address->replaceAllUsesWith(
          ConstantExpr::getIntToPtr(Label, Address->getType()));
      Address->destroyConstant();
    }
  for (IndirectBrInst *Jump : Jumps) {
    IRBuilder<> B(Jump);
    SmallPtrSet<BasicBlock *, 8> Targets;
    for (BasicBlock *Target : Jump->successors())
      if (Labels.contains(Target) && Targets.insert(Target).second)
        continue;
      else
        Target->removePredecessor(Jump->getParent());
    auto *Nowhere = BasicBlock::Create(F.getContext(), "nowhere", &F);
    new UnreachableInst(F.getContext(), Nowhere);
    SwitchInst *Switch = B.CreateSwitch(
        B.CreatePtrToInt(Jump->getAddress(), Number), Nowhere, Targets.size());
    for (BasicBlock *Target : Jump->successors())
      if (Targets.erase(Target))
        Switch->addCase(Labels[Target], Target);
    Jump->eraseFromParent();
  }
}

/// Instructions that only a host's compiler or processor heeds.
static bool isHint(const Instruction &I) {
  // A hint that NVPTX cannot select.
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::prefetch;
  // std::atomic_signal_fence; NVPTX knows no such scope.
  auto *Fence = dyn_cast<FenceInst>(&I);
  return Fence && Fence->getSyncScopeID() == SyncScope::SingleThread;
}

static void normalizeFunction(Function &F) {
  // Queries keep saying that they have no effects, till they are lowered.
  if (F.isIntrinsic() || queryFor(F))
    return;
  F.removeFnAttrs(attributesToDrop(F.getAttributes().getFnAttrs()));
  F.setCallingConv(CallingConv::C);
  F.setComdat(nullptr);
  F.setSection("");
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  if (F.isDeclaration())
    return;
  F.setPersonalityFn(nullptr);
  F.setPrefixData(nullptr);
  F.setPrologueData(nullptr);
  F.setLinkage(GlobalValue::InternalLinkage);
  copyByValParameters(F);
  for (unsigned I = 0; I != F.arg_size(); ++I)
    F.removeParamAttrs(I, conventionAttributes());
  expandComputedGotos(F);

  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isHint(I))
      I.eraseFromParent();
    else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (Call->isInlineAsm())
        dropOptimizerBarrier(*Call);
      else
        normalizeCall(*Call);
    }
  }
}

void normalize(Module &M) {
  StripDebugInfo(M);
  for (StringRef Name :
       {"llvm.module.flags", "llvm.ident", "llvm.linker.options",
        "llvm.commandline", "llvm.dependent-libraries"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
  for (Function &F : M)
    normalizeFunction(F);
  for (GlobalVariable &G : M.globals()) {
    G.setComdat(nullptr);
    G.setSection("");
    G.setVisibility(GlobalValue::DefaultVisibility);
  }
}

} // namespace ferry
