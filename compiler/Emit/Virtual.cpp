//===- Virtual.cpp - Images for libomptarget's host plugin ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The image is a shared object that the host plugin loads with dlopen. Its
// code may call what the program around it does not link: mathematics, and the
// compiler's helpers for 128-bit division and the like. So the object names the
// C library's libm.so.6 and libgcc_s.so.1 as needed, each only when something
// of it is used.
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"
#include "Tools.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ferry {

/// The run-time library `Name` (a soname), where Linux systems keep it.
static std::string findSharedLibrary(StringRef Name) {
  for (StringRef Directory :
       {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
        "/usr/lib64", "/lib", "/usr/lib"}) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    if (sys::fs::exists(Path))
      return std::string(Path);
  }
  return "";
}

Expected<SmallVector<char, 0>> emitVirtual(Module &M, const Target &T) {
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

  SmallVector<StringRef, 8> Arguments = {"-shared", "-o", Out->path(),
                                         In->path(), "--as-needed"};
  std::string Math = findSharedLibrary("libm.so.6");
  std::string Helpers = findSharedLibrary("libgcc_s.so.1");
  for (StringRef Library : {StringRef(Math), StringRef(Helpers)})
    if (!Library.empty())
      Arguments.push_back(Library);
  if (Error E = runTool(*Lld, Arguments))
    return E;
  return Out->read();
}

} // namespace ferry
