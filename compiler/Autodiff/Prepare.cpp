//===- Prepare.cpp - A function made ready to be differentiated -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives are made from a copy of the user's function in SSA form, so that
// they are the same at every -O level. The copy is made of raw IR where the
// plugin runs in clang; the passes that it goes through are chosen not to hide
// what memory holds: InstCombine, for one, turns a copied double into an i64.
//
// All calls are part of it but recursive ones. Objects that are passed on by
// their address, iterators and closures among them, then are variables in which
// constant pointers stand beside others and can be told apart.
//
// `!noalias` and `!alias.scope` of an inlined callee hold for one execution of
// its body; a derivative brings several executions together. They are dropped.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Prepare.h"
#include "Autodiff/Callees.h"
#include "Autodiff/Helpers.h"
#include "Autodiff/MemoryTypes.h"
#include "Autodiff/Request.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace ferry::ad {

Passes::Passes() {
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
}

void Passes::simplify(Function &F) {
  FunctionPassManager P;
  P.addPass(SROAPass(SROAOptions::PreserveCFG));
  P.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  P.addPass(SimplifyCFGPass());
  P.addPass(SROAPass(SROAOptions::PreserveCFG));
  P.addPass(ADCEPass());
  P.addPass(LoopSimplifyPass());
  P.run(F, Functions);
  Functions.clear(F, F.getName());
}

void Passes::threadJumps(Function &F) {
  FunctionPassManager P;
  P.addPass(LowerExpectIntrinsicPass());
  P.addPass(JumpThreadingPass());
  P.run(F, Functions);
  Functions.clear(F, F.getName());
}

void Passes::hoist(Function &F) {
  LoopPassManager Rotation, Motion;
  Rotation.addPass(LoopRotatePass());
  Motion.addPass(LICMPass(LICMOptions()));
  FunctionPassManager P;
  P.addPass(createFunctionToLoopPassAdaptor(std::move(Rotation)));
  P.addPass(createFunctionToLoopPassAdaptor(std::move(Motion),
                                            /*UseMemorySSA=*/true));
  P.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  P.addPass(SimplifyCFGPass());
  P.addPass(ADCEPass());
  P.addPass(LoopSimplifyPass());
  P.run(F, Functions);
  Functions.clear(F, F.getName());
}

void Passes::optimise(Function &F) {
  // Variables were for messages. A debugger that stops in a derivative would
  // show them with values of one sweep or the other.
  for (Instruction &I : instructions(F))
    I.dropDbgRecords();
  FunctionPassManager P;
  P.addPass(SROAPass(SROAOptions::PreserveCFG));
  P.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  P.addPass(InstCombinePass());
  P.addPass(SimplifyCFGPass());
  P.addPass(ADCEPass());
  P.run(F, Functions);
  Functions.clear(F, F.getName());
}

void dropPromises(Function &F) {
  AttributeMask OfFunction;
  for (Attribute::AttrKind Kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
        Attribute::InlineHint, Attribute::Memory, Attribute::NoFree,
        Attribute::WillReturn, Attribute::Speculatable, Attribute::NoSync,
        Attribute::NoRecurse, Attribute::ReturnsTwice})
    OfFunction.addAttribute(Kind);
  F.removeFnAttrs(OfFunction);
  AttributeMask OfValues;
  for (Attribute::AttrKind Kind :
       {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly,
        Attribute::Captures, Attribute::Returned, Attribute::NoFree,
        Attribute::Writable, Attribute::DeadOnUnwind, Attribute::Initializes,
        Attribute::NonNull, Attribute::NoUndef, Attribute::Dereferenceable,
        Attribute::DereferenceableOrNull, Attribute::NoFPClass,
        Attribute::Range})
    OfValues.addAttribute(Kind);
  for (Argument &A : F.args())
    A.removeAttrs(OfValues);
  F.removeRetAttrs(OfValues);
}

