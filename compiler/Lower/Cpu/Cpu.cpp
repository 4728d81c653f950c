//===- Cpu.cpp - Kernels as loops over work-items -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same loops serve two devices. For `cpu` they go back into the host
// program and use its globals. For `virtual` they become a shared object of
// their own, with kernels that follow libomptarget's calling convention: such a
// kernel gathers its arguments into the slots and hands loops and slots to the
// runner that libferry passes as a hidden argument.
//
// The code is optimised here, at O3 whatever the host's level is: a -O0 build
// is for debugging the host, and a kernel at -O0 is too slow to be of use.
//
//===----------------------------------------------------------------------===//

#include "Lower/Cpu/Cpu.h"
#include "Lower/Cpu/LikelyBlocks.h"
#include "Lower/Cpu/Spmd/Spmd.h"
#include "Lower/DeviceKind.h"
#include "Machine.h"
#include "Passes.h"
#include "ferry/runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

void copyHostAttributes(Module &M, const Function &Shim) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                           "prefer-vector-width", "min-legal-vector-width"})
      if (Attribute A = Shim.getFnAttribute(Name); A.isValid())
        F.addFnAttr(A);
  }
}

void placeGlobals(Module &M, const DeviceProgram &Program, const Target &T) {
  for (const SharedGlobal &G : Program.Globals)
    if (GlobalVariable *Var = M.getNamedGlobal(G.Symbol)) {
      Var->setExternallyInitialized(false);
      if (T.Kind == TargetKind::Cpu)
        Var->setInitializer(nullptr);
      else
        Var->setVisibility(GlobalValue::ProtectedVisibility);
    }
}

static GlobalVariable *panicRecords(Module &M, const DeviceProgram &Program) {
  if (GlobalVariable *G = M.getNamedGlobal(Program.PanicSymbol))
    return G;
  auto *T = ArrayType::get(ArrayType::get(Type::getInt8Ty(M.getContext()),
                                          sizeof(ferry_panic_record)),
                           FERRY_PANIC_RECORDS);
  auto *G = new GlobalVariable(M, T, false, GlobalValue::ExternalLinkage,
                               Constant::getNullValue(T), Program.PanicSymbol);
  G->setAlignment(Align(64));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  return G;
}

/// ferry_scratch_bytes, in the image.
static Value *scratchBytes(IRBuilder<> &B, const DeviceKernel &DK,
                           uint64_t ThreadBytes, Value *DynamicShared,
                           ArrayRef<Argument> Block) {
  auto RoundUp = [&](Value *V) {
    return B.CreateAnd(B.CreateAdd(V, B.getInt64(63)), B.getInt64(~63ull));
  };
  Value *Threads = B.getInt64(1);
  for (const Argument &Side : Block)
    Threads = B.CreateMul(Threads, const_cast<Argument *>(&Side));
  Value *Contexts = B.CreateMul(RoundUp(Threads), B.getInt64(ThreadBytes));
  Value *Static = B.getInt64(ferry_scratch_bytes(DK.SharedBytes, 0, 0, 0));
  return B.CreateAdd(B.CreateAdd(Static, RoundUp(DynamicShared)), Contexts);
}

