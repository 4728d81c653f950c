//===- Codegen.h - A module to an object or to assembly ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_EMIT_CODEGEN_H
#define FERRY_COMPILER_EMIT_CODEGEN_H

#include "Emit.h"
#include "llvm/Support/CodeGen.h"

namespace ferry {

/// Runs the target's code generator on `M`, which is not fit for anything else
/// afterwards.
llvm::Expected<llvm::SmallVector<char, 0>>
generateCode(llvm::Module &M, const Target &T, llvm::CodeGenFileType Type);

/// The shared object that ld.lld makes of the code of `M` with `Options`.
llvm::Expected<llvm::SmallVector<char, 0>>
linkShared(llvm::Module &M, const Target &T,
           llvm::ArrayRef<llvm::StringRef> Options);

/// The three kinds of image. Each takes a module that Lower made for it.
llvm::Expected<llvm::SmallVector<char, 0>> emitVirtual(llvm::Module &M,
                                                       const Target &T);
llvm::Expected<llvm::SmallVector<char, 0>> emitNvptx(llvm::Module &M,
                                                     const Target &T);
llvm::Expected<llvm::SmallVector<char, 0>> emitAmdgpu(llvm::Module &M,
                                                      const Target &T);

} // namespace ferry

#endif // FERRY_COMPILER_EMIT_CODEGEN_H
