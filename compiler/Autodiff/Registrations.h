//===- Registrations.h - What the user says about functions -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_REGISTRATIONS_H
#define FERRY_COMPILER_AUTODIFF_REGISTRATIONS_H

#include "llvm/IR/Module.h"

namespace ferry::ad {

/// Reads global variables such as `__enzyme_inactivefn` and annotations such as
/// `annotate("enzyme_inactive")`, and leaves them as attributes of functions.
/// False if one of them is not supported, which is reported.
bool readRegistrations(llvm::Module &M);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_REGISTRATIONS_H
