//===- Reach.h - What kernels need from the host module ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_REACH_H
#define FERRY_COMPILER_REACH_H

#include "Records.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace ferry {

/// The functions and globals of a host module that kernels reach, and who
/// reached each first. Panic entries are reached but not entered.
struct Reach {
  llvm::SetVector<const llvm::GlobalValue *> Values;
  llvm::DenseMap<const llvm::GlobalValue *, const llvm::GlobalValue *> From;

  bool contains(const llvm::GlobalValue &G) const {
    return Values.contains(&G);
  }
  /// {"kernel", "f", "g"}: the user's functions on the way to `Name`.
  std::vector<std::string> chainTo(llvm::StringRef Name) const;
};

Reach reachFrom(const LaunchPlan &Plan);

/// Whether device code gets the definition of `G` when it is reached: not for
/// panic entries, Ferry's own functions and descriptions of types.
bool comesAlong(const llvm::GlobalValue &G);

/// The function that `Call` calls, also where its declaration has another type:
/// clang declares a function of incomplete parameter types as `void ()`.
const llvm::Function *calledFunction(const llvm::CallBase &Call);

/// Whether a call of `F` ends the thread with a report: panics, failed
/// assertions, throws, aborts. Their bodies never come along.
bool isPanicEntry(const llvm::Function &F);

} // namespace ferry

#endif // FERRY_COMPILER_REACH_H
