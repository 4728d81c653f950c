//===- Verbose.h - What ferry-ld did, for those who ask ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_VERBOSE_H
#define FERRY_LINK_VERBOSE_H

#include "llvm/ADT/Twine.h"

namespace ferry {

/// Prints "ferry-ld: <What>" to stderr if FERRY_LD_VERBOSE is set.
void verbose(const llvm::Twine &What);

} // namespace ferry

#endif // FERRY_LINK_VERBOSE_H
