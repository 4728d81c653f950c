//===- Gpu.cpp - Device code for GPUs -------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program's module is cloned and rewritten step by step: the host's traits
// go, mathematics finds its library, memory finds its address spaces, kernels
// get their entries; then all that can be is inlined into those, and thread
// queries and panics become what the GPU has for them. LLVM's O3 pipeline, with
// the target's own passes in it, does the rest, and the result is put in an
// order that takes few registers.
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "Facts.h"
#include "Lower/DeviceKind.h"
#include "Lower/Prints.h"
#include "Machine.h"
#include "Ordering.h"
#include "Steps.h"
#include "ferry/runtime.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

static std::unique_ptr<GpuTarget> createGpuTarget(const Target &T) {
  return T.Kind == TargetKind::Nvptx ? createNvptxTarget(T)
                                     : createAmdgpuTarget(T);
}

/// The images' array of panic records, which the host finds by its name.
static GlobalVariable *addPanicRecords(Module &M, StringRef Symbol) {
  Type *Records = ArrayType::get(
      Type::getInt64Ty(M.getContext()),
      FERRY_PANIC_RECORDS * sizeof(ferry_panic_record) / sizeof(uint64_t));
  if (GlobalVariable *Named = M.getNamedGlobal(Symbol))
    Named->eraseFromParent();
  auto *G = new GlobalVariable(
      M, Records, /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantAggregateZero::get(Records), Symbol, nullptr,
      GlobalValue::NotThreadLocal, GlobalSpace);
  G->setAlignment(Align(alignof(ferry_panic_record)));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  return G;
}

/// Only the host's mutable globals keep a name that others can see.
static Error exportGlobals(Module &M, ArrayRef<SharedGlobal> Globals) {
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && !G.getName().starts_with("llvm."))
      G.setLinkage(GlobalValue::InternalLinkage);
  for (const SharedGlobal &Shared : Globals) {
    GlobalVariable *G = M.getNamedGlobal(Shared.Symbol);
    if (!G)
      return createStringError("internal error: no device copy of global '" +
                               Shared.Name + "'");
    if (G->isDeclaration())
      G->setInitializer(Constant::getNullValue(G->getValueType()));
    G->setConstant(false);
    G->setLinkage(GlobalValue::ExternalLinkage);
    G->setVisibility(GlobalValue::ProtectedVisibility);
  }
  return Error::success();
}

/// Instructions past which a function with all its callees inlined stays a
/// function, unless the optimizer finds that inlining pays.
static constexpr unsigned InlineLimit = 20000;

/// Calls are dear on GPUs, and pointers that cross them lose their address
/// space. So everything is inlined but recursion and what would grow too large.
static void markForInlining(Module &M) {
  CallGraph Graph(M);
  DenseMap<const Function *, unsigned> Size;
  for (auto Component = scc_begin(&Graph); !Component.isAtEnd(); ++Component) {
    Function *F = Component->front()->getFunction();
    if (!F || F->isDeclaration() || Component.hasCycle())
      continue;
    unsigned Total = F->getInstructionCount();
    for (auto &[Call, Callee] : *Component->front())
      Total += Size.lookup(Callee->getFunction());
    if (Total > InlineLimit)
      continue;
    Size[F] = Total;
    if (F->hasInternalLinkage())
      F->addFnAttr(Attribute::AlwaysInline);
  }
}

namespace {
/// A pass manager's furniture, built with the target's cost model.
class Optimizer {
public:
  Optimizer(Module &M, TargetMachine &Machine) : M(M), Builder(&Machine) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
  void inlineMarked() {
    ModulePassManager Passes;
    Passes.addPass(AlwaysInlinerPass());
    Passes.addPass(GlobalDCEPass());
    Passes.run(M, Modules);
  }
  /// Address spaces first: pointers that went through the kernel's frame lose
  /// their casts in SROA, and the better aliasing serves all that follows.
  void inferAddressSpaces() {
    forgetAnalyses();
    FunctionPassManager Early;
    Early.addPass(SROAPass(SROAOptions::ModifyCFG));
    Early.addPass(InferAddressSpacesPass());
    ModulePassManager Passes;
    Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Early)));
    Passes.run(M, Modules);
  }
  void optimize(const GpuTarget &Gpu) {
    forgetAnalyses();
    Builder.registerLateLoopOptimizationsEPCallback(
        [](LoopPassManager &Passes, OptimizationLevel) {
          Passes.addPass(UnrollPrivatePass());
        });
    Builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &Passes, OptimizationLevel) {
          Passes.addPass(LimitUnrollingPass());
        });
    ModulePassManager Passes;
    Passes.addPass(
        Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
    FunctionPassManager Last;
    bool MayDefer = Gpu.addAddressPasses(Last);
    Last.addPass(OrderExpressionsPass());
    if (MayDefer)
      Last.addPass(DeferValuesPass());
    Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Last)));
    Passes.run(M, Modules);
  }

  FunctionAnalysisManager &functionAnalyses() { return Functions; }

