//===- Explain.h - What launches move, for people ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_TRANSFER_EXPLAIN_H
#define FERRY_COMPILER_TRANSFER_EXPLAIN_H

#include "Transfer/Access.h"

namespace ferry {

/// One line of JSON on what each kernel of the module does to its arguments,
/// and where it is launched, for `ferry explain` (tools/ferry/Explain.cpp).
std::string explain(const LaunchPlan &Plan, const DeviceProgram &Program,
                    llvm::ArrayRef<KernelUsage> Usages);

/// Puts the line into a section of the object file that no program loads.
void embedExplanation(llvm::Module &M, llvm::StringRef Line);
inline constexpr llvm::StringLiteral ExplanationSection = ".ferry.explain";

} // namespace ferry

#endif // FERRY_COMPILER_TRANSFER_EXPLAIN_H
