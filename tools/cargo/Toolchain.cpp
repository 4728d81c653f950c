//===- Toolchain.cpp - Whether this Rust can build with Ferry -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ferry-ld reads rustc's bitcode with LLVM 22. LLVM reads the bitcode of older
// versions, and never that of newer ones, so a newer rustc is told at once.
//
//===----------------------------------------------------------------------===//

#include "Toolchain.h"
#include "Process.h"
#include <cstdio>
#include <cstring>
#include <sstream>

namespace ferry {

static const char Mend[] =
    "help: rustup toolchain install 1.95 && cargo +1.95 ferry build\n"
    "      (on Debian also: apt-get install rustc-web cargo-web)";

/// The value of a line `Key: value`.
static std::string field(const std::string &Text, const char *Key) {
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);)
    if (Line.rfind(Key, 0) == 0)
      return Line.substr(std::strlen(Key));
  return "";
}

std::string checkVersions(const std::string &Rustc,
                          const std::string &Versions) {
  std::string Release = field(Versions, "release: ");
  int Major = 0, Minor = 0;
  if (std::sscanf(Release.c_str(), "%d.%d", &Major, &Minor) != 2)
    return "`" + Rustc + " -vV` does not say which release it is\n" + Mend;
  if (Major == 1 && Minor < MinimumRustMinor)
    return "rustc " + Release + " is too old: Ferry needs rustc 1." +
           std::to_string(MinimumRustMinor) + " or newer\n" + Mend;

  std::string LLVM = field(Versions, "LLVM version: ");
  int LLVMMajor = 0;
  if (std::sscanf(LLVM.c_str(), "%d", &LLVMMajor) != 1)
    return "rustc " + Release + " has no LLVM back end\n" + Mend;
  if (LLVMMajor > PluginLLVMMajor)
    return "rustc " + Release + " writes bitcode of LLVM " + LLVM +
           ", but this Ferry is built with LLVM " +
           std::to_string(PluginLLVMMajor) +
           " and cannot read what is newer\n" + Mend;
  return "";
}

std::string checkToolchain(const std::string &Cargo) {
  if (findProgram(Cargo).empty())
    return "there is no cargo (" + Cargo + ")\n" + Mend;
  for (const char *Tool : {"ferry-ld", "ferry-rustc", "ferry-rustdoc"})
    if (findProgram(toolDirectory() + "/" + Tool).empty())
      return toolDirectory() + " has no " + Tool +
             ": this installation of Ferry is not complete\n"
             "help: build Ferry anew with `make build`, or repeat `cmake "
             "--install`";

  std::string Rustc = environment("RUSTC");
  if (Rustc.empty())
    Rustc = "rustc";
  std::string Versions;
  if (capture(Rustc, {"-vV"}, Versions) != 0)
    return "`" + Rustc + " -vV` does not run\n" + Mend;
  return checkVersions(Rustc, Versions);
}

} // namespace ferry
