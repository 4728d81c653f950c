//===- Unreached.h - Arguments whose gradient is zero -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_UNREACHED_H
#define FERRY_COMPILER_AUTODIFF_UNREACHED_H

#include "Autodiff/ActiveValues.h"
#include <string>
#include <vector>

namespace ferry::ad {

/// The names of the active arguments of `F`, a prepared function, of which no
/// number goes into its result or into memory that it was given.
std::vector<std::string> unreachedArguments(llvm::Function &F,
                                            llvm::ArrayRef<bool> Active,
                                            const ActiveGlobals &Globals);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_UNREACHED_H
