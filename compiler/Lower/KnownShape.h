//===- KnownShape.h - What launches say about a kernel's shape --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_KNOWNSHAPE_H
#define FERRY_COMPILER_LOWER_KNOWNSHAPE_H

#include "Records.h"

namespace ferry {

/// More threads than this are refused before the launch.
inline constexpr uint64_t MaxExtent = uint64_t(1) << 32;

/// What all launches of a kernel say alike about its shape.
struct KnownShape {
  std::optional<uint64_t> Extent[3], Block[3];
};
KnownShape knownShape(const LaunchPlan &Plan, unsigned KernelIndex);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_KNOWNSHAPE_H
