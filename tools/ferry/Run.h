//===- Run.h - Other programs, and where they are ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_RUN_H
#define FERRY_TOOLS_FERRY_RUN_H

#include <filesystem>
#include <string>
#include <vector>

namespace ferry {

struct RunResult {
  int Code = -1;      ///< -1: could not be started, or was killed
  std::string Output; ///< stdout and stderr
};

/// Runs a program to its end. `Environment` is added to ours ("NAME=value").
RunResult run(const std::vector<std::string> &Command,
              const std::vector<std::string> &Environment = {});

/// The program `Name` in PATH; empty: not there.
std::filesystem::path findInPath(const std::string &Name);

/// Where Ferry is installed or built: the directory above ferry's own bin.
std::filesystem::path installation();

/// A directory for temporary files, gone with this object.
class ScratchDirectory {
public:
  explicit ScratchDirectory(const std::string &Purpose);
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;

  std::filesystem::path Path; ///< empty, with errno: there is none
};

} // namespace ferry

#endif // FERRY_TOOLS_FERRY_RUN_H