/// Loads and stores of whole structs become loads and stores of their members:
/// a pointer and a number side by side are differentiated differently.
static void splitAggregates(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I) && getLoadStoreType(&I)->isAggregateType())
      Accesses.push_back(&I);
  while (!Accesses.empty()) {
    Instruction *I = Accesses.pop_back_val();
    IRBuilder<> B(I);
    Type *T = getLoadStoreType(I);
    Value *P = getLoadStorePointerOperand(I);
    Align A = getLoadStoreAlignment(I);
    auto Members =
        static_cast<unsigned>(isa<StructType>(T) ? T->getStructNumElements()
                                                 : T->getArrayNumElements());
    Value *Whole = isa<LoadInst>(I) ? PoisonValue::get(T) : I->getOperand(0);
    for (unsigned M = 0; M != Members; ++M) {
      Type *Member = GetElementPtrInst::getTypeAtIndex(T, uint64_t(M));
      uint64_t Offset =
          isa<StructType>(T)
              ? DL.getStructLayout(cast<StructType>(T))->getElementOffset(M)
              : M * DL.getTypeAllocSize(Member);
      Value *At =
          Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), P, Offset) : P;
      Align MemberAlign = commonAlignment(A, Offset);
      Instruction *Access;
      if (isa<LoadInst>(I)) {
        auto *Load = B.CreateAlignedLoad(Member, At, MemberAlign);
        Whole = B.CreateInsertValue(Whole, Load, M);
        Access = Load;
      } else {
        Value *Part = B.CreateExtractValue(Whole, M);
        Access = B.CreateAlignedStore(Part, At, MemberAlign);
      }
      if (Member->isAggregateType())
        Accesses.push_back(Access);
    }
    if (isa<LoadInst>(I))
      I->replaceAllUsesWith(Whole);
    I->eraseFromParent();
  }
}

/// The operation of which `Id` is the reduction of a vector, an intrinsic or,
/// for products, an instruction.
static Value *reduceStep(IRBuilder<> &B, Intrinsic::ID Id, Value *X, Value *Y) {
  switch (Id) {
  case Intrinsic::vector_reduce_fmul:
    return B.CreateFMul(X, Y);
  case Intrinsic::vector_reduce_fmax:
    return B.CreateBinaryIntrinsic(Intrinsic::maxnum, X, Y);
  case Intrinsic::vector_reduce_fmin:
    return B.CreateBinaryIntrinsic(Intrinsic::minnum, X, Y);
  case Intrinsic::vector_reduce_fmaximum:
    return B.CreateBinaryIntrinsic(Intrinsic::maximum, X, Y);
  case Intrinsic::vector_reduce_fminimum:
    return B.CreateBinaryIntrinsic(Intrinsic::minimum, X, Y);
  default:
    return nullptr;
  }
}

/// Products, minima and maxima of a vector's elements, element by element: each
/// step has a rule.
static void expandReductions(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !Call->getType()->isFloatingPointTy())
      continue;
    IRBuilder<> B(Call);
    B.setFastMathFlags(Call->getFastMathFlags());
    Intrinsic::ID Id = Call->getIntrinsicID();
    Value *Vector =
        Call->arg_size() ? Call->getArgOperand(Call->arg_size() - 1) : nullptr;
    auto *T = Vector ? dyn_cast<FixedVectorType>(Vector->getType()) : nullptr;
    if (!T || !Intrinsic::getBaseName(Id).starts_with("llvm.vector.reduce.f") ||
        Id == Intrinsic::vector_reduce_fadd)
      continue;
    // A product has a first factor.
    unsigned Next = Call->arg_size() == 2 ? 0 : 1;
    Value *Result = Next ? B.CreateExtractElement(Vector, uint64_t(0))
                         : Call->getArgOperand(0);
    for (; Result && Next != T->getNumElements(); ++Next)
      Result = reduceStep(B, Id, Result, B.CreateExtractElement(Vector, Next));
    if (!Result)
      continue;
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

static void dropScopes(Function &F) {
  SmallVector<Instruction *> Dead;
  for (Instruction &I : instructions(F)) {
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
    I.setMetadata(LLVMContext::MD_access_group, nullptr);
    if (auto *Call = dyn_cast<CallInst>(&I))
      Call->setTailCallKind(CallInst::TCK_None);
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (isa<LifetimeIntrinsic, NoAliasScopeDeclInst>(I) ||
          (isHint(*Call) && Call->use_empty()))
        Dead.push_back(&I);
  }
  for (Instruction *I : Dead)
    I->eraseFromParent();
}

/// Rust's realloc knows the old size, so it can be an allocation and a copy.
static void expandRealloc(CallBase &Call) {
  Function *Callee = calledFunction(Call);
  if (!Callee || !isRustRealloc(*Callee) || Call.arg_size() != 4)
    return;
  Call.setCalledFunction(rustReallocFunction(*Callee));
  Call.setAttributes(AttributeList());
}

static constexpr StringRef LostMark = "ferry.lost";

bool isLost(const BasicBlock &BB) {
  return BB.getTerminator()->hasMetadata(LostMark);
}

