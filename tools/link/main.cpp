//===- main.cpp - ferry-ld, the linker that rustc calls -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rustc -Clinker-plugin-lto -Clinker=ferry-ld hands over LLVM bitcode where a
// linker expects machine code. ferry-ld takes the modules that launch kernels,
// and what these kernels call, through Ferry's pipeline, generates machine code
// for them and for all other bitcode, and calls the normal linker.
//
// No whole-program LTO takes place. Each module is optimised by itself, on all
// cores, and its object kept in a cache beside the output, so that a link costs
// about what rustc's own code generation would have cost.
//
//===----------------------------------------------------------------------===//

#include "CodeGen.h"
#include "FinalLink.h"
#include "Launches.h"
#include "Merge.h"
#include "Verbose.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/WithColor.h"
#include <mutex>

using namespace llvm;
using namespace ferry;

void ferry::verbose(const Twine &What) {
  static const bool Wanted = std::getenv("FERRY_LD_VERBOSE");
  static std::mutex Mutex;
  if (!Wanted)
    return;
  std::lock_guard Lock(Mutex);
  errs() << "ferry-ld: " << What << "\n";
}

static int fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
    errs() << "ferry-ld: error: " << Info.message() << "\n";
  });
  return 1;
}

/// The object of one module that launches nothing.
static Error compileModule(ObjectInput &Object, const CodeGenOptions &Options,
                           const Cache &Objects) {
  std::string Key = utostr(Options.OptLevel) + " " + Options.Cpu +
                    (Options.StripDebugInfo ? " strip" : "");
  Object.Native =
      Objects.path({"module", Key, Object.Buffer.getBuffer()}, ".o");
  if (Cache::has(Object.Native)) {
    verbose("reused " + Object.Name);
    return Error::success();
  }
  LLVMContext Context;
  auto M = parseBitcodeFile(Object.Buffer, Context);
  if (!M)
    return createFileError(Object.Name, M.takeError());
  auto Native = generateObject(**M, Options);
  if (!Native)
    return createFileError(Object.Name, Native.takeError());
  verbose("compiled " + Object.Name);
  return Cache::store(Object.Native, StringRef(Native->data(), Native->size()));
}

static Expected<int> link(int Argc, char **Argv) {
  // Read the command line and what it names.
  Expected<CommandLine> Line =
      CommandLine::parse(ArrayRef<const char *>(Argv + 1, Argc - 1));
  if (!Line)
    return Line.takeError();
  Expected<std::vector<InputFile>> Files = readInputs(*Line);
  if (!Files)
    return Files.takeError();

  // Without bitcode there is nothing to do that the normal linker cannot.
  if (none_of(*Files, [](const InputFile &File) { return File.hasBitcode(); }))
    return runLinker(std::vector<std::string>(Argv + 1, Argv + Argc));

  // Find the launches and what they need; this decides which modules are left.
  Expected<Cache> Objects = Cache::open(Line->Output);
  if (!Objects)
    return Objects.takeError();
  LLVMContext Context;
  auto Merged = mergeLaunches(*Files, Context);
  if (!Merged)
    return Merged.takeError();

  // Generate code for those on all cores, and meanwhile compile the launches.
  CodeGenOptions Options{Line->OptLevel, Line->Cpu,
                         std::getenv("FERRY_STRIP_DEBUG") != nullptr};
  initializeCodeGen();
  DefaultThreadPool Pool;
  std::mutex Mutex;
  Error Failures = Error::success();
  for (InputFile &File : *Files)
    for (ObjectInput &Object : File.Objects)
      if (Object.IsBitcode && !Object.Merged)
        Pool.async([&] {
          if (Error E = compileModule(Object, Options, *Objects)) {
            std::lock_guard Lock(Mutex);
            Failures = joinErrors(std::move(Failures), std::move(E));
          }
        });
  std::string MergedObject;
  bool Refused = false;
  if (*Merged) {
    Expected<std::string> Path = compileLaunches(**Merged, Options, *Objects);
    std::lock_guard Lock(Mutex);
    if (!Path)
      Failures = joinErrors(std::move(Failures), Path.takeError());
    else
      Refused = Path->empty();
    MergedObject = Path ? *Path : "";
  }
  Pool.wait();
  if (Failures)
    return std::move(Failures);
  if (Refused)
    return 1;

  // Link.
  auto Args = finalArguments(*Line, *Files, MergedObject, *Objects);
  if (!Args)
    return Args.takeError();
  Expected<int> Code = runLinker(*Args);
  Objects->prune();
  return Code;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  Expected<int> Code = link(Argc, Argv);
  return Code ? *Code : fail(Code.takeError());
}
