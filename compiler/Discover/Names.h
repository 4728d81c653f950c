//===- Names.h - What the user calls kernels and arguments ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_NAMES_H
#define FERRY_COMPILER_NAMES_H

#include "Records.h"

namespace ferry {

/// Completes K.Name, which the marker may not know, and names K's fields after
/// the parameters that they serve, as far as debug info tells.
void nameKernel(Kernel &K);

} // namespace ferry

#endif // FERRY_COMPILER_NAMES_H
