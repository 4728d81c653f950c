//===- Discover.h - From launch markers to a plan ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_DISCOVER_H
#define FERRY_COMPILER_DISCOVER_H

#include "Records.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace ferry {

/// Reads every launch marker of `M`, changing nothing. No value when a marker
/// is malformed; the errors are reported.
std::optional<LaunchPlan> discoverLaunches(llvm::Module &M);

/// The user's line that launches. The marker itself stands in front-end code,
/// which is not inlined yet, so this looks for a caller of it.
llvm::DebugLoc launchLocation(const Launch &L);

/// All of the user's lines that reach the marker. Empty without debug info.
llvm::SmallVector<llvm::DebugLoc> launchLocations(const Launch &L);

/// Whether there is anything to discover; cheap.
bool hasLaunches(const llvm::Module &M);

void print(const LaunchPlan &Plan, llvm::raw_ostream &OS);

} // namespace ferry

#endif // FERRY_COMPILER_DISCOVER_H
