//===- Commands.h - What the ferry command can do ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_COMMANDS_H
#define FERRY_TOOLS_FERRY_COMMANDS_H

#include <string>
#include <vector>

namespace ferry {

/// `ferry devices`. Each returns the exit code.
int listDevices();
/// `ferry doctor`
int examine();
/// `ferry trace -o Name -- Command...`. An empty name is made of the program's.
int traceProgram(const std::string &Name,
                 const std::vector<std::string> &Command);
/// `ferry explain File --measured Trace`. Without a file: of the last build.
/// `Trace`: the JSON of `ferry trace`, or empty.
int explainFile(const std::string &File, const std::string &Trace);

} // namespace ferry

#endif // FERRY_TOOLS_FERRY_COMMANDS_H
