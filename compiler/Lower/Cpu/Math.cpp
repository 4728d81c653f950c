//===- Math.cpp - Mathematical functions in the CPU's kernels -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel calls `expf`, or has the intrinsic llvm.exp.f32 where its compiler
// knew the function. Either is one row of a table, and where Math/Math.c has
// the function its body takes the call's place, so that the loop around it can
// be vectorised. What it does not have stays a call of the C library, as do
// calls in code that watches the rounding mode.
//
// The only branch in these bodies is around a call out of line, for arguments
// that hardly ever occur. LLVM's loop vectoriser refuses calls unless they have
// vector forms, so each gets some: they call for every lane whose mask is set,
// and do nothing when none is. After optimisation they are inlined, which
// leaves one test of the mask in the loop.
//
// A call's fast-math flags have no bearing on the body: they are permissions
// for the call, and the body relies on the order of its operations.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ferry {

static constexpr unsigned char Plain[] = {
#include "CpuMath.inc"
};
static constexpr unsigned char Fused[] = {
#include "CpuMathFma.inc"
};

/// In the names of vector forms.
static constexpr StringLiteral Suffix = ".ferry-lanes.";
/// Floats in the widest register, twice.
static constexpr unsigned MaxLanes = 32;
/// Instructions of Math.c's that one function may have.
static constexpr unsigned MaxInlined = 10000;

namespace {
struct MathRow {
  StringRef Name; ///< for double; the one for float ends in f
  unsigned Arguments;
  Intrinsic::ID Id = Intrinsic::not_intrinsic; ///< with the same operands
  StringRef InMath = {};                       ///< the name there, if another
  bool Rounds = false;                         ///< an instruction since SSE4.1
};

const MathRow Table[] = {
    {"sin", 1, Intrinsic::sin},
    {"cos", 1, Intrinsic::cos},
    {"tan", 1, Intrinsic::tan},
    {"asin", 1, Intrinsic::asin},
    {"acos", 1, Intrinsic::acos},
    {"atan", 1, Intrinsic::atan},
    {"atan2", 2, Intrinsic::atan2},
    {"sinh", 1, Intrinsic::sinh},
    {"cosh", 1, Intrinsic::cosh},
    {"tanh", 1, Intrinsic::tanh},
    {"asinh", 1},
    {"acosh", 1},
    {"atanh", 1},
    {"exp", 1, Intrinsic::exp},
    {"exp2", 1, Intrinsic::exp2},
    {"exp10", 1, Intrinsic::exp10},
    {"expm1", 1},
    {"log", 1, Intrinsic::log},
    {"log2", 1, Intrinsic::log2},
    {"log10", 1, Intrinsic::log10},
    {"log1p", 1},
    {"pow", 2, Intrinsic::pow},
    {"cbrt", 1},
    {"hypot", 2},
    {"erf", 1},
    {"erfc", 1},
    {"floor", 1, Intrinsic::floor, "floor", true},
    {"ceil", 1, Intrinsic::ceil, "ceil", true},
    {"trunc", 1, Intrinsic::trunc, "trunc", true},
    {"round", 1, Intrinsic::round, "round", true},
    {"rint", 1, Intrinsic::rint, "rint", true},
    {"nearbyint", 1, Intrinsic::nearbyint, "rint", true},
    {"roundeven", 1, Intrinsic::roundeven, "rint", true},
};

} // namespace

/// The name in Math.c for the mathematical function that `F` is; none if the
/// CPU has an instruction for it.
static std::string nameInMath(const Function &F, bool CpuRounds) {
  auto Takes = [&](unsigned Arguments, const Type *T) {
    const FunctionType *FT = F.getFunctionType();
    return (T->isFloatTy() || T->isDoubleTy()) && !FT->isVarArg() &&
           FT->getNumParams() == Arguments &&
           all_of(FT->params(), [&](Type *P) { return P == T; });
  };
  Type *T = F.getReturnType();
  for (const MathRow &Row : Table) {
    std::string Name = (Row.Name + (T->isFloatTy() ? "f" : "")).str();
    bool Same = F.isIntrinsic() ? F.getIntrinsicID() == Row.Id
                                : F.isDeclaration() && F.getName() == Name;
    if (!Same || !Takes(Row.Arguments, T))
      continue;
    if (Row.Rounds && CpuRounds)
      return "";
    StringRef InMath = Row.InMath.empty() ? Row.Name : Row.InMath;
    return ("__ferry_math_" + InMath + (T->isFloatTy() ? "f" : "")).str();
  }
  return "";
}

static bool watchesRounding(const CallInst &Call) {
  return Call.isStrictFP() ||
         Call.getFunction()->hasFnAttribute(Attribute::StrictFP);
}

