//===- LikelyBlocks.h - Block sizes that host code gives --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_CPU_LIKELYBLOCKS_H
#define FERRY_COMPILER_LOWER_CPU_LIKELYBLOCKS_H

#include "Lower/KnownShape.h"

namespace ferry {

/// For each kernel whose threads work together: the block of a launch of it, if
/// one is found whose sides are constants. Other launches may have other
/// blocks.
std::vector<std::optional<KnownShape>>
likelyBlocks(const LaunchPlan &Plan, const DeviceProgram &Program);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_CPU_LIKELYBLOCKS_H
