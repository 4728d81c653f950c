//===- ferry-c++ - clang++ that knows kernels -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes clang++'s arguments, adds what Ferry needs, and becomes clang++:
//
//   a source is compiled   the plugin, the headers, -std=gnu++20 where it
//                          uses Ferry and no -std is there, and -g, whose line
//                          tables the plugin uses for messages and strips again
//   a program is linked    libferry; with -flto the plugin in lld
//
// All of it stands between --start-no-unused-arguments and its end, so clang
// does not complain where a part is not needed. What the plugin must know goes
// through the environment (FERRY_TARGETS, FERRY_STRIP_DEBUG), since clang loads
// pass plugins after it has read its options.
//
//===----------------------------------------------------------------------===//

#include "../LastBuild.h"
#include "CommandLine.h"
#include "Includes.h"
#include "Installation.h"
#include "Process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace ferry::driver;

static constexpr int UsageError = 2;

static const char Help[] =
    R"(Ferry (ferry-c++ %s): clang++ whose functions run on GPUs and all CPU cores.
Takes every option of clang++-22, and:
  --targets=LIST     the devices to make code for, separated by commas:
                       native   the CPU, and the GPUs of this machine (default)
                       cpu      this machine's CPU cores
                       sm_NN    an NVIDIA GPU, as sm_80 or sm_90
                       gfxNNN   an AMD GPU, as gfx90a, gfx942 or gfx1100
  --ferry-help       prints this text
Environment:
  FERRY_TARGETS      the target list where --targets= is not given
  FERRY_CLANG        the clang++ to use; it must be of version 22
  FERRY_DEVICE       read by the built program: cpu, gpu, virtual or a number
)";

static bool isCompiled(const Input &I) {
  return I.Kind == InputKind::Source || I.Kind == InputKind::Header;
}

static bool usesFerry(const CommandLine &Line) {
  return std::ranges::any_of(Line.ForcedIncludes,
                             [](const std::string &Name) {
                               return Name.starts_with("ferry/") ||
                                      includesFerry(Name);
                             }) ||
         std::ranges::any_of(Line.Inputs, [](const Input &I) {
           return isCompiled(I) && includesFerry(I.Path);
         });
}

/// What is added for compiling. Sets what the plugin shall know about it.
static std::vector<std::string> compileOptions(const CommandLine &Line,
                                               const Installation &Ferry) {
  if (std::ranges::none_of(Line.Inputs, isCompiled))
    return {};
  std::vector<std::string> Added = {"-fpass-plugin=" + Ferry.Plugin.string(),
                                    "-isystem", Ferry.Headers.string()};
  if (!Line.SetsStandard && !Line.CompilesC && usesFerry(Line))
    Added.push_back("-std=gnu++20");
  // -g would also describe an assembler file, and nobody strips that again.
  if (!Line.SetsDebugInfo && !Line.has(InputKind::Assembler)) {
    Added.push_back("-g");
    setenv("FERRY_STRIP_DEBUG", "1", 1);
  }
  return Added;
}

static bool links(const CommandLine &Line) {
  return !Line.StopsBeforeLink && !Line.LinksPartially &&
         std::ranges::any_of(Line.Inputs, [](const Input &I) {
           return I.Kind != InputKind::Header;
         });
}

static std::vector<std::string> linkOptions(const CommandLine &Line,
                                            const Installation &Ferry) {
  std::vector<std::string> Added;
  if (links(Line) && Line.LinkTime == Lto::Full) {
    if (Line.Linker.empty())
      Added.push_back("-fuse-ld=lld");
    Added.push_back("-Wl,--load-pass-plugin=" + Ferry.Plugin.string());
  }
  return Added;
}

/// What must stand after the user's inputs.
static std::vector<std::string> libraries(const CommandLine &Line,
                                          const Installation &Ferry) {
  if (!links(Line))
    return {};
  // After a "--" every argument is a file. glibc has the rest in libc today.
  if (Line.InputsOnly)
    return {Ferry.Library.string()};
  std::vector<std::string> Added;
  if (Line.SetsLanguage)
    Added = {"-x", "none"};
  Added.insert(Added.end(),
               {Ferry.Library.string(), "-ldl", "-lpthread", "-lm"});
  return Added;
}

/// clang++'s whole command line.
static std::vector<std::string> assemble(const std::filesystem::path &Clang,
                                         const CommandLine &Line,
                                         const Installation &Ferry) {
  auto InputsOnly =
      Line.Arguments.begin() + Line.InputsOnly.value_or(Line.Arguments.size());
  std::vector<std::string> Result = {Clang.string()};
  auto Append = [&](const auto &Added) {
    Result.insert(Result.end(), Added.begin(), Added.end());
  };
  Append(std::vector<std::string>(Line.Arguments.begin(), InputsOnly));
  Result.push_back("--start-no-unused-arguments");
  Append(compileOptions(Line, Ferry));
  Append(linkOptions(Line, Ferry));
  if (!Line.InputsOnly)
    Append(libraries(Line, Ferry));
  Result.push_back("--end-no-unused-arguments");
  Append(std::vector<std::string>(InputsOnly, Line.Arguments.end()));
  if (Line.InputsOnly)
    Append(libraries(Line, Ferry));
  return Result;
}

/// A full-LTO link does Ferry's work in lld, and in no other linker.
static bool hasLinkerForLto(const CommandLine &Line,
                            const std::filesystem::path &Clang) {
  if (Line.LinkTime != Lto::Full || !links(Line))
    return true;
  if (!Line.Linker.empty() && Line.Linker.find("lld") == std::string::npos) {
    std::fprintf(stderr,
                 "ferry-c++: error: -flto with the linker '%s': only lld can "
                 "load Ferry; leave the linker out, or link without -flto\n",
                 Line.Linker.c_str());
    return false;
  }
  if (Line.Linker.empty() && !hasLld(Clang)) {
    std::fprintf(stderr, "ferry-c++: error: -flto needs lld 22; install it "
                         "with 'apt-get install lld-22'\n");
    return false;
  }
  return true;
}

int main(int Count, char **Values) {
  CommandLine Line = parse({Values + 1, Values + Count});
  if (Line.WantsFerryHelp) {
    std::printf(Help, FERRY_VERSION);
    return 0;
  }
  if (Line.Targets) {
    if (auto Wrong = wrongTarget(*Line.Targets)) {
      std::fprintf(stderr,
                   "ferry-c++: error: '%s' in --targets=%s is no target; write "
                   "native, cpu, virtual, sm_NN (as sm_90) or gfxNNN (as "
                   "gfx90a), separated by commas\n",
                   Wrong->c_str(), Line.Targets->c_str());
      return UsageError;
    }
    setenv("FERRY_TARGETS", Line.Targets->c_str(), 1);
  }

  auto Clang = findClang();
  if (!Clang)
    return 1;
  std::vector<std::string> Arguments = {Clang->string()};
  Arguments.insert(Arguments.end(), Line.Arguments.begin(),
                   Line.Arguments.end());
  if (Line.IsCc1)
    return become(Arguments);
  if (Line.WantsHelp || Line.WantsVersion) {
    int Status = call(Arguments);
    std::printf(Line.WantsHelp ? Help : "Ferry version %s\n", FERRY_VERSION);
    return Status;
  }

  auto Ferry = findInstallation();
  if (!Ferry || !hasLinkerForLto(Line, *Clang))
    return 1;
  unsetenv("FERRY_STRIP_DEBUG");
  Arguments = assemble(*Clang, Line, *Ferry);
  if (links(Line))
    ferry::rememberBuild(Line.Output);
  return become(Arguments);
}