private:
  /// The module was rewritten by hand since the last passes.
  void forgetAnalyses() {
    Modules.clear();
    Components.clear();
    Functions.clear();
    Loops.clear();
  }

  Module &M;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;
};
} // namespace

/// The kernel, as the user wrote it, that `F` is or that calls it in the end.
static StringRef kernelThatReaches(const Function &F, const LaunchPlan &Plan,
                                   const DeviceProgram &Program) {
  SetVector<const Function *> Above;
  Above.insert(&F);
  for (unsigned I = 0; I != Above.size(); ++I) {
    for (auto [K, Device] : zip_equal(Plan.Kernels, Program.Kernels))
      if (Device.Symbol == Above[I]->getName())
        return K.Name;
    for (const User *U : Above[I]->users())
      if (auto *I = dyn_cast<Instruction>(U))
        Above.insert(I->getFunction());
  }
  return "";
}

/// Declarations that later steps replace: our own, and the question that
/// libdevice puts to LLVM's NVPTX passes.
static bool isReplacedLater(const Function &F) {
  return F.isIntrinsic() || F.getName().starts_with("__ferry_") ||
         F.getName() == "__nvvm_reflect";
}

/// Whatever is still undefined will never be defined.
static Error refuseUndefined(const Module &M, MissingFunction Missing) {
  for (const Function &F : M)
    if (F.isDeclaration() && !isReplacedLater(F))
      for (const User *U : F.users())
        if (auto *I = dyn_cast<Instruction>(U))
          return Missing(*I->getFunction(), F.getName());
  return Error::success();
}

static Error lower(Module &M, const LaunchPlan &Plan,
                   const DeviceProgram &Program, const Target &T,
                   TargetMachine &Machine) {
  std::unique_ptr<GpuTarget> Gpu = createGpuTarget(T);

  // What is the host's goes, while sizes and offsets are still the host's.
  dropFloatEnvironment(M);
  lowerToBuiltins(M);
  if (Error E = linkBuiltins(M))
    return E;
  normalize(M);
  markConvergent(M);
  if (Error E = keepHostLayout(M, Machine.createDataLayout()))
    return E;
  M.setTargetTriple(Machine.getTargetTriple());
  M.setDataLayout(Machine.createDataLayout());
  Gpu->prepareModule(M);

  // Mathematics, address spaces, and what the outside can see.
  auto Missing = [&](const Function &Caller, StringRef Name) {
    return createStringError(
        "kernel '" + kernelThatReaches(Caller, Plan, Program) + "' calls " +
        Name + ", which no device library for " + T.name() + " has");
  };
  if (Error E = lowerMath(M, *Gpu, Missing))
    return E;
  if (Error E = refuseUndefined(M, Missing))
    return E;
  if (Error E = exportGlobals(M, Program.Globals))
    return E;
  assignAddressSpaces(M, Program, *Gpu);

  // The kernels' entries.
  std::vector<KernelEntry> Kernels;
  bool CanPanic = false;
  for (unsigned I = 0; I != Plan.Kernels.size(); ++I) {
    const DeviceKernel &Device = Program.Kernels[I];
    if (Error E = buildEntries(M, Plan.Kernels[I], Device, knownShape(Plan, I),
                               *Gpu, Kernels))
      return E;
    CanPanic |= Device.CanPanic;
  }

  // Everything into the entries, then the queries and panics.
  markForInlining(M);
  Optimizer Passes(M, Machine);
  Passes.inlineMarked();
  GlobalVariable *Records =
      CanPanic ? addPanicRecords(M, Program.PanicSymbol) : nullptr;
  FactSource Source(M, Kernels, *Gpu);
  lowerQueries(M, Source, *Gpu);
  if (Error E = lowerPanics(M, Source, Records, *Gpu))
    return E;
  Source.finish();
  if (printsAnywhere(Program))
    printToBuffer(M, *addPrintBuffer(M, Program, GlobalSpace));
  if (Error E = moveLargeShared(M, Program, Kernels))
    return E;
  Passes.inferAddressSpaces();
  narrowAtomics(M, *Gpu);
  if (Error E = lowerCollectives(M, *Gpu, Passes.functionAnalyses()))
    return E;

  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError("internal error: broken code for target '" +
                             T.name() + "': " + Broken);
  Passes.optimize(*Gpu);
  return Error::success();
}

bool isDeviceFunction(const Function &F) {
  return isBuiltin(F) || isMathFunction(F);
}

Expected<std::unique_ptr<Module>> lowerForGpu(const LaunchPlan &Plan,
                                              const DeviceProgram &Program,
                                              const Target &T) {
  Expected<std::unique_ptr<TargetMachine>> Machine =
      createMachine(T, *Program.M);
  if (!Machine)
    return Machine.takeError();
  std::unique_ptr<Module> M = CloneModule(*Program.M);
  foldDeviceKind(*M, /*OnGpu=*/true, std::nullopt);
  ReportCollector Reports(M->getContext());
  if (Error E = lower(*M, Plan, Program, T, **Machine))
    return E;
  if (Error E = Reports.takeError())
    return E;
  return M;
}

} // namespace ferry
