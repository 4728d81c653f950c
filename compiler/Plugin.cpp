//===- Plugin.cpp - Ferry inside clang, lld and opt -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the pipeline runs:
//
//   compile                 at its very start, on the front end's raw IR, so
//                           that kernels are the same at every -O level
//   compile with full LTO   not at all
//   link with full LTO      at its start, on the whole program
//
// Between inlining and vectorisation an optimising compile finds memory that
// may stay on a device (Residency/); a link with full LTO does at its end.
//
// Under opt, `ferry-discover`, `ferry-outline`, `ferry-access`,
// `ferry-lower<target>` and `ferry-emit<target>` run up to that stage and print
// what it made;
// `ferry-host`, the last stage, is the whole pipeline and leaves its module to
// opt. `ferry` is short for it. `ferry-autodiff`, or `enzyme` in the scripts of
// others, expands requests for derivatives alone. `ferry-spmd` vectorises the
// thread loops of lowered code, `ferry-residency` finds memory that may stay
// on a device.
//
//===----------------------------------------------------------------------===//

#include "Autodiff/Autodiff.h"
#include "Diagnostics/Diagnostics.h"
#include "Discover/Discover.h"
#include "Emit/Emit.h"
#include "Lower/Cpu/Spmd/Spmd.h"
#include "Lower/Gpu/Ordering.h"
#include "Lower/Lower.h"
#include "Outline/Outline.h"
#include "Pipeline.h"
#include "Residency/Residency.h"
#include "Transfer/Access.h"
#include "Transfer/Explain.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace ferry;

/// For build systems that cannot set an environment variable. clang knows it
/// when the plugin is also loaded early: -fplugin=FerryPlugin.so.
static cl::opt<bool>
    StripDebug("ferry-strip-debug",
               cl::desc("Use debug info for Ferry's messages, then strip it"));

static void reportError(Module &M, Error E) {
  M.getContext().emitError("ferry: " + toString(std::move(E)));
}

namespace {
class FerryPass : public PassInfoMixin<FerryPass> {
public:
  enum class Phase { Compile, Link };
  explicit FerryPass(Phase Where) : Where(Where) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Where == Phase::Compile && isFullLtoCompile(M)) {
      // The host's passes come before the link. They must leave barriers alone,
      // and bring functions together that have shared memory of their own.
      describeCollectives(M);
      return nameInstances(M) ? PreservedAnalyses::none()
                              : PreservedAnalyses::all();
    }
    Expected<PipelineOptions> Options = PipelineOptions::fromEnvironment();
    if (!Options) {
      reportError(M, Options.takeError());
      return PreservedAnalyses::all();
    }
    Options->WholeProgram = Where == Phase::Link;
    Options->StripDebugInfo |= StripDebug;
    return runPipeline(M, *Options) == PipelineResult::Unchanged &&
                   !Options->StripDebugInfo
               ? PreservedAnalyses::all()
               : PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

private:
  Phase Where;

  /// clang leaves ThinLTO = 0 in a module that goes to a full-LTO link.
  static bool isFullLtoCompile(const Module &M) {
    auto *Flag =
        mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
    return Flag && Flag->isZero();
  }
};

class AutodiffPass : public PassInfoMixin<AutodiffPass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return expandDerivatives(M) == AutodiffResult::Unchanged
               ? PreservedAnalyses::all()
               : PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }
};

/// Runs the stages up to `Last` and prints that stage's result.
class StagePass : public PassInfoMixin<StagePass> {
public:
  enum class Stage { Discover, Outline, Access, Explain, Lower, Emit };
  StagePass(Stage Last, Target T) : Last(Last), T(std::move(T)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Error E = show(M))
      reportError(M, std::move(E));
    return PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }

