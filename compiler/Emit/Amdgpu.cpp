//===- Amdgpu.cpp - Code objects for AMD GPUs -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Tools.h"

using namespace llvm;

namespace ferry {

Expected<SmallVector<char, 0>> emitAmdgpu(Module &M, const Target &T) {
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
  // Lower leaves nothing undefined; if something is, it must not first be
  // noticed when a user's GPU loads the object.
  if (Error E = runTool(
          *Lld, {"-shared", "--no-undefined", "-o", Out->path(), In->path()}))
    return E;
  return Out->read();
}

} // namespace ferry
