//===- Usages.h - What a launch does to its buffers -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluating a kernel's formulas takes microseconds, and a program launches the
// same kernel on arrays of the same sizes again and again. So the answers are
// kept, by all that they depend on.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_USAGES_H
#define FERRY_RUNTIME_USAGES_H

#include "Ranges.h"

namespace ferry::rt {

struct LaunchRequest;

/// Writes one Usage a slot of the launch and then one a global that the kernel
/// names. Slots that are no buffers have an empty one. Returns whether a thread
/// of the launch may panic.
bool usagesOf(const LaunchRequest &L, Usage *Out);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_USAGES_H
