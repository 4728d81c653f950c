//===- Pipeline.cpp - From a host module to a host module with images -----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "Autodiff/Autodiff.h"
#include "Diagnostics/Diagnostics.h"
#include "Discover/Discover.h"
#include "Emit/Emit.h"
#include "Host/Host.h"
#include "Lower/Cpu/Checked/Checked.h"
#include "Lower/Lower.h"
#include "Outline/Outline.h"
#include "Transfer/Access.h"
#include "Transfer/Explain.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace ferry {

Expected<PipelineOptions> PipelineOptions::fromEnvironment() {
  PipelineOptions Options;
  Expected<std::vector<Target>> Targets =
      parseTargets(sys::Process::GetEnv("FERRY_TARGETS").value_or("native"));
  if (!Targets)
    return Targets.takeError();
  Options.Targets = std::move(*Targets);
  Options.StripDebugInfo =
      sys::Process::GetEnv("FERRY_STRIP_DEBUG").value_or("") == "1";
  return Options;
}

/// Leaves the module as a front end without -g would have made it.
static void stripDebugInfo(Module &M) {
  StripDebugInfo(M);
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<MDNode *> Kept;
  for (MDNode *Flag : Flags->operands()) {
    StringRef Key = cast<MDString>(Flag->getOperand(1))->getString();
    if (Key != "Dwarf Version" && Key != "Debug Info Version" &&
        Key != "debug-info-assignment-tracking")
      Kept.push_back(Flag);
  }
  Flags->clearOperands();
  for (MDNode *Flag : Kept)
    Flags->addOperand(Flag);
}

static PipelineResult fail(const LaunchPlan &Plan, Error E) {
  Diagnostic D;
  D.What = toString(std::move(E));
  D.Where = launchLocation(Plan.Launches.front());
  report(D, *Plan.Launches.front().Call->getFunction());
  return PipelineResult::Failed;
}

PipelineResult runPipeline(Module &M, const PipelineOptions &Options) {
  // Autodiff: requests for derivatives become calls of code that computes
  // them, so that kernels may differentiate and be differentiated.
  AutodiffResult Derivatives = expandDerivatives(M);
  if (Derivatives == AutodiffResult::Failed)
    return PipelineResult::Failed;

  if (!hasLaunches(M)) {
    if (Options.StripDebugInfo)
      stripDebugInfo(M);
    return Derivatives == AutodiffResult::Unchanged ? PipelineResult::Unchanged
                                                    : PipelineResult::Changed;
  }

  // Discover: launch markers become Kernel and Launch records.
  std::optional<LaunchPlan> Plan = discoverLaunches(M);
  if (!Plan)
    return PipelineResult::Failed;

  // Outline: kernels and all they reach move to a module of their own, which
  // is simplified and then checked for what no device can run.
  std::optional<DeviceProgram> Program =
      outlineKernels(M, *Plan, Options.WholeProgram);
  if (!Program)
    return PipelineResult::Failed;

  // Checked: a second version of the kernels for FERRY_CHECK, made while the
  // lines of the source are known.
  DeviceCode Code;
  if (any_of(Options.Targets,
             [](const Target &T) { return T.Kind == TargetKind::Cpu; }))
    Code.Checked = buildChecked(*Plan, *Program);
  if (Options.StripDebugInfo)
    stripDebugInfo(*Program->M);

  // Lower: one module a target, with thread ids, panics and math of its own.
  // Emit: that module's image. The CPU's code stays IR, for the host's object.
  for (const Target &T : Options.Targets) {
    Expected<std::unique_ptr<Module>> Lowered =
        lowerForTarget(*Plan, *Program, T);
    if (!Lowered)
      return fail(*Plan, Lowered.takeError());
    if (T.Kind == TargetKind::Cpu) {
      Code.Cpu = std::move(*Lowered);
      continue;
    }
    Expected<Image> I = emitImage(**Lowered, T);
    if (!I)
      return fail(*Plan, I.takeError());
    Code.Images.push_back(std::move(*I));
  }

  // Transfer: what kernels read and write of their arguments.
  Code.Usages = analyseAccess(*Plan, *Program);
  std::string Explanation = explain(*Plan, *Program, Code.Usages);

  // Host: images and records go into the host module, markers become launches.
  if (Error E = writeHost(M, *Plan, *Program, std::move(Code)))
    return fail(*Plan, std::move(E));
  embedExplanation(M, Explanation);
  if (Options.StripDebugInfo)
    stripDebugInfo(M);
  return PipelineResult::Changed;
}

} // namespace ferry