/// Marks the blocks from which no way leads to a return. In forward mode a
/// caller may catch what is thrown there, and goes on with what was written
/// before; a panic of Rust is not caught inside of what is differentiated.
static void markLostBlocks(Function &F) {
  SmallPtrSet<const BasicBlock *, 16> Returning;
  SmallVector<const BasicBlock *> Work;
  for (const BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()))
      Work.push_back(&BB);
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (Returning.insert(BB).second)
      Work.append(pred_begin(BB), pred_end(BB));
  }
  MDNode *Mark = MDNode::get(F.getContext(), {});
  for (BasicBlock &BB : F)
    if (!Returning.contains(&BB))
      BB.getTerminator()->setMetadata(LostMark, Mark);
}

/// The entries of `History` that led to the call number `I`.
static bool isRecursive(const Function *Callee,
                        ArrayRef<std::pair<Function *, int>> History, int I) {
  for (; I >= 0; I = History[I].second)
    if (History[I].first == Callee)
      return true;
  return false;
}

/// Brings the bodies of defined functions into `F`, those that they call too,
/// but for those in `Recursive`, which grows, and, in Rust, those that never
/// return: what a panic does is not differentiated, and where all of std is
/// visible it is a program of its own. Whether there were any.
static bool inlineCalls(Function &F, SmallPtrSetImpl<Function *> &Recursive,
                        bool IsRust) {
  std::vector<std::pair<Function *, int>> History;
  std::vector<std::pair<CallBase *, int>> Work;
  auto Push = [&](CallBase &Call, int From) {
    if (expandComplex(Call) || (IsRust && Call.doesNotReturn()))
      return;
    expandRealloc(Call);
    if (classify(Call) == Callee::Defined)
      Work.emplace_back(&Call, From);
  };
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Push(*Call, -1);
  for (size_t Next = 0; Next != Work.size(); ++Next) {
    auto [Call, From] = Work[Next];
    Function *Callee = calledFunction(*Call);
    if (isRecursive(Callee, History, From))
      Recursive.insert(Callee);
    if (Recursive.contains(Callee))
      continue;
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info, /*MergeAttributes=*/false).isSuccess())
      continue;
    History.emplace_back(Callee, From);
    for (CallBase *Inner : Info.InlinedCallSites)
      Push(*Inner, static_cast<int>(History.size()) - 1);
  }
  return !History.empty();
}

/// All returns become one.
static void unifyReturns(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(Return);
  if (Returns.size() < 2)
    return;
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "exit", &F));
  PHINode *Result = nullptr;
  if (!F.getReturnType()->isVoidTy())
    Result =
        B.CreatePHI(F.getReturnType(), static_cast<unsigned>(Returns.size()));
  Instruction *Last = Result ? B.CreateRet(Result) : B.CreateRetVoid();
  for (ReturnInst *Return : Returns) {
    if (Result)
      Result->addIncoming(Return->getReturnValue(), Return->getParent());
    IRBuilder<>(Return).CreateBr(Last->getParent());
    Return->eraseFromParent();
  }
}

Function *prepare(Function &F, bool ForReverse, Passes &P) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + ".ferry.copy");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setComdat(nullptr);
  dropPromises(*Copy);
  // What was a pointer to a function is often known when its way through
  // arguments and variables is gone; then there is more to inline.
  SmallPtrSet<Function *, 4> Recursive = {&F};
  bool IsRust = F.getName().starts_with("_R");
  for (unsigned Round = 0; Round != 8; ++Round) {
    bool Inlined = inlineCalls(*Copy, Recursive, IsRust);
    if (!Inlined && Round)
      break;
    expandUnlessZero(*Copy);
    dropScopes(*Copy);
    P.simplify(*Copy);
  }
  if (keepsPointersAsIntegers(*Copy)) {
    P.threadJumps(*Copy);
    restorePointers(*Copy);
    P.simplify(*Copy);
  }
  if (ForReverse)
    P.hoist(*Copy);
  else
    for (Argument &A : Copy->args())
      A.removeAttr(Attribute::NoAlias);
  removeUnreachableBlocks(*Copy);
  splitAggregates(*Copy);
  expandReductions(*Copy);
  if (ForReverse)
    unifyReturns(*Copy);
  if (ForReverse || IsRust)
    markLostBlocks(*Copy);
  if (ForReverse)
    retypeCopies(*Copy);
  return Copy;
}

} // namespace ferry::ad
