//===- Launches.cpp -------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline is the dear part of a link: device code is optimised and
// assembled for every target. Merging is cheap. So the merged module, written
// out as bitcode, is the key under which the pipeline's result is kept: a
// change anywhere in the program that does not reach a kernel or its launches
// costs no device compile.
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "CodeGen.h"
#include "Messages.h"
#include "Passes.h"
#include "Pipeline.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/ThinLTOBitcodeWriter.h"
#include "llvm/Transforms/Utils/NameAnonGlobals.h"

using namespace llvm;

namespace ferry {

static std::string describe(const PipelineOptions &Stages) {
  std::string Text = Stages.StripDebugInfo ? "strip" : "keep";
  for (const Target &T : Stages.Targets)
    Text += " " + T.name();
  return Text;
}

/// A marker's operands are constants once the front end's own functions are
/// inlined, which ferry-rustc has kept rustc from doing.
static void inlineMarkers(Module &M) {
  PassBuilder PB;
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  runPasses(M, Passes, PB);
}

Expected<std::string> compileLaunches(Module &M, const Cache &Objects) {
  Expected<PipelineOptions> Stages = PipelineOptions::fromEnvironment();
  if (!Stages)
    return Stages.takeError();
  Stages->WholeProgram = true;

  SmallString<0> Before;
  raw_svector_ostream BeforeStream(Before);
  WriteBitcodeToFile(M, BeforeStream);
  std::string Path =
      Objects.path({"launches", describe(*Stages), Before}, ".bc");
  if (Cache::has(Path)) {
    verbose("reused the images");
    return Path;
  }

  Messages &Said = printMessages(M.getContext());
  inlineMarkers(M);
  if (runPipeline(M, *Stages) == PipelineResult::Failed)
    return std::string();
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(M, &BrokenStream))
    return createStringError("internal error: the pipeline made bad IR: " +
                             Broken);
  verbose("made the images");

  // With a summary, so that it can be inlined into like any other module.
  SmallString<0> After;
  raw_svector_ostream AfterStream(After);
  PassBuilder PB;
  ModulePassManager Passes;
  Passes.addPass(NameAnonGlobalPass());
  Passes.addPass(ThinLTOBitcodeWriterPass(AfterStream, nullptr));
  runPasses(M, Passes, PB);
  // What has been said once must be said again by the next link.
  if (Said.Any)
    Path = Objects.path({"spoke", After}, ".bc");
  if (Error E = Cache::store(Path, After))
    return std::move(E);
  return Path;
}

} // namespace ferry
