//===- FinalLink.h - The command that makes the program ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_FINALLINK_H
#define FERRY_LINK_FINALLINK_H

#include "Cache.h"
#include "Inputs.h"

namespace ferry {

/// The user's link line with every bitcode input replaced by what was made of
/// it, and libferry added if something refers to it. `MergedObject` is the path
/// of the object with the launches; empty: there are none.
llvm::Expected<std::vector<std::string>>
finalArguments(const CommandLine &Line, const std::vector<InputFile> &Files,
               const std::string &MergedObject, const Cache &Objects);

/// Runs the normal linker (FERRY_LD_REAL, else cc) and returns its exit code.
llvm::Expected<int> runLinker(llvm::ArrayRef<std::string> Args);

} // namespace ferry

#endif // FERRY_LINK_FINALLINK_H
