//===- CommandLine.h - What rustc asks the linker for -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_COMMANDLINE_H
#define FERRY_LINK_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ferry {

/// A cc-style link line, taken apart as far as ferry-ld needs it.
struct CommandLine {
  /// With response files expanded and without what is meant for an LTO plugin
  /// (-plugin, -plugin-opt): the normal linker sees no bitcode any more.
  std::vector<std::string> Args;
  /// Indices into Args of what may be a file name.
  std::vector<size_t> Files;
  std::string Output = "a.out";
  /// -plugin-opt=O3, -plugin-opt=mcpu=x86-64.
  unsigned OptLevel = 2;
  std::string Cpu;

  static llvm::Expected<CommandLine> parse(llvm::ArrayRef<const char *> Argv);
};

} // namespace ferry

#endif // FERRY_LINK_COMMANDLINE_H
