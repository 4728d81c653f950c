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
// out as bitcode, is the key under which the finished object is kept: a change
// anywhere in the program that does not reach a kernel or its launches costs no
// device compile.
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "Pipeline.h"
#include "Verbose.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

namespace {
/// Prints "error: src/main.rs:12:5: ..." for what has a place.
struct PrintingHandler : DiagnosticHandler {
  bool *Spoke;
  explicit PrintingHandler(bool *Spoke) : Spoke(Spoke) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error && Info.getSeverity() != DS_Warning)
      return true;
    *Spoke = true;
    raw_ostream &OS = errs();
    OS << (Info.getSeverity() == DS_Error ? "error: " : "warning: ");
    if (auto *Located = dyn_cast<DiagnosticInfoUnsupported>(&Info)) {
      if (Located->isLocationAvailable())
        OS << Located->getLocationStr() << ": ";
      OS << Located->getMessage();
    } else {
      DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
    }
    OS << "\n";
    return true;
  }
};
} // namespace

static std::string describe(const CodeGenOptions &Options,
                            const PipelineOptions &Stages) {
  std::string Text = utostr(Options.OptLevel) + " " + Options.Cpu;
  for (const Target &T : Stages.Targets)
    Text += " " + T.name();
  return Text + (Stages.StripDebugInfo ? " strip" : "");
}

Expected<std::string> compileLaunches(Module &M, const CodeGenOptions &Options,
                                      const Cache &Objects) {
  Expected<PipelineOptions> Stages = PipelineOptions::fromEnvironment();
  if (!Stages)
    return Stages.takeError();
  Stages->WholeProgram = true;

  SmallString<0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  std::string Path =
      Objects.path({"launches", describe(Options, *Stages), Bitcode}, ".o");
  if (Cache::has(Path)) {
    verbose("reused the object with the launches");
    return Path;
  }

  bool Spoke = false;
  M.getContext().setDiagnosticHandler(
      std::make_unique<PrintingHandler>(&Spoke));
  if (runPipeline(M, *Stages) == PipelineResult::Failed)
    return std::string();
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(M, &BrokenStream))
    return createStringError("internal error: the pipeline made bad IR: " +
                             Broken);
  auto Object = generateObject(M, Options);
  if (!Object)
    return Object.takeError();
  verbose("compiled the object with the launches");
  if (Error E = Cache::store(Path, StringRef(Object->data(), Object->size())))
    return std::move(E);
  return Path;
}

} // namespace ferry
