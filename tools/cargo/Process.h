//===- Process.h - Programs and paths ---------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CARGO_PROCESS_H
#define FERRY_CARGO_PROCESS_H

#include <string>
#include <vector>

namespace ferry {

using Arguments = std::vector<std::string>;

/// The directory of the running program, links resolved: its siblings are the
/// other tools of this installation.
std::string toolDirectory();

/// The file that `Program` names, looked up in PATH unless it is a path. Empty
/// if there is none that can run.
std::string findProgram(const std::string &Program);

/// A variable of the environment, or an empty string.
std::string environment(const char *Name);
void setEnvironment(const char *Name, const std::string &Value);

/// Replaces this process. Returns only if the program cannot be started; errno
/// says why.
void execute(const std::string &Program, const Arguments &Args);

/// Runs a program and collects its standard output. Returns its exit status, or
/// -1 if it could not be started or was killed.
int capture(const std::string &Program, const Arguments &Args,
            std::string &Output);

} // namespace ferry

#endif // FERRY_CARGO_PROCESS_H
