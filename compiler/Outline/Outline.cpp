//===- Outline.cpp - Kernels and all they reach, in a module of their own -===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host module is compiled for the host: its functions carry a host CPU,
// unwind tables and exception edges, and -O0 code is not optimised at all.
// This stage copies what the shims reach into a new module and makes it
// neutral: exceptions become plain calls, host attributes go, every function
// that can be inlined is. Each kernel becomes one function with one parameter a
// slot that rebuilds the shim's block in an alloca; after inlining and SROA
// nothing is left of block and shim.
//
// The code is judged only after simplification, so that a call to printf in a
// branch that is never taken harms nobody; the simplifier sees the same raw
// code at every -O level of the host compile. What pays on some targets only is
// left to them.
//
//===----------------------------------------------------------------------===//

#include "Outline/Outline.h"
#include "Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

/// Marks for inlining whatever is not recursive, as long as the result stays
/// of a size that compilers like: doubling call trees would explode.
static void markForInlining(Module &M) {
  constexpr uint64_t SizeLimit = 20000;
  CallGraph CG(M);
  DenseMap<const Function *, uint64_t> Size;
  for (auto SCC = scc_begin(&CG); !SCC.isAtEnd(); ++SCC) {
    bool Recursive = SCC.hasCycle();
    for (CallGraphNode *Node : *SCC) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      uint64_t Total = 0;
      for (Instruction &I : instructions(*F)) {
        ++Total;
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = Call->getCalledFunction())
            if (Callee->hasFnAttribute(Attribute::AlwaysInline))
              Total += Size.lookup(Callee);
      }
      Size[F] = Total;
      // A barrier concerns the kernel's own code.
      if (!Recursive && F->hasLocalLinkage() &&
          (Total < SizeLimit || F->hasOneUse() || F->isConvergent()))
        F->addFnAttr(Attribute::AlwaysInline);
    }
  }
}

namespace {
/// LLVM's, but for counters: those of 32 bits stay so. Whether wider ones are
/// as cheap, as on CPUs, or take two registers and twice the instructions, as
/// on GPUs, is known when the target is.
struct NarrowIndVarsPass : PassInfoMixin<NarrowIndVarsPass> {
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &Analyses,
                        LoopStandardAnalysisResults &Results, LPMUpdater &U) {
    return IndVarSimplifyPass(/*WidenIndVars=*/false)
        .run(L, Analyses, Results, U);
  }
};
} // namespace

static void simplify(Module &M) {
  PassInstrumentationCallbacks Callbacks;
  Callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef Pass, const Any &) {
        return Pass != IndVarSimplifyPass::name();
      });
  PassBuilder PB(nullptr, PipelineTuningOptions(), std::nullopt, &Callbacks);
  PB.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &Passes, OptimizationLevel) {
        Passes.addPass(NarrowIndVarsPass());
      });
  ModulePassManager MPM;
  MPM.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  MPM.addPass(PB.buildModuleSimplificationPipeline(OptimizationLevel::O3,
                                                   ThinOrFullLTOPhase::None));
  runPasses(M, MPM, PB);
}

