//===- CodeGen.cpp --------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -Clinker-plugin-lto rustc stops after LLVM's pre-link pipeline: inlining
// and simplification are done, vectorisation and unrolling are left to the
// link. So this is what lld does with such a module (LLVM's LTOBackend.cpp):
// the ThinLTO post-link pipeline, here without a summary, since nothing is
// imported. Code generation follows what rustc sets for its own objects.
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"
#include "Passes.h"
#include "Residency/Residency.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/ThinLTOBitcodeWriter.h"

using namespace llvm;

namespace ferry {

void initializeCodeGen() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
}

TargetOptions targetOptions() {
  TargetOptions Options;
  Options.FunctionSections = true;
  Options.DataSections = true;
  Options.UseInitArray = true;
  Options.TrapUnreachable = true;
  Options.NoTrapAfterNoreturn = true;
  return Options;
}

CodeGenOptLevel codeGenLevel(unsigned OptLevel) {
  static constexpr CodeGenOptLevel Levels[] = {
      CodeGenOptLevel::None, CodeGenOptLevel::Less, CodeGenOptLevel::Default,
      CodeGenOptLevel::Aggressive};
  return Levels[OptLevel];
}

static Expected<std::unique_ptr<TargetMachine>>
createMachine(const Module &M, const CodeGenOptions &Options) {
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Message);
  if (!T)
    return createStringError(Message);
  // Position-independent code can be linked into anything.
  bool IsStatic = M.getModuleFlag("PIC Level") && !M.getPICLevel();
  std::unique_ptr<TargetMachine> Machine(T->createTargetMachine(
      M.getTargetTriple(), Options.Cpu, "", targetOptions(),
      IsStatic ? Reloc::Static : Reloc::PIC_, M.getCodeModel(),
      codeGenLevel(Options.OptLevel)));
  if (!Machine)
    return createStringError("LLVM cannot generate code for " +
                             M.getTargetTriple().str());
  return Machine;
}

PipelineTuningOptions tuningOptions(unsigned OptLevel) {
  PipelineTuningOptions Tuning;
  Tuning.LoopVectorization = OptLevel > 1;
  Tuning.SLPVectorization = OptLevel > 1;
  return Tuning;
}

std::string CodeGenOptions::describe() const {
  return utostr(OptLevel) + " " + Cpu + (StripDebugInfo ? " strip" : "");
}

/// cargo's profiles can ask for optimised dependencies of a program that is
/// not. ferry-rustc leaves their passes to the link as well, and rustc says in
/// the debug info what it was asked for.
static unsigned levelFor(const Module &M, unsigned LevelOfProgram) {
  constexpr unsigned Optimised = 2;
  bool IsOptimised = any_of(M.debug_compile_units(), [](DICompileUnit *Unit) {
    return Unit->isOptimized();
  });
  return LevelOfProgram || !IsOptimised ? LevelOfProgram : Optimised;
}

static void optimise(Module &M, TargetMachine &Machine, unsigned Level) {
  static const OptimizationLevel Levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  PassBuilder PB(&Machine, tuningOptions(Level));
  PB.registerOptimizerEarlyEPCallback([](ModulePassManager &Passes,
                                         OptimizationLevel Level,
                                         ThinOrFullLTOPhase) {
    if (Level != OptimizationLevel::O0)
      Passes.addPass(ResidencyPass());
  });
  ModulePassManager Passes =
      PB.buildThinLTODefaultPipeline(Levels[Level], /*ImportSummary=*/nullptr);
  runPasses(M, Passes, PB);
}

Expected<SmallVector<char, 0>> prepareForLink(Module &M,
                                              const CodeGenOptions &Options) {
  auto Machine = createMachine(M, Options);
  if (!Machine)
    return Machine.takeError();
  static const OptimizationLevel Levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  PipelineTuningOptions Tuning; // vectorising is left to the link
  Tuning.LoopVectorization = Tuning.SLPVectorization = false;
  PassBuilder PB(Machine->get(), Tuning);
  ModulePassManager Passes =
      PB.buildThinLTOPreLinkDefaultPipeline(Levels[Options.OptLevel]);
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  Passes.addPass(ThinLTOBitcodeWriterPass(Stream, nullptr));
  runPasses(M, Passes, PB);
  return Bytes;
}

Expected<SmallVector<char, 0>> generateObject(Module &M,
                                              const CodeGenOptions &Given) {
  CodeGenOptions Options = Given;
  Options.OptLevel = levelFor(M, Given.OptLevel);
  if (Options.StripDebugInfo)
    StripDebugInfo(M);
  auto Machine = createMachine(M, Options);
  if (!Machine)
    return Machine.takeError();
  M.setDataLayout((*Machine)->createDataLayout());
  optimise(M, **Machine, Options.OptLevel);

  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  legacy::PassManager Passes;
  TargetLibraryInfoImpl Library(M.getTargetTriple());
  Passes.add(new TargetLibraryInfoWrapperPass(Library));
  if ((*Machine)->addPassesToEmitFile(Passes, Stream, nullptr,
                                      CodeGenFileType::ObjectFile))
    return createStringError("LLVM cannot generate object files for " +
                             M.getTargetTriple().str());
  Passes.run(M);
  return Bytes;
}

} // namespace ferry
