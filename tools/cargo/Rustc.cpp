//===- Rustc.cpp - What stands before rustc and rustdoc -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cargo ferry makes this program cargo's RUSTC_WRAPPER, and by its other name,
// ferry-rustdoc, cargo's rustdoc. It adds Ferry's flags to each compilation and
// becomes the real compiler. Flags given this way leave alone whatever the user
// has in RUSTFLAGS, in CARGO_ENCODED_RUSTFLAGS or anywhere in cargo's
// configuration, of which cargo would take only the first.
//
// cargo does not see the flags. So that `cargo build` and `cargo ferry build`
// do not take each other's results for their own, `rustc -vV` says one line
// more here: its text is part of every artifact's identity, and both kinds of
// build live side by side in one target directory.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

using namespace ferry;

// Device code is cut from what rustc emits: bitcode, not yet vectorised for the
// host. ferry-ld's name alone would make rustc talk to it like to ld. In
// errors, symbols of the newer mangling read like source: main::{closure#1}.
static const char *const Flags[] = {
    "-Clinker-flavor=gcc",          "-Clinker-plugin-lto",
    "-Cno-vectorize-loops",         "-Cno-vectorize-slp",
    "-Csymbol-mangling-version=v0", "--cfg=ferry_plugin"};

// For optimised crates that use Ferry. LLVM's passes would copy barriers and
// move them under conditions, since rustc has no way to tell them what a
// barrier is. ferry-ld runs these passes on the host's code later. At -O0 rustc
// runs but one, which inlines what always must be.
static const char *const NoPasses = "-Cno-prepopulate-passes";

static bool startsWith(const std::string &S, const char *Prefix) {
  return S.rfind(Prefix, 0) == 0;
}

/// The last value of a -C option, in any of its spellings.
static std::string codegenOption(const Arguments &Args,
                                 const std::string &Name) {
  std::string Value;
  for (size_t I = 0; I != Args.size(); ++I) {
    std::string Option;
    if ((Args[I] == "-C" || Args[I] == "--codegen") && I + 1 != Args.size())
      Option = Args[I + 1];
    else if (startsWith(Args[I], "--codegen="))
      Option = Args[I].substr(strlen("--codegen="));
    else if (startsWith(Args[I], "-C"))
      Option = Args[I].substr(2);
    else if (Args[I] == "-g" && Name == "debuginfo")
      Value = "2";
    else if (Args[I] == "-O" && Name == "opt-level")
      Value = "3";
    if (startsWith(Option, (Name + "=").c_str()))
      Value = Option.substr(Name.size() + 1);
  }
  return Value;
}

/// cargo's questions about the compiler are no compilations.
static bool isCompilation(const Arguments &Args) {
  for (const std::string &Arg : Args)
    if (startsWith(Arg, "--print") || startsWith(Arg, "-V") ||
        startsWith(Arg, "-v") || Arg == "--version")
      return false;
  return !Args.empty();
}

static bool usesFerry(const Arguments &Args) {
  for (const std::string &Arg : Args)
    if (startsWith(Arg, "ferry=") || startsWith(Arg, "--extern=ferry="))
      return true;
  return false;
}

/// rustc links executables and shared libraries through ferry-ld, but packs a
/// static library itself.
static void warnAboutStaticLibrary(const Arguments &Args) {
  for (size_t I = 0; I + 1 < Args.size(); ++I)
    if (Args[I] == "--crate-type" && Args[I + 1] == "staticlib")
      fprintf(stderr,
              "warning: a static library built by cargo ferry holds LLVM "
              "bitcode: link programs with it by %s/ferry-ld, which takes cc's "
              "arguments\n",
              toolDirectory().c_str());
}

static void addFlags(Arguments &Args) {
  if (std::string Linker = codegenOption(Args, "linker"); !Linker.empty())
    setEnvironment("FERRY_LD_REAL", Linker);

  // Messages name source lines and, where launches are, variables, whatever the
  // profile says. What the user did not ask for is taken out again once it has
  // served.
  std::string DebugInfo = codegenOption(Args, "debuginfo");
  if (DebugInfo.empty() || DebugInfo == "0" || DebugInfo == "none") {
    Args.push_back(usesFerry(Args) ? "-Cdebuginfo=full"
                                   : "-Cdebuginfo=line-tables-only");
    setEnvironment("FERRY_STRIP_DEBUG", "1");
  }

  std::string Level = codegenOption(Args, "opt-level");
  if (usesFerry(Args) && !Level.empty() && Level != "0") {
    Args.push_back(NoPasses);
    setEnvironment("FERRY_RAW", "1");
  }

  Args.push_back("-Clinker=" + toolDirectory() + "/ferry-ld");
  Args.insert(Args.end(), std::begin(Flags), std::end(Flags));
}

int main(int Argc, char **Argv) {
  Arguments Args(Argv + 1, Argv + Argc);
  std::string Name = Argv[0];
  bool IsRustdoc = Name.substr(Name.rfind('/') + 1) == "ferry-rustdoc";
  std::string Program;
  if (IsRustdoc) {
    Program = environment("FERRY_REAL_RUSTDOC");
    if (Program.empty())
      Program = "rustdoc";
  } else {
    if (Args.empty()) {
      fprintf(stderr,
              "ferry-rustc: error: no compiler given; cargo ferry calls "
              "this program, there is no use in calling it by hand\n");
      return 2;
    }
    Program = Args.front();
    Args.erase(Args.begin());
  }

  if (Args == Arguments{"-vV"}) {
    std::string Versions;
    if (int Status = capture(Program, Args, Versions))
      return Status < 0 ? 1 : Status;
    printf("%sferry: %s", Versions.c_str(), FERRY_VERSION);
    for (const char *Flag : Flags)
      printf(" %s", Flag);
    printf(" %s\n", NoPasses);
    return 0;
  }
  if (isCompilation(Args)) {
    warnAboutStaticLibrary(Args);
    addFlags(Args);
  }

  // A wrapper of the user's, sccache say, stays between cargo and rustc.
  if (std::string Inner = environment("FERRY_REAL_WRAPPER");
      !Inner.empty() && !IsRustdoc) {
    Args.insert(Args.begin(), Program);
    Program = Inner;
  }
  execute(Program, Args);
  fprintf(stderr, "ferry-rustc: error: cannot run %s: %s\n", Program.c_str(),
          strerror(errno));
  return 1;
}
