//===- LastBuild.h - What was linked last -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ferry-c++ and ferry-ld leave the path of what they link in the user's cache
// directory, for `ferry explain --last-build`. It is a convenience: without a
// home, or a place to write, there is no last build.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_LASTBUILD_H
#define FERRY_TOOLS_LASTBUILD_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace ferry {

/// Where the path is kept; empty: nowhere.
inline std::filesystem::path lastBuildFile() {
  auto Named = [](const char *Variable) {
    const char *Value = std::getenv(Variable);
    return std::filesystem::path(Value ? Value : "");
  };
  std::filesystem::path Cache = Named("XDG_CACHE_HOME");
  if (!Cache.is_absolute()) {
    Cache = Named("HOME");
    if (!Cache.is_absolute())
      return {};
    Cache /= ".cache";
  }
  return Cache / "ferry" / "last-build";
}

inline void rememberBuild(const std::filesystem::path &Output) {
  std::filesystem::path File = lastBuildFile();
  std::error_code Error;
  std::filesystem::path Whole = std::filesystem::absolute(Output, Error);
  if (File.empty() || Error)
    return;
  std::filesystem::create_directories(File.parent_path(), Error);
  // Another link may do the same now: readers see one or the other.
  std::filesystem::path New = File;
  New += "." + std::to_string(getpid());
  std::ofstream(New) << Whole.string() << '\n';
  std::filesystem::rename(New, File, Error);
}

} // namespace ferry

#endif // FERRY_TOOLS_LASTBUILD_H
