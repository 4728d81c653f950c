//===- Definitions.h - Who defines a symbol ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_DEFINITIONS_H
#define FERRY_LINK_DEFINITIONS_H

#include "Inputs.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <map>

namespace ferry {

/// A module that is read as far as it is looked at.
struct LazySource {
  std::unique_ptr<llvm::Module> M;
  /// The bitcode input it is, or null for bitcode that machine code carries
  /// along: its code is in the program already, whatever is taken from here.
  ObjectInput *Input = nullptr;
};

/// Finds definitions among the inputs of a link, loading as little as possible.
class Definitions {
public:
  Definitions(std::vector<InputFile> &Files, llvm::LLVMContext &Context)
      : Files(Files), Context(Context) {}

  struct Found {
    LazySource *Source = nullptr; ///< null: nobody defines it
    llvm::GlobalValue *Value = nullptr;
  };
  enum class Among { All, Bitcode };
  llvm::Expected<Found> find(llvm::StringRef Name, Among Which);

private:
  llvm::Expected<LazySource *> load(llvm::MemoryBufferRef Buffer,
                                    ObjectInput *Input);
  llvm::Expected<Found> findInBitcode(llvm::StringRef Name);
  llvm::Expected<Found> findInNative(llvm::StringRef Name);

  std::vector<InputFile> &Files;
  llvm::LLVMContext &Context;
  /// By the first byte of the module's bitcode.
  std::map<const char *, LazySource> Sources;
};

} // namespace ferry

#endif // FERRY_LINK_DEFINITIONS_H
