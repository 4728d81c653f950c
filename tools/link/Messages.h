//===- Messages.h - What ferry-ld says --------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_MESSAGES_H
#define FERRY_LINK_MESSAGES_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"

namespace ferry {

/// Prints LLVM's errors and warnings to stderr, as compilers do:
/// "error: src/main.rs:12:5: ...".
struct Messages : llvm::DiagnosticHandler {
  bool Any = false, Errors = false;
  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override;
};

/// Makes a Messages the handler of `Context`, which owns it. LLVM's own handler
/// would end the process at the first error.
Messages &printMessages(llvm::LLVMContext &Context);

/// Prints "ferry-ld: <What>" to stderr if FERRY_LD_VERBOSE is set: what was
/// merged, imported, compiled and reused, and the final command.
void verbose(const llvm::Twine &What);

} // namespace ferry

#endif // FERRY_LINK_MESSAGES_H
