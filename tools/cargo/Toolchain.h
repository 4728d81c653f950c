//===- Toolchain.h - Whether this Rust can build with Ferry -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CARGO_TOOLCHAIN_H
#define FERRY_CARGO_TOOLCHAIN_H

#include <string>

namespace ferry {

/// The LLVM whose bitcode ferry-ld reads.
constexpr int PluginLLVMMajor = FERRY_LLVM_MAJOR;
/// The oldest rustc that the ferry crate compiles with.
constexpr int MinimumRustMinor = 95;

/// Looks for what a build needs, before anything of it can fail in a less
/// readable way. Returns what is wrong and how to mend it, or an empty string.
std::string checkToolchain(const std::string &Cargo);

/// The same for what `rustc -vV` prints.
std::string checkVersions(const std::string &Rustc,
                          const std::string &Versions);

} // namespace ferry

#endif // FERRY_CARGO_TOOLCHAIN_H
