//===- Inputs.h - The files of a link ---------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_INPUTS_H
#define FERRY_LINK_INPUTS_H

#include "CommandLine.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace ferry {

/// An object file: a file of its own or a member of an archive.
struct ObjectInput {
  llvm::MemoryBufferRef Buffer; ///< its identifier is for messages
  std::string Name;             ///< of the file or the member
  bool IsBitcode = false;
  bool MayLaunch = false; ///< bitcode that names the launch marker
  /// Taken into the module that the pipeline runs on; nothing else is made of
  /// it.
  bool Merged = false;
  /// What `Buffer` refers to, if it is no part of the file.
  std::unique_ptr<llvm::MemoryBuffer> Prepared;
  std::string Native; ///< the path of the native object made of bitcode
};

struct InputFile {
  std::vector<size_t> ArgIndices; ///< archives may be named repeatedly
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::unique_ptr<llvm::object::Archive> Archive; ///< null: a plain object
  std::vector<ObjectInput> Objects;

  bool hasBitcode() const {
    return llvm::any_of(Objects,
                        [](const ObjectInput &O) { return O.IsBitcode; });
  }
};

/// Opens the objects and archives among the arguments. Fails for bitcode that
/// this LLVM is too old to read.
llvm::Expected<std::vector<InputFile>> readInputs(const CommandLine &Line);

} // namespace ferry

#endif // FERRY_LINK_INPUTS_H