/// The kernel as libomptarget's host plugin calls it (runtime.h, ferry_kernel).
static void buildImageKernel(Module &M, const Kernel &K, const DeviceKernel &DK,
                             const DeviceProgram &Program) {
  LLVMContext &Ctx = M.getContext();
  IRBuilder<> B(Ctx);
  Type *I64 = B.getInt64Ty();
  unsigned Slots = K.slots(), Extents = 1 + Slots, Blocks = Extents + 3,
           DynamicShared = Blocks + 3, Runner = DynamicShared + 1,
           Record = Runner + 1;
  SmallVector<Type *> Types(Record + DK.CanPanic, I64);
  Types[0] = Types[Runner] = B.getPtrTy();
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                             GlobalValue::ExternalLinkage, K.Symbol, M);
  F->setVisibility(GlobalValue::ProtectedVisibility);
  B.SetInsertPoint(BasicBlock::Create(Ctx, "entry", F));
  auto *SlotArray = B.CreateAlloca(ArrayType::get(I64, std::max(Slots, 1u)));
  auto *Geometry =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), sizeof(ferry_geometry)));
  Geometry->setAlignment(Align(8));
  auto At = [&](Value *Base, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
  };
  for (unsigned I = 0; I != Slots; ++I)
    B.CreateStore(F->getArg(1 + I), At(SlotArray, 8 * I));
  for (unsigned D = 0; D != 3; ++D) {
    B.CreateStore(F->getArg(Extents + D),
                  At(Geometry, offsetof(ferry_geometry, extent) + 8 * D));
    B.CreateStore(B.CreateTrunc(F->getArg(Blocks + D), B.getInt32Ty()),
                  At(Geometry, offsetof(ferry_geometry, block) + 4 * D));
  }
  Value *Panic = ConstantPointerNull::get(B.getPtrTy());
  if (DK.CanPanic)
    Panic =
        B.CreateGEP(ArrayType::get(B.getInt8Ty(), sizeof(ferry_panic_record)),
                    panicRecords(M, Program),
                    B.CreateAnd(F->getArg(Record), B.getInt64(UINT32_MAX)));
  B.CreateStore(Panic, At(Geometry, offsetof(ferry_geometry, panic)));
  Value *Generation = B.getInt32(0);
  if (DK.CanPanic)
    Generation =
        B.CreateTrunc(B.CreateLShr(F->getArg(Record), 32), B.getInt32Ty());
  B.CreateStore(Generation, At(Geometry, offsetof(ferry_geometry, generation)));
  Function *Cpu = M.getFunction(K.Symbol + ".cpu");
  B.CreateStore(F->getArg(DynamicShared),
                At(Geometry, offsetof(ferry_geometry, dynamic_shared)));
  B.CreateStore(scratchBytes(B, DK, threadBytes(*Cpu), F->getArg(DynamicShared),
                             ArrayRef(F->arg_begin() + Blocks, 3)),
                At(Geometry, offsetof(ferry_geometry, scratch_bytes)));
  Value *UnitThreads = B.getInt64(1);
  for (unsigned D = 0; D != 3 && K.LaunchShape == Shape::Blocks; ++D)
    UnitThreads = B.CreateMul(UnitThreads, F->getArg(Blocks + D));
  B.CreateStore(UnitThreads,
                At(Geometry, offsetof(ferry_geometry, unit_threads)));
  B.CreateCall(FunctionType::get(B.getVoidTy(),
                                 {B.getPtrTy(), B.getPtrTy(), B.getPtrTy()},
                                 false),
               F->getArg(Runner), {Cpu, SlotArray, Geometry});
  B.CreateRetVoid();
  Cpu->setLinkage(GlobalValue::InternalLinkage);
  // libomptarget looks for all entries in all images.
  if (K.hasApartVersion())
    GlobalAlias::create(K.apartSymbol(), F);
}

namespace {
struct IndexCastsPass : PassInfoMixin<IndexCastsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    writeIndexCasts(F);
    return PreservedAnalyses::none();
  }
};

/// Once threads have been vectorised.
struct LowerSharedAtomicsPass : PassInfoMixin<LowerSharedAtomicsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    lowerSharedAtomics(F);
    return PreservedAnalyses::none();
  }
};
} // namespace

/// Before the usual pipeline: the vectoriser for threads, in code that is clean
/// enough for it to see what is what.
static FunctionPassManager threadVectorizer() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                              /*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(IndexCastsPass());
  FPM.addPass(SpmdPass());
  FPM.addPass(LowerSharedAtomicsPass());
  return FPM;
}

static void optimize(Module &M, TargetMachine &Machine) {
  PipelineTuningOptions Tuning;
  Tuning.LoopVectorization = true;
  Tuning.SLPVectorization = true;
  PassBuilder PB(&Machine, Tuning);
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(threadVectorizer()));
  Passes.addPass(PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  runPasses(M, Passes, PB);
}

Expected<std::unique_ptr<Module>> lowerForCpu(const LaunchPlan &Plan,
                                              const DeviceProgram &Program,
                                              const Target &T) {
  std::unique_ptr<Module> M = CloneModule(*Program.M);
  foldDeviceKind(*M, /*OnGpu=*/false, CpuWarpSize);
  placeGlobals(*M, Program, T);
  lowerOutOfLineFunctions(*M, Program);
  std::vector<std::optional<KnownShape>> Likely = likelyBlocks(Plan, Program);
  for (auto [I, K, DK] : enumerate(Plan.Kernels, Program.Kernels))
    buildWorkItemLoops(K, knownShape(Plan, I), Likely[I], DK, Program,
                       *M->getFunction(K.Symbol));
  lowerPrints(*M, Program, T);
  if (T.Kind == TargetKind::Virtual) {
    // The image is a shared object, whatever the program is.
    M->setModuleFlag(Module::Max, "PIC Level", PICLevel::BigPIC);
    M->setModuleFlag(Module::Max, "PIE Level", PIELevel::Default);
    for (auto [K, DK] : zip(Plan.Kernels, Program.Kernels))
      buildImageKernel(*M, K, DK, Program);
  }
  copyHostAttributes(*M, *Plan.Kernels.front().Shim);

  Expected<std::unique_ptr<TargetMachine>> Machine = createMachine(T, *M);
  if (!Machine)
    return Machine.takeError();
  if (Error E = lowerMath(*M, **Machine))
    return E;
  optimize(*M, **Machine);
  finishMath(*M);
  return std::move(M);
}

} // namespace ferry
