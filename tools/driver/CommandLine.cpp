//===- CommandLine.cpp - What clang++ was asked to do ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang++'s arguments are read only as far as Ferry must know: what is an
// input, of which kind, whether there is a link at the end, and which of the
// options that Ferry would add are there already. An argument that is not known
// here is passed on, so a new clang option needs no change, unless it takes its
// value from the next argument (SeparateValue).
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>

using namespace std::string_view_literals;

namespace ferry::driver {

/// Options whose value is the next argument when they stand alone.
static constexpr std::string_view SeparateValue[] = {
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-F",
    "-T",
    "-u",
    "-z",
    "-e",
    "-B",
    "-G",
    "-A",
    "-include-pch",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-cxx-isystem",
    "-stdlib++-isystem",
    "-ivfsoverlay",
    "-iframework",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xanalyzer",
    "-mllvm",
    "-mmlir",
    "-target",
    "--target",
    "-arch",
    "--sysroot",
    "-gcc-toolchain",
    "-rpath",
    "-framework",
    "-resource-dir",
    "-dumpdir",
    "-working-directory",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-fplugin-arg",
    "--param",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-Xopenmp-target",
    "-Xarch_host",
    "-Xarch_device",
    "--config",
    "-undefined",
};

/// Options after which nothing is linked.
static constexpr std::string_view StopOptions[] = {
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--precompile",
    "-emit-ast",
    "--analyze",
    "-emit-pch",
    "-rewrite-objc",
    "--compile",
    "--assemble",
    "--preprocess",
    "-verify-pch",
    "-fmodule-file-deps",
    "--emit-static-lib",
    "-emit-interface-stubs",
    "-extract-api",
};

static bool isOneOf(std::string_view Argument,
                    std::span<const std::string_view> Names) {
  return std::ranges::find(Names, Argument) != Names.end();
}

/// A file's kind by the language in force, else by its suffix, as clang's
/// Types.cpp has it. What it does not know goes to the linker.
static InputKind kindOf(std::string_view Path, std::string_view Language) {
  if (!Language.empty() && Language != "none")
    return Language.starts_with("assembler")          ? InputKind::Assembler
           : Language.find("header") != Language.npos ? InputKind::Header
                                                      : InputKind::Source;
  if (Path == "-")
    return InputKind::Source;
  size_t Dot = Path.rfind('.'), Slash = Path.rfind('/');
  if (Dot == Path.npos || (Slash != Path.npos && Slash > Dot))
    return InputKind::LinkerInput;
  static constexpr std::string_view Sources[] = {
      "c",    "C",   "cc", "cp",   "cpp", "cxx",  "c++", "CPP",
      "CXX",  "C++", "CC", "i",    "ii",  "m",    "mm",  "M",
      "mi",   "mii", "cu", "cppm", "cui", "cxxm", "hip", "ccm",
      "c++m", "iim", "cl", "bc",   "ll",  "pcm",  "ast", "ixx",
  };
  static constexpr std::string_view Headers[] = {
      "h", "H", "hh", "hpp", "hxx", "h++", "hp",
  };
  std::string_view Suffix = Path.substr(Dot + 1);
  if (isOneOf(Suffix, Sources))
    return InputKind::Source;
  if (isOneOf(Suffix, Headers))
    return InputKind::Header;
  if (Suffix == "s" || Suffix == "S" || Suffix == "asm")
    return InputKind::Assembler;
  return InputKind::LinkerInput;
}

/// GNU quoting, as clang reads response files on Unix.
static std::vector<std::string> tokenize(std::string_view Text) {
  std::vector<std::string> Tokens;
  std::string Token;
  bool InToken = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (std::isspace(static_cast<unsigned char>(C))) {
      if (InToken)
        Tokens.push_back(std::move(Token));
      Token.clear();
      InToken = false;
      continue;
    }
    InToken = true;
    if (C == '\\' && I + 1 < Text.size()) {
      Token += Text[++I];
    } else if (C == '\'' || C == '"') {
      for (++I; I < Text.size() && Text[I] != C; ++I) {
        if (C == '"' && Text[I] == '\\' && I + 1 < Text.size())
          ++I;
        Token += Text[I];
      }
    } else {
      Token += C;
    }
  }
  if (InToken)
    Tokens.push_back(std::move(Token));
  return Tokens;
}

static std::optional<std::vector<std::string>>
readResponseFile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return std::nullopt;
  return tokenize(std::string(std::istreambuf_iterator<char>(File), {}));
}

static bool isFerryOption(std::string_view Argument) {
  return Argument.starts_with("--targets=") || Argument == "--ferry-help";
}

namespace {
class Parser {
public:
  CommandLine Result;

  /// `PassOn` says whether these arguments themselves go to clang++, or the
  /// response file that they came from does.
  void parse(const std::vector<std::string> &Arguments, bool PassOn) {
    for (const std::string &A : Arguments) {
      if (!TakesNext && A.size() > 1 && A[0] == '@')
        if (auto Content = readResponseFile(A.substr(1))) {
          bool Expand = std::ranges::any_of(*Content, isFerryOption);
          if (PassOn && !Expand)
            Result.Arguments.push_back(A);
          parse(*Content, PassOn && Expand);
          continue;
        }
      if (!TakesNext && isFerryOption(A))
        ferryOption(A);
      else {
        if (PassOn)
          Result.Arguments.push_back(A);
        argument(A);
      }
    }
  }

private:
  std::string Option; ///< the one whose value comes next
  bool TakesNext = false;
  std::string Language;