private:
  Stage Last;
  Target T;

  Error show(Module &M) {
    std::optional<LaunchPlan> Plan = discoverLaunches(M);
    if (!Plan)
      return Error::success(); // reported
    if (Last == Stage::Discover) {
      print(*Plan, outs());
      return Error::success();
    }
    std::optional<DeviceProgram> Program = outlineKernels(M, *Plan, false);
    if (!Program)
      return Error::success();
    if (Last == Stage::Outline) {
      for (auto [I, S] : enumerate(Program->Sites))
        outs() << "; site " << I << ": " << S.Message << " at " << S.File << ":"
               << S.Line << ":" << S.Column << "\n";
      Program->M->print(outs(), nullptr);
      return Error::success();
    }
    if (Last == Stage::Access) {
      print(*Plan, *Program, analyseAccess(*Plan, *Program), outs());
      return Error::success();
    }
    if (Last == Stage::Explain) {
      outs() << explain(*Plan, *Program, analyseAccess(*Plan, *Program))
             << "\n";
      return Error::success();
    }
    Expected<std::unique_ptr<Module>> Lowered =
        lowerForTarget(*Plan, *Program, T);
    if (!Lowered)
      return Lowered.takeError();
    if (Last == Stage::Lower) {
      (*Lowered)->print(outs(), nullptr);
      return Error::success();
    }
    Expected<Image> I = emitImage(**Lowered, T);
    if (!I)
      return I.takeError();
    outs() << StringRef(I->Bytes.data(), I->Bytes.size());
    return Error::success();
  }
};
} // namespace

/// "ferry-lower<sm_90>" -> the target; "ferry-lower" -> cpu.
static std::optional<Target> targetArgument(StringRef Name,
                                            StringRef PassName) {
  if (!Name.consume_front(PassName))
    return std::nullopt;
  if (Name.empty())
    return Target{};
  if (!Name.consume_front("<") || !Name.consume_back(">"))
    return std::nullopt;
  Expected<std::vector<Target>> Targets = parseTargets(Name);
  if (!Targets) {
    consumeError(Targets.takeError());
    return std::nullopt;
  }
  return Targets->front();
}

static bool parsePass(StringRef Name, ModulePassManager &MPM,
                      ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "ferry" || Name == "ferry-host") {
    MPM.addPass(FerryPass(FerryPass::Phase::Compile));
    return true;
  }
  if (Name == "ferry-autodiff" || Name == "enzyme") {
    MPM.addPass(AutodiffPass());
    return true;
  }
  if (Name == "ferry-residency") {
    MPM.addPass(ResidencyPass());
    return true;
  }
  using Stage = StagePass::Stage;
  static const std::pair<StringRef, Stage> Stages[] = {
      {"ferry-discover", Stage::Discover}, {"ferry-outline", Stage::Outline},
      {"ferry-access", Stage::Access},     {"ferry-explain", Stage::Explain},
      {"ferry-lower", Stage::Lower},       {"ferry-emit", Stage::Emit}};
  for (auto &[PassName, Last] : Stages)
    if (std::optional<Target> T = targetArgument(Name, PassName)) {
      MPM.addPass(StagePass(Last, *T));
      return true;
    }
  return false;
}

static bool parseFunctionPass(StringRef Name, FunctionPassManager &FPM,
                              ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "ferry-spmd")
    FPM.addPass(SpmdPass());
  else if (Name == "ferry-order-expressions")
    FPM.addPass(OrderExpressionsPass());
  else if (Name == "ferry-defer-values")
    FPM.addPass(DeferValuesPass());
  else
    return false;
  return true;
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Ferry", "0.1", [](PassBuilder &PB) {
            PB.registerPipelineStartEPCallback(
                [](ModulePassManager &MPM, OptimizationLevel) {
                  MPM.addPass(FerryPass(FerryPass::Phase::Compile));
                });
            PB.registerFullLinkTimeOptimizationEarlyEPCallback(
                [](ModulePassManager &MPM, OptimizationLevel) {
                  MPM.addPass(FerryPass(FerryPass::Phase::Link));
                });
            PB.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM,
                                                   OptimizationLevel Level,
                                                   ThinOrFullLTOPhase Phase) {
              if (Level != OptimizationLevel::O0 &&
                  Phase != ThinOrFullLTOPhase::FullLTOPreLink &&
                  Phase != ThinOrFullLTOPhase::ThinLTOPreLink)
                MPM.addPass(ResidencyPass());
            });
            PB.registerFullLinkTimeOptimizationLastEPCallback(
                [](ModulePassManager &MPM, OptimizationLevel Level) {
                  if (Level != OptimizationLevel::O0)
                    MPM.addPass(ResidencyPass());
                });
            PB.registerPipelineParsingCallback(parsePass);
            PB.registerPipelineParsingCallback(parseFunctionPass);
          }};
}
