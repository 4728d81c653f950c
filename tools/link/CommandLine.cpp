//===- CommandLine.cpp ----------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ferry-ld stands where rustc expects a C compiler that links. It must not know
// every option of every linker, so it looks for three things only and leaves
// the rest as it came: arguments that may be input files, the output's name,
// and the LTO plugin options, which rustc hides in "-Wl,a,b,c" groups.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace ferry {

/// Options whose value is the next argument, so that the value is not taken
/// for an input file.
static bool takesValue(StringRef Arg) {
  return StringSwitch<bool>(Arg)
      .Cases({"-o", "-L", "-l", "-B", "-T", "-u", "-e", "-z", "-h"}, true)
      .Cases({"-x", "-I", "-D", "-Xlinker", "-target", "--target"}, true)
      .Cases({"--sysroot", "-isysroot", "-rpath", "-soname", "-arch"}, true)
      .Default(false);
}

/// Takes an LTO plugin's option; false when `Option` is another one.
static bool takePluginOption(StringRef Option, CommandLine &Line) {
  if (!Option.consume_front("-plugin-opt=") &&
      !Option.consume_front("--plugin-opt="))
    return Option.starts_with("-plugin=") || Option.starts_with("--plugin=");
  unsigned Level;
  if (Option.starts_with("O") && !Option.drop_front().getAsInteger(10, Level))
    Line.OptLevel = std::min(Level, 3u);
  else if (Option.consume_front("mcpu="))
    Line.Cpu = Option.str();
  return true;
}

/// rustc infers from a linker's name what command line it takes, and takes
/// "ferry-ld" for a bare linker unless it is told otherwise.
static Error refuseBareLinkerStyle(StringRef Arg) {
  if (Arg != "--as-needed" && Arg != "--eh-frame-hdr" &&
      !Arg.starts_with("-plugin-opt="))
    return Error::success();
  return createStringError(
      "'" + Arg +
      "' is an option of a bare linker, but ferry-ld takes a C compiler's "
      "command line; pass -Clinker-flavor=gcc to rustc (cargo ferry does)");
}

Expected<CommandLine> CommandLine::parse(ArrayRef<const char *> Argv) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 256> Expanded(Argv.begin(), Argv.end());
  if (!cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Expanded))
    return createStringError("cannot read a response file of the command line");

  CommandLine Line;
  bool IsValue = false;
  for (StringRef Arg : Expanded) {
    if (!IsValue) {
      if (Error E = refuseBareLinkerStyle(Arg))
        return std::move(E);
      if (Arg.starts_with("-Wl,")) {
        SmallVector<StringRef, 4> Options, Kept;
        Arg.drop_front(4).split(Options, ',');
        for (StringRef Option : Options)
          if (!takePluginOption(Option, Line))
            Kept.push_back(Option);
        if (!Kept.empty())
          Line.Args.push_back("-Wl," + join(Kept, ","));
        continue;
      }
      if (Arg.starts_with("-o") && Arg.size() > 2)
        Line.Output = Arg.drop_front(2).str();
      else if (!Arg.starts_with("-"))
        Line.Files.push_back(Line.Args.size());
    } else if (Line.Args.back() == "-o") {
      Line.Output = Arg.str();
    } else if (Line.Args.back() == "-Xlinker" && takePluginOption(Arg, Line)) {
      Line.Args.pop_back();
      IsValue = false;
      continue;
    }
    IsValue = !IsValue && takesValue(Arg);
    Line.Args.push_back(Arg.str());
  }
  return Line;
}

} // namespace ferry
