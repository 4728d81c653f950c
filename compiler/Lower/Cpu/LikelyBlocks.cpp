//===- LikelyBlocks.cpp - Block sizes that host code gives ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `blocks(n).threads(16, 16)` says the size of a block in the source, but when
// Ferry sees the launch nothing has been inlined, and its operands are loaded
// from an object that somebody else has filled. Loops over a block's threads
// are much better when their trip counts are known: a row of threads is one
// register, without a loop around it and without what remains.
//
// So host code is simplified on the side, by LLVM's own inliner: a copy of the
// functions that lead to a launch, and of the small ones that those call. Where
// a launch's block is made of constants afterwards, that is most likely the
// block. It is no more than that: calls that have not been inlined are taken to
// change nothing, and the same launch can be reached on other ways, from other
// files too. So whoever uses it tests it when the kernel runs.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/LikelyBlocks.h"
#include "Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

/// Front ends have a few functions between the marker and the user's code.
static constexpr unsigned MostCallers = 6, MostCallees = 6;
/// What is larger says nothing about a shape that is worth the time.
static constexpr unsigned LargestCaller = 5000, LargestCallee = 150,
                          MostFunctions = 1000;
/// Threads of a block.
static constexpr uint64_t MostThreads = 1024;

/// Stands in a marker's place: (i32 launch, i64 block x, y, z).
static constexpr StringLiteral ShapeName = "ferry.launch.block";

using Functions = SmallSetVector<Function *, 32>;

static bool isUsable(const Function &F, unsigned Largest) {
  return !F.isDeclaration() && F.getInstructionCount() <= Largest;
}

/// The functions around the launches and those that call them, in steps.
static Functions callersOf(ArrayRef<const Launch *> Launches) {
  Functions Found;
  for (const Launch *L : Launches)
    Found.insert(L->Call->getFunction());
  unsigned Begin = 0;
  for (unsigned Step = 0; Step != MostCallers; ++Step) {
    unsigned End = Found.size();
    for (; Begin != End; ++Begin)
      for (User *U : Found[Begin]->users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && Call->getCalledOperand() == Found[Begin] &&
            isUsable(*Call->getFunction(), LargestCaller) &&
            Found.size() < MostFunctions)
          Found.insert(Call->getFunction());
  }
  return Found;
}

/// Adds what they call, in steps.
static void addCallees(Functions &Found) {
  unsigned Begin = 0;
  for (unsigned Step = 0; Step != MostCallees; ++Step) {
    unsigned End = Found.size();
    for (; Begin != End; ++Begin)
      for (Instruction &I : instructions(*Found[Begin]))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = Call->getCalledFunction();
              Callee && isUsable(*Callee, LargestCallee) &&
              Found.size() < MostFunctions)
            Found.insert(Callee);
  }
}

/// Puts a call that looks at the block's sides alone in the marker's place.
static void replaceMarker(CallBase &Marker, const Launch &L, unsigned Number,
                          FunctionCallee Shape) {
  IRBuilder<> B(&Marker);
  SmallVector<Value *> Args{B.getInt32(Number)};
  for (Value *Side : L.Block) {
    auto *Operand = find(L.Call->args(), Side);
    Args.push_back(Marker.getArgOperand(Operand - L.Call->arg_begin()));
  }
  CallInst *Call = B.CreateCall(Shape, Args);
  Call->addFnAttr(Attribute::NoMerge); // with another launch's
  Marker.replaceAllUsesWith(Call);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Marker))
    changeToCall(Invoke)->eraseFromParent();
  else
    Marker.eraseFromParent();
}

/// The block of these sides, if it is one that can run.
static std::optional<KnownShape> constantBlock(const Value *X, const Value *Y,
                                               const Value *Z) {
  const Value *Sides[] = {X, Y, Z};
  KnownShape Known;
  uint64_t Threads = 1;
  for (unsigned D = 0; D != 3; ++D) {
    auto *Side = dyn_cast<ConstantInt>(Sides[D]);
    if (!Side || Side->isZero() || Side->getValue().ugt(MostThreads))
      return std::nullopt;
    Known.Block[D] = Side->getZExtValue();
    Threads *= *Known.Block[D];
  }
  if (Threads > MostThreads)
    return std::nullopt;
  return Known;
}

