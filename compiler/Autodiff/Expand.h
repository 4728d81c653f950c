//===- Expand.h - A request becomes a call ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_EXPAND_H
#define FERRY_COMPILER_AUTODIFF_EXPAND_H

#include "Autodiff/Engine.h"
#include "Autodiff/Request.h"

namespace ferry::ad {

/// Puts a call of the derivative in the place of `R.Call`, which is erased.
/// False if something was refused.
bool expand(const Request &R, Engine &E);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_EXPAND_H
