//===- Compile.h - From bitcode inputs to native objects --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_COMPILE_H
#define FERRY_LINK_COMPILE_H

#include "Cache.h"
#include "CodeGen.h"
#include "Inputs.h"

namespace ferry {

/// Modules that are optimised with a view of each other.
using Group = std::vector<ObjectInput *>;

/// Divides up the bitcode of archive members. What stands alone on the command
/// line is the last group; it may be empty.
std::vector<Group> makeGroups(std::vector<InputFile> &Files, unsigned OptLevel);

/// Replaces a module that rustc has run no passes on by what it would be after
/// them, so that the others see what is worth importing.
llvm::Error prepareRaw(ObjectInput &Object, const CodeGenOptions &Options,
                       const Cache &Objects);

/// Compiles the modules as if they were one. It gets the first one's Native,
/// and the others are Merged.
llvm::Error compileAsOne(const Group &Modules, const CodeGenOptions &Options,
                         const Cache &Objects);

/// Sets Native of all modules, from the cache where possible.
llvm::Error compileGroup(const Group &Modules, const CodeGenOptions &Options,
                         const Cache &Objects);

} // namespace ferry

#endif // FERRY_LINK_COMPILE_H