/// Removes what only served the panics that convertPanics has replaced.
static void tidy(Module &M) {
  PassBuilder PB;
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InstCombinePass());
  FPM.addPass(DSEPass());
  FPM.addPass(ADCEPass());
  FPM.addPass(SimplifyCFGPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  MPM.addPass(GlobalDCEPass());
  runPasses(M, MPM, PB);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A kernel's own entry in the debug info, so that the chain of inlined calls
/// starts somewhere.
static DISubprogram *kernelSubprogram(const Kernel &K, Function &Shim) {
  DISubprogram *SP = Shim.getSubprogram();
  if (!SP)
    return nullptr;
  return DISubprogram::getDistinct(
      Shim.getContext(), SP->getFile(), K.Name, K.Symbol, SP->getFile(),
      SP->getLine(), SP->getType(), SP->getLine(), nullptr, 0, 0,
      DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized,
      SP->getUnit());
}

/// Threads meet in `F` or in a function that it names in the end.
static bool reachesCollective(Function &F) {
  SetVector<Value *> Named;
  Named.insert(&F);
  for (unsigned I = 0; I != Named.size(); ++I) {
    auto See = [&](User &U) {
      for (Value *Operand : U.operands())
        if (isa<Constant>(Operand) && !isa<ConstantData>(Operand))
          Named.insert(Operand);
    };
    auto *Reached = dyn_cast<Function>(Named[I]);
    if (Reached && collectiveFor(*Reached))
      return true;
    if (!Reached)
      See(*cast<User>(Named[I]));
    else
      for (Instruction &Inst : instructions(*Reached))
        See(Inst);
  }
  return false;
}

/// `Alone`: what other threads write to the buffer does not concern this one,
/// since they never meet.
static void addParameterAttributes(Function &F, unsigned I, const Field &Fd,
                                   bool Alone) {
  if (!Fd.IsBuffer)
    return;
  if (Fd.Unique && (Alone || Fd.isInput()))
    F.addParamAttr(I, Attribute::NoAlias);
  if (Fd.isInput() && Fd.Unique)
    F.addParamAttr(I, Attribute::ReadOnly);
}

static Function *buildKernel(Module &M, const Kernel &K, Function &Shim) {
  LLVMContext &Ctx = M.getContext();
  Type *Ptr = PointerType::get(Ctx, 0), *I64 = Type::getInt64Ty(Ctx);
  SmallVector<Type *> Parameters;
  for (const Field &Fd : K.Fields)
    Parameters.append(Fd.slots(), Fd.IsBuffer || Fd.isLarge() ? Ptr : I64);
  auto *F = Function::Create(
      FunctionType::get(Type::getVoidTy(Ctx), Parameters, false),
      GlobalValue::ExternalLinkage, K.Symbol, M);
  F->setDoesNotThrow();
  DISubprogram *SP = kernelSubprogram(K, Shim);
  F->setSubprogram(SP);

  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", F));
  if (SP)
    B.SetCurrentDebugLocation(DILocation::get(Ctx, SP->getLine(), 0, SP));
  auto *Block = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), K.BlockBytes));
  Block->setAlignment(Align(16));
  unsigned Next = 0;
  bool Alone = !reachesCollective(Shim);
  for (const Field &Fd : K.Fields) {
    addParameterAttributes(*F, Next, Fd, Alone);
    if (Fd.isLarge()) {
      F->addParamAttr(Next, Attribute::NoAlias);
      B.CreateMemCpy(B.CreateConstGEP1_64(B.getInt8Ty(), Block, Fd.Offset),
                     Align(8), F->getArg(Next++), Align(1), Fd.Bytes);
      continue;
    }
    for (unsigned I = 0; I != Fd.slots(); ++I)
      B.CreateStore(
          F->getArg(Next++),
          B.CreateConstGEP1_64(B.getInt8Ty(), Block, Fd.Offset + 8 * I));
  }
  B.CreateCall(&Shim, {Block});
  B.CreateRetVoid();
  return F;
}

/// What a kernel's code names, directly or through other functions. A function
/// whose address it takes counts as called.
static void findUses(DeviceProgram &Program, DeviceKernel &K) {
  SetVector<const Value *> Seen;
  Seen.insert(Program.M->getFunction(K.Symbol));
  auto See = [&](const Value *V) {
    if (isa<Constant>(V) &&
        (isa<GlobalValue>(V) || cast<Constant>(V)->getNumOperands()))
      Seen.insert(V);
  };
  for (unsigned I = 0; I != Seen.size(); ++I) {
    if (auto *F = dyn_cast<Function>(Seen[I])) {
      K.CanPanic |= F->getName() == "__ferry_panic";
      K.Prints |= F->getName().starts_with(PrintPrefix);
      K.HasCollectives |= collectiveFor(*F).has_value();
      for (const Instruction &Inst : instructions(*F))
        for (const Use &U : Inst.operands())
          See(U);
    } else if (auto *V = dyn_cast<GlobalVariable>(Seen[I])) {
      for (auto [Index, G] : enumerate(Program.Globals))
        if (V->getName() == G.Symbol)
          K.Globals.push_back(Index);
      for (auto [Index, Object] : enumerate(Program.Shared))
        if (V->getName() == Object.Symbol)
          K.Shared.push_back(Index);
      if (V->hasInitializer())
        See(V->getInitializer());
    } else {
      for (const Use &U : cast<Constant>(Seen[I])->operands())
        See(U);
    }
  }
}

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

