//===- CodeGen.h - Host modules to native objects ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_CODEGEN_H
#define FERRY_LINK_CODEGEN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetOptions.h"

namespace ferry {

struct CodeGenOptions {
  unsigned OptLevel = 2;
  std::string Cpu; ///< for functions that do not name one
  bool StripDebugInfo = false;

  /// For cache keys.
  std::string describe() const;
};
llvm::CodeGenOptLevel codeGenLevel(unsigned OptLevel);

/// Registers LLVM's code generators; once, before any thread starts.
void initializeCodeGen();

/// What rustc sets for its own objects.
llvm::TargetOptions targetOptions();
llvm::PipelineTuningOptions tuningOptions(unsigned OptLevel);

/// Runs the passes on `M` that rustc runs before a link, unless it is told not
/// to, and returns the module as bitcode.
llvm::Expected<llvm::SmallVector<char, 0>>
prepareForLink(llvm::Module &M, const CodeGenOptions &Options);

/// Optimises `M` as rustc's -Clinker-plugin-lto leaves it to the linker to do,
/// and generates its object file.
llvm::Expected<llvm::SmallVector<char, 0>>
generateObject(llvm::Module &M, const CodeGenOptions &Options);

} // namespace ferry

#endif // FERRY_LINK_CODEGEN_H
