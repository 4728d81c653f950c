//===- Commands.h - What the ferry command can do ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_COMMANDS_H
#define FERRY_TOOLS_FERRY_COMMANDS_H

namespace ferry {

/// `ferry devices`. Each returns the exit code.
int listDevices();
/// `ferry doctor`
int examine();

} // namespace ferry

#endif // FERRY_TOOLS_FERRY_COMMANDS_H