/// Tells this module's symbols from those of others.
static std::string moduleHash(const Module &M, const LaunchPlan &Plan) {
  std::string Key = M.getSourceFileName();
  for (const Kernel &K : Plan.Kernels)
    Key += K.Symbol;
  auto Hash = SHA1::hash(arrayRefFromStringRef(Key));
  return toHex(ArrayRef(Hash).take_front(8), true);
}

/// Which body an ifunc has is the host processor's choice. Those of
/// target_clones have one for every processor; others are left without a body.
static void resolveIFuncs(Module &M) {
  for (GlobalIFunc &I : make_early_inc_range(M.ifuncs())) {
    std::string Default = (I.getName() + ".default").str();
    auto Body = find_if(M, [&](const Function &F) {
      return F.getName().starts_with(Default) && !F.isDeclaration();
    });
    Function *Chosen =
        Body != M.end() ? &*Body
                        : Function::Create(cast<FunctionType>(I.getValueType()),
                                           GlobalValue::ExternalLinkage, "", M);
    if (Body == M.end())
      Chosen->takeName(&I);
    I.replaceAllUsesWith(Chosen);
    I.eraseFromParent();
  }
}

std::optional<DeviceProgram> outlineKernels(Module &M, const LaunchPlan &Plan,
                                            bool WholeProgram) {
  Reach Reached = reachFrom(Plan);
  DeviceProgram Program;
  std::string Hash = moduleHash(M, Plan);
  Program.PanicSymbol = "ferry_panic_records_" + Hash;
  Program.PrintSymbol = "ferry_print_buffer_" + Hash;

  // Copy the definitions that kernels reach; all else becomes a declaration.
  ValueToValueMapTy VMap;
  Program.M = CloneModule(M, VMap, [&](const GlobalValue *G) {
    return Reached.contains(*G) && comesAlong(*G);
  });
  Module &Device = *Program.M;
  Device.setModuleInlineAsm("");
  for (const char *List : {"llvm.global_ctors", "llvm.global_dtors",
                           "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *V = Device.getNamedGlobal(List))
      V->eraseFromParent();
  for (GlobalAlias &A : make_early_inc_range(Device.aliases())) {
    A.replaceAllUsesWith(A.getAliasee());
    A.eraseFromParent();
  }
  resolveIFuncs(Device);
  // Those that are used are refused; the others would meet the host's.
  for (GlobalVariable &G : Device.globals())
    if (G.isThreadLocal() && !G.isDeclaration())
      G.setLinkage(GlobalValue::InternalLinkage);

  // Take out what speaks of the host.
  makeNeutral(Program, Reached, VMap);
  mergeDuplicates(Device);
  nameInstances(Device);
  separateInstances(Device);

  // One function a kernel, with everything inlined.
  for (const Kernel &K : Plan.Kernels) {
    buildKernel(Device, K, *cast<Function>(VMap[K.Shim]));
    Program.Kernels.emplace_back().Symbol = K.Symbol;
  }
  markForInlining(Device);
  simplify(Device);
  placeSharedObjects(Program);

  // Panics and printed lines get numbers, what only fed them goes, and the rest
  // is judged.
  convertPanics(Program);
  convertPrints(Program);
  tidy(Device);
  stubUnportableTargets(Plan, Program, Reached);
  if (!checkPortability(Plan, Program, Reached, WholeProgram))
    return std::nullopt;
  for (DeviceKernel &K : Program.Kernels) {
    findUses(Program, K);
    K.SharedBytes = layOutShared(Program, K).Bytes;
  }
  return Program;
}

} // namespace ferry
