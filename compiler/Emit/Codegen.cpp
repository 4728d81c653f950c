//===- Codegen.cpp - A module to an object or to assembly -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Machine.h"
#include "Tools.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace llvm;

namespace ferry {

/// Runs `Work` and says whether it came to its end. Back ends stop the process
/// at some things that they cannot translate; that must not take the compiler
/// down with a message that names neither kernel nor target.
static bool runGuarded(function_ref<void()> Work) {
  bool Outermost = !CrashRecoveryContext::GetCurrent();
  if (Outermost)
    CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  bool Finished = Guard.RunSafely(Work);
  if (Outermost)
    CrashRecoveryContext::Disable();
  return Finished;
}

Expected<SmallVector<char, 0>> generateCode(Module &M, const Target &T,
                                            CodeGenFileType Type) {
  Expected<std::unique_ptr<TargetMachine>> Machine = createMachine(T, M);
  if (!Machine)
    return Machine.takeError();
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  legacy::PassManager Passes;
  TargetLibraryInfoImpl Library(M.getTargetTriple());
  Passes.add(new TargetLibraryInfoWrapperPass(Library));
  if ((*Machine)->addPassesToEmitFile(Passes, Stream, nullptr, Type))
    return createStringError("LLVM cannot generate code for target '" +
                             T.name() + "'");
  ReportCollector Reports(M.getContext());
  bool Finished = runGuarded([&] { Passes.run(M); });
  Error Reported = Reports.takeError();
  if (!Finished)
    return joinErrors(createStringError("LLVM's code generator for target '" +
                                        T.name() + "' gave up"),
                      std::move(Reported));
  if (Error E = std::move(Reported))
    return createStringError("no code for target '" + T.name() +
                             "': " + toString(std::move(E)));
  return Bytes;
}

Expected<SmallVector<char, 0>> linkShared(Module &M, const Target &T,
                                          ArrayRef<StringRef> Options) {
  Expected<SmallVector<char, 0>> Object =
      generateCode(M, T, CodeGenFileType::ObjectFile);
  if (!Object)
    return Object.takeError();
  Expected<std::string> Lld = findLld();
  if (!Lld)
    return Lld.takeError();
  Expected<ScratchFile> In = ScratchFile::create("o");
  if (!In)
    return In.takeError();
  Expected<ScratchFile> Out = ScratchFile::create("so");
  if (!Out)
    return Out.takeError();
  if (Error E = In->write(StringRef(Object->data(), Object->size())))
    return E;
  // What is undefined must not first be noticed when a device loads the object.
  SmallVector<StringRef, 12> Arguments = {"-shared",         "--no-undefined",
                                          "--error-limit=5", "-o",
                                          Out->path(),       In->path()};
  Arguments.append(Options.begin(), Options.end());
  if (Error E = runTool(*Lld, Arguments))
    return E;
  return Out->read();
}

} // namespace ferry
