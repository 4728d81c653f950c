//===- Codegen.cpp - A module to an object or to assembly -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Machine.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace llvm;

namespace ferry {

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
  Passes.run(M);
  if (Error E = Reports.takeError())
    return createStringError("no code for target '" + T.name() +
                             "': " + toString(std::move(E)));
  return Bytes;
}

} // namespace ferry
