//===- Launches.h - The pipeline in the link --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_LAUNCHES_H
#define FERRY_LINK_LAUNCHES_H

#include "Cache.h"
#include "llvm/IR/Module.h"
#include <string>

namespace ferry {

/// Runs Ferry's stages on a module that mergeLaunches made. The path of the
/// bitcode that results; empty: the errors have been printed.
llvm::Expected<std::string> compileLaunches(llvm::Module &M,
                                            const Cache &Objects);

} // namespace ferry

#endif // FERRY_LINK_LAUNCHES_H
