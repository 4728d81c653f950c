//===- Print.h - Lines that kernels print -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PRINT_H
#define FERRY_RUNTIME_PRINT_H

namespace ferry::rt {

struct Offload;

/// Prints what the launch that has just ended left in its print buffer, and
/// empties that. The caller holds the device's Printing lock.
int printLines(Offload &O);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_PRINT_H
