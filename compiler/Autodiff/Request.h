//===- Request.h - Calls that ask for a derivative --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_REQUEST_H
#define FERRY_COMPILER_AUTODIFF_REQUEST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace ferry::ad {

enum class Mode { Forward, Reverse };

/// What a parameter is to a derivative.
enum class Activity {
  Const, ///< not differentiated
  Dup,   ///< comes with shadows: tangents, or memory for adjoints
  Out    ///< a number whose gradient is returned
};

/// One parameter of the function. The values are still the call's own.
struct RequestArgument {
  Activity Kind = Activity::Const;
  llvm::Value *Primal = nullptr;
  llvm::SmallVector<llvm::Value *, 1> Shadows; ///< one per lane
  llvm::Value *Stride = nullptr; ///< lane i is this many bytes * i further
};

/// `__enzyme_autodiff((void *)f, enzyme_dup, x, dx)`, understood.
struct Request {
  llvm::CallBase *Call = nullptr;
  Mode Wanted = Mode::Forward;
  llvm::Function *Target = nullptr;
  unsigned Width = 1;
  bool ReturnsPrimal = false;
  /// Const where the caller says that the return value does not matter.
  std::optional<Activity> Return;
  llvm::SmallVector<RequestArgument> Arguments;
  llvm::Value *Result = nullptr; ///< memory for the result, of `sret`
  llvm::Type *ResultType = nullptr;
};

/// Whether `Call` asks for a derivative, well formed or not.
bool isRequest(const llvm::CallBase &Call);

/// Whether `Call` is a hint, like `__enzyme_double(p)`, that nothing needs.
bool isHint(const llvm::CallBase &Call);

/// The value of the call's function operand, if that is one known function or
/// an argument, phi or select that the caller can resolve.
llvm::Value *requestedFunction(const llvm::CallBase &Call);

/// Reads `Call`, whose function operand is `Target`. Reports what is wrong.
std::optional<Request> parseRequest(llvm::CallBase &Call,
                                    llvm::Function &Target);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_REQUEST_H
