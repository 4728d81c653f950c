//===- Cache.h - Objects made before ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_CACHE_H
#define FERRY_LINK_CACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ferry {

/// A directory of files named after what they were made from.
class Cache {
public:
  /// For a link that writes `Output`: .ferry-cache in cargo's profile
  /// directory, FERRY_CACHE_DIR if that is set, and else a temporary directory
  /// that goes with this object.
  static llvm::Expected<Cache> open(llvm::StringRef Output);
  Cache(Cache &&Other)
      : Directory(std::move(Other.Directory)), Temporary(Other.Temporary) {
    Other.Temporary = false;
  }
  Cache(const Cache &) = delete;
  ~Cache();

  llvm::StringRef directory() const { return Directory; }
  /// The hash of `Parts`, of this ferry-ld and of this LLVM.
  static std::string key(llvm::ArrayRef<llvm::StringRef> Parts);
  /// The path for what is made from `Parts`.
  std::string path(llvm::ArrayRef<llvm::StringRef> Parts,
                   llvm::StringRef Suffix) const;
  /// Whether the file is there; marks it as used.
  static bool has(llvm::StringRef Path);
  /// Writes the whole file or nothing, also when two links do so at once.
  static llvm::Error store(llvm::StringRef Path, llvm::StringRef Bytes);
  /// Removes what no link has used for a week. Rarely does anything.
  void prune() const;

private:
  Cache(std::string Directory, bool Temporary)
      : Directory(std::move(Directory)), Temporary(Temporary) {}

  std::string Directory;
  bool Temporary;
};

} // namespace ferry

#endif // FERRY_LINK_CACHE_H