/// sincos, which gives both, is the two functions side by side; what they have
/// in common is computed once after inlining.
static void splitSinCos(Module &M) {
  for (Function &F : M) {
    bool Intrinsic = F.getIntrinsicID() == Intrinsic::sincos;
    bool InC = F.isDeclaration() && F.arg_size() == 3 &&
               (F.getName() == "sincos" || F.getName() == "sincosf");
    if (!Intrinsic && !InC)
      continue;
    Type *T = F.getArg(0)->getType();
    if (!T->isFloatTy() && !T->isDoubleTy())
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != &F || watchesRounding(*Call))
        continue;
      IRBuilder<> B(Call);
      Value *X = Call->getArgOperand(0);
      Value *Sin = B.CreateUnaryIntrinsic(Intrinsic::sin, X);
      Value *Cos = B.CreateUnaryIntrinsic(Intrinsic::cos, X);
      if (Intrinsic) {
        Value *Both = PoisonValue::get(Call->getType());
        Both = B.CreateInsertValue(Both, Sin, 0);
        Call->replaceAllUsesWith(B.CreateInsertValue(Both, Cos, 1));
      } else {
        B.CreateStore(Sin, Call->getArgOperand(1));
        B.CreateStore(Cos, Call->getArgOperand(2));
      }
      Call->eraseFromParent();
    }
  }
}

/// Declares what is called under Math.c's names and lets the calls go there.
static SmallVector<CallInst *> redirect(Module &M, bool CpuRounds) {
  SmallVector<CallInst *> Calls;
  for (Function &F : M) {
    if (nameInMath(F, CpuRounds).empty())
      continue;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == &F && !watchesRounding(*Call) &&
          !Call->isMustTailCall())
        Calls.push_back(Call);
  }
  for (CallInst *Call : Calls) {
    Function *Old = Call->getCalledFunction();
    FunctionCallee New = M.getOrInsertFunction(nameInMath(*Old, CpuRounds),
                                               Call->getFunctionType());
    Call->setCalledFunction(New);
    Call->setAttributes({});
  }
  return Calls;
}

/// All functions with a body are compiled for the same CPU.
static const Function &anyBody(const Module &M) {
  return *find_if(M, [](const Function &F) { return !F.isDeclaration(); });
}

static Error linkMath(Module &M, bool HasFma) {
  StringRef Bytes(reinterpret_cast<const char *>(HasFma ? Fused : Plain),
                  HasFma ? sizeof(Fused) : sizeof(Plain));
  Expected<std::unique_ptr<Module>> Math = getLazyBitcodeModule(
      MemoryBufferRef(Bytes, "ferry math"), M.getContext());
  if (!Math)
    return Math.takeError();
  (*Math)->setTargetTriple(M.getTargetTriple());
  (*Math)->setDataLayout(M.getDataLayout());
  // How Math.c was compiled does not bind the program.
  if (Error E = (*Math)->materializeMetadata())
    return E;
  if (NamedMDNode *Flags = (*Math)->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  if (Linker::linkModules(M, std::move(*Math), Linker::LinkOnlyNeeded))
    return createStringError("internal error: cannot link Ferry's mathematics");
  return Error::success();
}

/// `<Lanes x T> (<Lanes x T> x, <Lanes x i1> mask)`: F(x) where the mask says
/// so.
static Function *makeVectorForm(Function &F, unsigned Lanes) {
  Module &M = *F.getParent();
  IRBuilder<> B(M.getContext());
  auto *Values = FixedVectorType::get(F.getReturnType(), Lanes);
  auto *Masks = FixedVectorType::get(B.getInt1Ty(), Lanes);
  auto *Form = Function::Create(
      FunctionType::get(Values, {Values, Masks}, false),
      GlobalValue::ExternalLinkage, F.getName() + Suffix + Twine(Lanes), M);
  // Of the function, not of its argument: lanes that are off may have poison.
  AttrBuilder Attributes(M.getContext(), F.getAttributes().getFnAttrs());
  Form->addFnAttrs(Attributes);
  Argument *X = Form->getArg(0), *Mask = Form->getArg(1);
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(M.getContext(), Name, Form);
  };
  BasicBlock *Entry = Block("entry"), *Lane = Block("lane"),
             *Active = Block("active"), *Next = Block("next"),
             *Exit = Block("exit");

  B.SetInsertPoint(Entry);
  MDNode *Rarely = MDBuilder(M.getContext()).createUnlikelyBranchWeights();
  B.CreateCondBr(B.CreateOrReduce(Mask), Lane, Exit, Rarely);

  B.SetInsertPoint(Lane);
  PHINode *Index = B.CreatePHI(B.getInt64Ty(), 2);
  PHINode *Before = B.CreatePHI(Values, 2);
  B.CreateCondBr(B.CreateExtractElement(Mask, Index), Active, Next);

  B.SetInsertPoint(Active);
  CallInst *Result = B.CreateCall(&F, B.CreateExtractElement(X, Index));
  Result->setCallingConv(F.getCallingConv());
  Value *With = B.CreateInsertElement(Before, Result, Index);
  B.CreateBr(Next);

  B.SetInsertPoint(Next);
  PHINode *After = B.CreatePHI(Values, 2);
  After->addIncoming(Before, Lane);
  After->addIncoming(With, Active);
  Value *Count = B.CreateAdd(Index, B.getInt64(1));
  Value *Last = B.CreateICmpEQ(Count, B.getInt64(Lanes));
  LLVMContext &Context = M.getContext();
  B.CreateCondBr(Last, Exit, Lane)
      ->setMetadata(
          LLVMContext::MD_loop,
          makePostTransformationMetadata(
              Context, nullptr, {},
              {MDNode::get(
                  Context,
                  MDString::get(Context, "llvm.loop.unroll.disable"))}));
  Index->addIncoming(B.getInt64(0), Entry);
  Index->addIncoming(Count, Next);
  Before->addIncoming(PoisonValue::get(Values), Entry);
  Before->addIncoming(After, Next);

  B.SetInsertPoint(Exit);
  PHINode *All = B.CreatePHI(Values, 2);
  All->addIncoming(PoisonValue::get(Values), Entry);
  All->addIncoming(After, Next);
  B.CreateRet(All);
  return Form;
}

