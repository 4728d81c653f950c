//===- Refusal.h - What cannot be differentiated ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_REFUSAL_H
#define FERRY_COMPILER_AUTODIFF_REFUSAL_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instructions.h"

namespace ferry::ad {

/// Reports that the derivative of the function that `At` lies in cannot be
/// made: "cannot differentiate 'f': `What`, in 'call @g'; `Advice`".
void refuse(const llvm::Instruction &At, const llvm::Twine &What,
            const llvm::Twine &Advice);

/// Reports that the request `Call` is not well formed.
void refuseRequest(const llvm::CallBase &Call, const llvm::Twine &What,
                   const llvm::Twine &Advice);

/// Warns at `Call`, in whose place `Derivative` is called: "the gradient of 'f'
/// `What`; `Advice`".
void warn(const llvm::CallBase &Call, const llvm::Function &Derivative,
          const llvm::Twine &What, const llvm::Twine &Advice);

/// What the user calls `V`: a variable of the source, where debug info or the
/// IR has a name, or what its instruction does: "'x'", "the result of 'sin'".
std::string describe(const llvm::Value &V);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_REFUSAL_H