  void ferryOption(std::string_view A) {
    if (A == "--ferry-help")
      Result.WantsFerryHelp = true;
    else
      Result.Targets = A.substr(A.find('=') + 1);
  }

  void setLanguage(std::string_view L) {
    Language = L;
    Result.SetsLanguage = L != "none";
    Result.CompilesC |= L == "c" || L == "c-header" || L == "cpp-output";
  }

  void value(std::string_view A) {
    if (Option == "-x")
      setLanguage(A);
    else if (Option == "-Xclang" && A.starts_with("-debug-info-kind="))
      Result.SetsDebugInfo = true;
    else if (Option == "-o")
      Result.Output = A;
    else if (Option == "-include")
      Result.ForcedIncludes.emplace_back(A);
  }

  void argument(std::string_view A) {
    if (TakesNext) {
      TakesNext = false;
      value(A);
    } else if (A == "--" && !Result.InputsOnly) {
      Result.InputsOnly = Result.Arguments.size() - 1;
    } else if (Result.InputsOnly || A.size() < 2 || A[0] != '-') {
      Result.Inputs.push_back({std::string(A), kindOf(A, Language)});
    } else if (A == "-x" || A == "-include" || isOneOf(A, SeparateValue)) {
      TakesNext = true;
      Option = A;
    } else
      flag(A);
  }

  void flag(std::string_view A) {
    if (isOneOf(A, StopOptions))
      Result.StopsBeforeLink = true;
    else if (A.starts_with("-x"))
      setLanguage(A.substr(2));
    else if (A.starts_with("-std=") || A.starts_with("--std="))
      Result.SetsStandard = true;
    else if (A == "-r")
      Result.LinksPartially = true;
    else if (A.starts_with("-o") && !A.starts_with("-objc"))
      Result.Output = A.substr(2);
    else if (A.starts_with("-l"))
      Result.Inputs.push_back({std::string(A), InputKind::LinkerInput});
    else if (A == "-cc1" || A == "-cc1as")
      Result.IsCc1 = true;
    else if (A == "--help" || A == "-help")
      Result.WantsHelp = true;
    else if (A == "--version")
      Result.WantsVersion = true;
    else if (A.starts_with("-fuse-ld="))
      Result.Linker = A.substr("-fuse-ld="sv.size());
    else if (A.starts_with("--ld-path="))
      Result.Linker = A.substr("--ld-path="sv.size());
    else if (A == "-fno-lto")
      Result.LinkTime = Lto::None;
    else if (A.starts_with("-flto"))
      linkTimeFlag(A);
    else if (A.starts_with("-g"))
      debugFlag(A);
  }

  void linkTimeFlag(std::string_view A) {
    if (A == "-flto=thin")
      Result.LinkTime = Lto::Thin;
    else if (A == "-flto" || A.starts_with("-flto="))
      Result.LinkTime = Lto::Full;
  }

  /// -g, -g1, -ggdb, -gline-tables-only ..., but not -gz or -gcc-toolchain,
  /// which alone make no debug info. -g0 takes it back.
  void debugFlag(std::string_view A) {
    static constexpr std::string_view Prefixes[] = {
        "-ggdb", "-gdwarf", "-gline", "-gmlt",  "-glldb",
        "-gsce", "-gdbx",   "-gfull", "-gused", "-gsplit"};
    bool IsLevel = A == "-g" || (A.size() == 3 && A[2] >= '0' && A[2] <= '3');
    if (IsLevel || std::ranges::any_of(Prefixes, [&](std::string_view P) {
          return A.starts_with(P);
        }))
      Result.SetsDebugInfo = A != "-g0";
  }
};
} // namespace

CommandLine parse(const std::vector<std::string> &Arguments) {
  Parser P;
  P.parse(Arguments, true);
  return std::move(P.Result);
}

static bool isTarget(std::string_view Name) {
  if (Name == "native" || Name == "cpu" || Name == "virtual")
    return true;
  bool IsSm = Name.starts_with("sm_");
  if (!IsSm && !Name.starts_with("gfx"))
    return false;
  std::string_view Number = Name.substr(3);
  if (Number.empty() || !std::isdigit(static_cast<unsigned char>(Number[0])))
    return false;
  // sm_90a; gfx90a, gfx9-4-generic.
  return std::ranges::all_of(Number, [&](unsigned char C) {
    return std::isdigit(C) || std::islower(C) || (!IsSm && C == '-');
  });
}

std::optional<std::string> wrongTarget(const std::string &List) {
  for (size_t Begin = 0; Begin <= List.size();) {
    size_t End = std::min(List.find(',', Begin), List.size());
    std::string Name = List.substr(Begin, End - Begin);
    if (!isTarget(Name))
      return Name;
    Begin = End + 1;
  }
  return std::nullopt;
}

} // namespace ferry::driver
