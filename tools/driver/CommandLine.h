//===- CommandLine.h - What clang++ was asked to do -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DRIVER_COMMANDLINE_H
#define FERRY_DRIVER_COMMANDLINE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry::driver {

/// A header is compiled too, and becomes no part of a program.
enum class InputKind : std::uint8_t { Source, Header, Assembler, LinkerInput };

struct Input {
  std::string Path;
  InputKind Kind;
};

enum class Lto : std::uint8_t { None, Thin, Full };

struct CommandLine {
  /// For clang++, in the user's order; without Ferry's own options.
  std::vector<std::string> Arguments;
  /// Where in Arguments a "--" stands, after which all are inputs.
  std::optional<size_t> InputsOnly;

  std::vector<Input> Inputs;
  std::string Output = "a.out";       ///< -o
  std::optional<std::string> Targets; ///< of --targets=
  bool WantsFerryHelp = false;        ///< --ferry-help
  bool WantsHelp = false;             ///< --help: clang's, and then ours
  bool WantsVersion = false;
  bool IsCc1 = false; ///< -cc1 and -cc1as: another program's arguments
  bool StopsBeforeLink = false; ///< -c, -S, -E, -M, -fsyntax-only ...
  bool LinksPartially = false;  ///< -r
  bool SetsStandard = false;
  bool SetsDebugInfo = false;
  bool SetsLanguage = false; ///< -x is in force at the end
  bool CompilesC = false;    ///< -x c somewhere
  Lto LinkTime = Lto::None;
  std::string Linker; ///< of -fuse-ld= or --ld-path=
  std::vector<std::string> ForcedIncludes;

  bool has(InputKind K) const {
    for (const Input &I : Inputs)
      if (I.Kind == K)
        return true;
    return false;
  }
};

/// Response files are looked into, but stay as they are unless they hold an
/// option of Ferry's.
CommandLine parse(const std::vector<std::string> &Arguments);

/// The first name in a target list that cannot be one.
std::optional<std::string> wrongTarget(const std::string &List);

} // namespace ferry::driver

#endif // FERRY_DRIVER_COMMANDLINE_H
