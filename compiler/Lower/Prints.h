//===- Prints.h - Printed lines, on every target ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_PRINTS_H
#define FERRY_COMPILER_LOWER_PRINTS_H

#include "Records.h"

namespace ferry {

/// The contents of a ferry_print_site (runtime.h) for `S`; its format and kinds
/// become constants of `M`.
llvm::Constant *printSiteRecord(llvm::Module &M, const PrintSite &S);

/// Whether some kernel of the program prints.
bool printsAnywhere(const DeviceProgram &Program);

/// The image's ferry_print_buffer, in the given address space.
llvm::GlobalVariable *addPrintBuffer(llvm::Module &M,
                                     const DeviceProgram &Program,
                                     unsigned AddressSpace);

/// Gives each __ferry_print.N (Records.h) a body that writes to `Buffer`.
void printToBuffer(llvm::Module &M, llvm::GlobalVariable &Buffer);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_PRINTS_H
