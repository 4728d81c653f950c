//===- Process.h - Other programs -------------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DRIVER_PROCESS_H
#define FERRY_DRIVER_PROCESS_H

#include <optional>
#include <string>
#include <vector>

namespace ferry::driver {

/// Becomes the program Arguments[0]. Comes back, with an exit code, only where
/// that cannot be run; says so then.
int become(std::vector<std::string> &Arguments);

/// Runs the program and gives its exit code.
int call(std::vector<std::string> &Arguments);

/// What the program prints to standard output, if it can be run.
std::optional<std::string> outputOf(std::vector<std::string> Arguments);

} // namespace ferry::driver

#endif // FERRY_DRIVER_PROCESS_H
