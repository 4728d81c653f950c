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
  std::string Libraries[] = {findSharedLibrary("libm.so.6"),
                             findSharedLibrary("libgcc_s.so.1"),
                             findSharedLibrary("libc.so.6"),
                             findSharedLibrary("ld-linux-x86-64.so.2")};
  SmallVector<StringRef, 8> Options = {"--as-needed"};
  for (const std::string &Library : Libraries)
    if (!Library.empty())
      Options.push_back(Library);
  return linkShared(M, T, Options);
}

} // namespace ferry
