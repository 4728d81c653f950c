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
// No whole-program LTO takes place. Each crate is optimised by itself, on all
// cores but for the crate that launches, and its objects kept in a cache beside
// the output, so that a link costs about what rustc's own code generation would
// have cost.
//
//===----------------------------------------------------------------------===//

#include "../LastBuild.h"
#include "Compile.h"
#include "FinalLink.h"
#include "Launches.h"
#include "Merge.h"
#include "Messages.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace llvm;
using namespace ferry;

static int fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
    errs() << "ferry-ld: error: " << Info.message() << "\n";
  });
  return 1;
}

/// What the pipeline made of the launches, as one more input.
static Expected<InputFile> readLaunches(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  InputFile File;
  File.Buffer = std::move(*Buffer);
  ObjectInput &Object = File.Objects.emplace_back();
  Object.Buffer = File.Buffer->getMemBufferRef();
  Object.Name = "the launches";
  Object.IsBitcode = true;
  return File;
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
  printMessages(Context);
  auto Merged = mergeLaunches(*Files, Context);
  if (!Merged)
    return Merged.takeError();

  // Generate code on all cores, and meanwhile run the pipeline on the launches.
  // What it makes of them becomes one module with the other plain objects,
  // which mostly belong to the same crate.
  CodeGenOptions Options{Line->OptLevel, Line->Cpu,
                         sys::Process::GetEnv("FERRY_STRIP_DEBUG") == "1"};
  initializeCodeGen();
  std::vector<Group> Groups = makeGroups(*Files, Options.OptLevel);
  Group Last = std::move(Groups.back());
  Groups.pop_back();
  DefaultThreadPool Pool;
  std::mutex Mutex;
  Error Failures = Error::success();
  auto Compile = [&](const Group &Modules) {
    if (Error E = compileGroup(Modules, Options, *Objects)) {
      std::lock_guard Lock(Mutex);
      Failures = joinErrors(std::move(Failures), std::move(E));
    }
  };
  for (const Group &Modules : Groups)
    Pool.async([&] { Compile(Modules); });
  // rustc has left its passes out for kernels' sake; the rest gets them now.
  if (Options.OptLevel > 1 && sys::Process::GetEnv("FERRY_RAW") == "1")
    for (ObjectInput *Object : Last)
      Pool.async([&, Object] {
        if (Error E = prepareRaw(*Object, Options, *Objects)) {
          std::lock_guard Lock(Mutex);
          Failures = joinErrors(std::move(Failures), std::move(E));
        }
      });
  InputFile Launches;
  if (*Merged) {
    Expected<std::string> Path = compileLaunches(**Merged, *Objects);
    if (!Path) {
      Pool.wait();
      return joinErrors(std::move(Failures), Path.takeError());
    }
    if (Path->empty()) {
      Pool.wait();
      consumeError(std::move(Failures)); // the program is refused already
      return 1;
    }
    Expected<InputFile> File = readLaunches(*Path);
    if (!File) {
      Pool.wait();
      return joinErrors(std::move(Failures), File.takeError());
    }
    Launches = std::move(*File);
    Last.insert(Last.begin(), &Launches.Objects.front());
  }
  Pool.wait();
  if (Error E = *Merged ? compileAsOne(Last, Options, *Objects)
                        : compileGroup(Last, Options, *Objects))
    Failures = joinErrors(std::move(Failures), std::move(E));
  if (Failures)
    return std::move(Failures);

  // Link.
  auto Args = finalArguments(
      *Line, *Files, *Merged ? Launches.Objects.front().Native : "", *Objects);
  if (!Args)
    return Args.takeError();
  Expected<int> Code = runLinker(*Args);
  if (Code && *Code == 0 && *Merged)
    rememberBuild(Line->Output);
  Objects->prune();
  return Code;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  Expected<int> Code = link(Argc, Argv);
  return Code ? *Code : fail(Code.takeError());
}