/// A copy of the functions and of the constants that they may read.
static std::unique_ptr<Module> copyOf(Module &M, const Functions &Wanted,
                                      ValueToValueMapTy &Copy) {
  std::unique_ptr<Module> New = CloneModule(M, Copy, [&](const GlobalValue *G) {
    if (auto *Variable = dyn_cast<GlobalVariable>(G))
      return Variable->isConstant();
    auto *F = dyn_cast<Function>(G);
    return F && Wanted.contains(const_cast<Function *>(F));
  });
  StripDebugInfo(*New);
  for (Function &F : *New) { // -O0 code says so of everything
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
  }
  return New;
}

/// Says that the calls that are left in `F` change none of its variables.
static void trustCalls(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    for (unsigned Arg = 0; Arg != Call->arg_size(); ++Arg)
      if (Call->getArgOperand(Arg)->getType()->isPointerTy()) {
        Call->addParamAttr(Arg, Attribute::ReadOnly);
        Call->addParamAttr(Arg, Attribute::getWithCaptureInfo(
                                    F.getContext(), CaptureInfo::none()));
      }
  }
}

/// Inlines, and finds out what `Shape` is called with.
static void simplify(Module &M, const Function &Shape) {
  PassBuilder PB;
  FunctionPassManager Cleaning;
  Cleaning.addPass(SROAPass(SROAOptions::ModifyCFG));
  Cleaning.addPass(EarlyCSEPass());
  Cleaning.addPass(SimplifyCFGPass());
  ModuleInlinerWrapperPass Inliner;
  Inliner.getPM().addPass(
      createCGSCCToFunctionPassAdaptor(std::move(Cleaning)));
  ModulePassManager Inlining;
  Inlining.addPass(std::move(Inliner));
  runPasses(M, Inlining, PB);
  // What checks a shape is not inlined and is given its address.
  for (const User *U : Shape.users())
    trustCalls(*const_cast<Function *>(cast<CallBase>(U)->getFunction()));
  FunctionPassManager Forwarding;
  Forwarding.addPass(GVNPass());
  Forwarding.addPass(InstCombinePass());
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Forwarding)));
  runPasses(M, Passes, PB);
}

std::vector<std::optional<KnownShape>>
likelyBlocks(const LaunchPlan &Plan, const DeviceProgram &Program) {
  std::vector<std::optional<KnownShape>> Result(Plan.Kernels.size());
  SmallVector<const Launch *> Launches;
  for (const Launch &L : Plan.Launches) {
    if (Plan.Kernels[L.KernelIndex].LaunchShape != Shape::Blocks ||
        !Program.Kernels[L.KernelIndex].HasCollectives ||
        all_of(knownShape(Plan, L.KernelIndex).Block,
               [](auto &Side) { return Side.has_value(); }))
      continue;
    std::optional<KnownShape> &Likely = Result[L.KernelIndex];
    if (!Likely)
      Likely = constantBlock(L.Block[0], L.Block[1], L.Block[2]);
    if (!Likely)
      Launches.push_back(&L);
  }
  if (Launches.empty())
    return Result;

  Functions Wanted = callersOf(Launches);
  SmallVector<Function *> Callers(Wanted.begin(), Wanted.end());
  addCallees(Wanted);
  ValueToValueMapTy Copy;
  std::unique_ptr<Module> M =
      copyOf(*Launches.front()->Call->getModule(), Wanted, Copy);
  for (Function *F : Callers) {
    auto *New = cast<Function>(Copy.lookup(F));
    New->addFnAttr(Attribute::AlwaysInline);
    // Who calls it, or takes its address, may not be in the copy.
    New->setComdat(nullptr);
    New->setLinkage(GlobalValue::ExternalLinkage);
  }
  Type *I32 = Type::getInt32Ty(M->getContext());
  Type *I64 = Type::getInt64Ty(M->getContext());
  FunctionCallee Shape = M->getOrInsertFunction(
      ShapeName, Launches.front()->Call->getType(), I32, I64, I64, I64);
  cast<Function>(Shape.getCallee())->setDoesNotThrow();
  for (auto [I, L] : enumerate(Launches))
    replaceMarker(*cast<CallBase>(Copy.lookup(L->Call)), *L, I, Shape);

  simplify(*M, *cast<Function>(Shape.getCallee()));
  for (const User *U : Shape.getCallee()->users()) {
    auto &Call = *cast<CallBase>(U);
    auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
    if (!Number)
      continue;
    std::optional<KnownShape> &Likely =
        Result[Launches[Number->getZExtValue()]->KernelIndex];
    if (!Likely)
      Likely = constantBlock(Call.getArgOperand(1), Call.getArgOperand(2),
                             Call.getArgOperand(3));
  }
  return Result;
}

} // namespace ferry
