//===- Installation.cpp - Where clang and Ferry are -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin fits one major version of clang. The clang that Ferry was built
// against is known to be right; another one that the user names is asked for
// its version, since a wrong one would fail later with a list of symbols.
//
//===----------------------------------------------------------------------===//

#include "Installation.h"
#include "Process.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ferry::driver {

static bool isExecutable(const fs::path &P) {
  std::error_code Ignored; // no such file: not executable
  return fs::is_regular_file(P, Ignored) && access(P.c_str(), X_OK) == 0;
}

static std::optional<fs::path> findInPath(std::string_view Name) {
  const char *Variable = std::getenv("PATH");
  std::string_view List = Variable ? Variable : "";
  while (!List.empty()) {
    size_t End = std::min(List.find(':'), List.size());
    fs::path Candidate = fs::path(List.substr(0, End)) / Name;
    if (End && isExecutable(Candidate))
      return Candidate;
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  return std::nullopt;
}

std::optional<Installation> findInstallation() {
  std::error_code Error;
  fs::path Self = fs::read_symlink("/proc/self/exe", Error);
  if (Error) {
    std::fprintf(stderr, "ferry-c++: error: cannot find its own place: %s\n",
                 Error.message().c_str());
    return std::nullopt;
  }
  fs::path Root = Self.parent_path().parent_path();
  Installation I;
  I.Headers = Root / "include";
  for (const char *Directory : {"lib", FERRY_INSTALL_LIBDIR}) {
    I.Plugin = Root / Directory / "FerryPlugin.so";
    I.Library = Root / Directory / "libferry.a";
    if (fs::exists(I.Plugin, Error))
      break;
  }
  for (const fs::path &Needed :
       {I.Plugin, I.Library, I.Headers / "ferry" / "ferry.h"})
    if (!fs::exists(Needed, Error)) {
      std::fprintf(stderr,
                   "ferry-c++: error: %s is missing; build all of Ferry, or "
                   "install it again\n",
                   Needed.c_str());
      return std::nullopt;
    }
  return I;
}

/// The first number that `clang -dumpversion` prints; 0 when it prints none.
static int majorVersion(const fs::path &Clang) {
  std::string Output =
      outputOf({Clang.string(), "-dumpversion"}).value_or(std::string());
  int Major = 0;
  std::from_chars(Output.data(), Output.data() + Output.size(), Major);
  return Major;
}

std::optional<fs::path> findClang() {
  if (const char *Chosen = std::getenv("FERRY_CLANG"); Chosen && *Chosen) {
    fs::path Clang = Chosen;
    if (Clang.string().find('/') == std::string::npos)
      Clang = findInPath(Chosen).value_or(Clang);
    int Major = isExecutable(Clang) ? majorVersion(Clang) : 0;
    if (Major == 22)
      return Clang;
    if (Major)
      std::fprintf(stderr,
                   "ferry-c++: error: FERRY_CLANG=%s is clang %d, but this "
                   "Ferry works with clang 22\n",
                   Chosen, Major);
    else
      std::fprintf(
          stderr,
          "ferry-c++: error: FERRY_CLANG=%s is no clang++ that can be run\n",
          Chosen);
    return std::nullopt;
  }
  if (isExecutable(FERRY_CONFIGURED_CLANG))
    return FERRY_CONFIGURED_CLANG;
  if (auto Clang = findInPath("clang++-22"))
    return Clang;
  std::fprintf(
      stderr,
      "ferry-c++: error: no clang++-22 in PATH; install it with 'apt-get "
      "install clang-22', or set FERRY_CLANG to a clang++ of version "
      "22\n");
  return std::nullopt;
}

bool hasLld(const fs::path &Clang) {
  std::error_code Error;
  fs::path Real = fs::canonical(Clang, Error);
  return (!Error && isExecutable(Real.parent_path() / "ld.lld")) ||
         findInPath("ld.lld").has_value();
}

} // namespace ferry::driver
