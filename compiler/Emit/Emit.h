//===- Emit.h - Device modules to images ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_EMIT_H
#define FERRY_COMPILER_EMIT_H

#include "Records.h"

namespace ferry {

/// The image of a module that lowerForTarget made for `T` (not Cpu):
/// Virtual: an x86-64 shared object. Nvptx: a cubin when ptxas is found, else
/// bitcode for libomptarget's JIT. Amdgpu: a linked code object.
llvm::Expected<Image> emitImage(llvm::Module &M, const Target &T);

} // namespace ferry

#endif // FERRY_COMPILER_EMIT_H
