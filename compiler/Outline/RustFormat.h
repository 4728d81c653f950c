//===- RustFormat.h - What a Rust panic's message is made of ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RUST_FORMAT_H
#define FERRY_COMPILER_RUST_FORMAT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>
#include <string>

namespace ferry {

/// The numbers of one panic, in the order in which its text names them.
struct PanicValues {
  static constexpr unsigned Most = 4;
  llvm::SmallVector<llvm::Value *, Most> Values; ///< i64 each

  /// Adds the value of Rust's type `Type` ("i32", "f64", "bool") at `Address`;
  /// returns how the text names it, or "…" when it cannot travel.
  std::string add(llvm::IRBuilder<> &B, llvm::StringRef Type,
                  llvm::Value *Address);
};

/// `Text` as part of a site's message, where a brace names a value.
std::string escapeText(llvm::StringRef Text);

/// The text of core::fmt::Arguments{Template, Args}, with loads of its
/// arguments at `B`.
std::string rustMessage(llvm::IRBuilder<> &B, llvm::Value *Template,
                        llvm::Value *Args, PanicValues &Values);

} // namespace ferry

#endif // FERRY_COMPILER_RUST_FORMAT_H
