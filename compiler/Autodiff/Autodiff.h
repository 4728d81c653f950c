//===- Autodiff.h - Derivatives of functions --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_H
#define FERRY_COMPILER_AUTODIFF_H

#include "llvm/IR/Module.h"

namespace ferry {

enum class AutodiffResult { Unchanged, Changed, Failed };

/// Whether `M` has a call of a function like `__enzyme_autodiff`.
bool hasDerivativeRequests(const llvm::Module &M);

/// Replaces every request for a derivative by a call of code that computes it.
/// Takes IR as a front end leaves it, at any -O level, or optimised IR. On
/// Failed, located errors have gone to the context's diagnostic handler. A
/// module without requests is left as it is.
AutodiffResult expandDerivatives(llvm::Module &M);

} // namespace ferry

#endif // FERRY_COMPILER_AUTODIFF_H
