//===- Diagnostics.h - Errors for the person who wrote the kernel ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_DIAGNOSTICS_H
#define FERRY_COMPILER_DIAGNOSTICS_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include <string>
#include <vector>

namespace ferry {

/// What is wrong, where, along which calls, and what to do about it.
struct Diagnostic {
  std::string Kernel; ///< as the user wrote it; empty: no one kernel
  std::string What;   ///< "calls printf, which does input or output"
  std::vector<std::string> Chain; ///< {"kernel", "f", "g"}
  std::string Advice;             ///< "remove the call or ..."; may be empty
  llvm::DebugLoc Where;
  bool IsWarning = false;
};

/// "kernel 'k' cannot run on a device: calls printf (k -> f -> g); advice"
std::string render(const Diagnostic &D);

/// Sends `D` to the context's diagnostic handler, as an error or a warning.
/// `In` is the function that stands for the place when there is no debug
/// location.
void report(const Diagnostic &D, const llvm::Function &In);

/// The innermost place on `Loc`'s inlining chain that lies in the user's own
/// files rather than in a system header, Rust's library or Ferry's headers.
llvm::DebugLoc userLocation(const llvm::DebugLoc &Loc);

/// The file of `Loc` as a message shows it: relative to where the compiler ran,
/// or absolute. Debug info splits paths at other places.
std::string fileName(const llvm::DILocation &Loc);

/// Whether userLocation would find one.
bool isInUserFile(const llvm::DebugLoc &Loc);
bool isInUserFile(const llvm::DISubprogram &SP);

/// The user's functions on the inlining chain, outermost first, and the library
/// function that the last of them calls: {"k", "f",
/// "std::vector<int>::vector"}.
std::vector<std::string> inliningChain(const llvm::DebugLoc &Loc);

/// A name as the user wrote it: demangled, without parameters, return type or
/// Rust's hash.
std::string userName(llvm::StringRef LinkageName);

/// Whether a demangled name is plumbing that a user has never written.
bool isPlumbing(llvm::StringRef Demangled);

} // namespace ferry

#endif // FERRY_COMPILER_DIAGNOSTICS_H