/// Tells the vectoriser of the vector forms of `F`, in the way that the vector
/// function ABI has for it (llvm/IR/VFABIDemangler.h).
static void addVectorForms(Function &F) {
  SmallVector<std::string> Mappings;
  SmallVector<Function *> Forms;
  for (unsigned Lanes = 2; Lanes <= MaxLanes; Lanes *= 2) {
    Function *Form = makeVectorForm(F, Lanes);
    Forms.push_back(Form);
    Mappings.push_back(("_ZGV_LLVM_M" + Twine(Lanes) + "v_" + F.getName() +
                        "(" + Form->getName() + ")")
                           .str());
  }
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && !is_contained(Forms, Call->getFunction())) {
      Call->setAttributes({}); // nobuiltin, which would hide the forms
      VFABI::setVectorVariantNames(Call, Mappings);
    }
}

void finishMath(Module &M) {
  SmallVector<Function *> Forms;
  for (Function &F : M) {
    if (F.getName().contains(Suffix))
      Forms.push_back(&F);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Call->getFnAttr(VFABI::MappingsAttrName)
                      .getValueAsString()
                      .contains(Suffix))
        Call->removeFnAttr(VFABI::MappingsAttrName);
  }
  for (Function *Form : Forms) {
    for (User *U : make_early_inc_range(Form->users())) {
      InlineFunctionInfo Info;
      InlineFunction(*cast<CallInst>(U), Info);
    }
    Form->eraseFromParent();
  }
}

Error lowerMath(Module &M, const TargetMachine &Machine) {
  splitSinCos(M);
  const TargetSubtargetInfo &Cpu = *Machine.getSubtargetImpl(anyBody(M));
  SmallVector<CallInst *> Calls = redirect(M, Cpu.checkFeatures("+sse4.1"));
  if (Calls.empty())
    return Error::success();
  SmallPtrSet<const Function *, 32> Own;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Own.insert(&F);
  AttributeSet Host = anyBody(M).getAttributes().getFnAttrs();
  if (Error E = linkMath(M, Cpu.checkFeatures("+fma")))
    return E;

  // What came is compiled for the CPU that the kernels are compiled for.
  SmallVector<Function *> Came;
  for (Function &F : M) {
    if (F.isDeclaration() || Own.contains(&F))
      continue;
    AttrBuilder Attributes(M.getContext());
    for (Attribute A : F.getAttributes().getFnAttrs())
      if (!A.isStringAttribute())
        Attributes.addAttribute(A);
    for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                           "prefer-vector-width", "min-legal-vector-width"})
      if (Host.hasAttribute(Name))
        Attributes.addAttribute(Host.getAttribute(Name));
    F.setAttributes(F.getAttributes()
                        .removeFnAttributes(M.getContext())
                        .addFnAttributes(M.getContext(), Attributes));
    F.setLinkage(GlobalValue::InternalLinkage);
    Came.push_back(&F);
  }

  // A kernel with hundreds of calls would grow, and compile, out of bounds.
  DenseMap<const Function *, unsigned> Inlined;
  for (CallInst *Call : Calls) {
    Function *Callee = Call->getCalledFunction();
    unsigned &Total = Inlined[Call->getFunction()];
    if (Total > MaxInlined) {
      Callee->addFnAttr(Attribute::NoInline);
      continue;
    }
    Total += Callee->getInstructionCount();
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
  // Callees stand before their callers.
  for (Function *F : reverse(Came))
    if (F->use_empty())
      F->eraseFromParent();
    else if (F->getName().ends_with("Far"))
      addVectorForms(*F);
  return Error::success();
}

} // namespace ferry
