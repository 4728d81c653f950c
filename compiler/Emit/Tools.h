//===- Tools.h - Temporary files and programs that Emit runs ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_EMIT_TOOLS_H
#define FERRY_COMPILER_EMIT_TOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ferry {

/// A temporary file that is gone when this object is, also when a signal ends
/// the process.
class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef Suffix);
  ScratchFile(ScratchFile &&Other);
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  ~ScratchFile();

  llvm::StringRef path() const { return Path; }
  llvm::Error write(llvm::StringRef Bytes) const;
  llvm::Expected<llvm::SmallVector<char, 0>> read() const;

private:
  explicit ScratchFile(llvm::StringRef Path) : Path(Path) {}
  llvm::SmallString<128> Path;
};

/// Runs `Program` with `Arguments` (its name excluded). What it prints to
/// stderr becomes the error if it fails, and is dropped otherwise.
llvm::Error runTool(llvm::StringRef Program,
                    llvm::ArrayRef<llvm::StringRef> Arguments);

/// ld.lld of the LLVM that Ferry was built with, else the one in PATH.
llvm::Expected<std::string> findLld();

} // namespace ferry

#endif // FERRY_COMPILER_EMIT_TOOLS_H
