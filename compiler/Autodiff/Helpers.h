//===- Helpers.h - Functions that derivatives call --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_HELPERS_H
#define FERRY_COMPILER_AUTODIFF_HELPERS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace ferry::ad {

/// void (to, from, bytes): undoes a copy of numbers of type `Scalar`, given the
/// shadows. What `to` has is added to `from` and becomes zero.
llvm::Function *undoCopyFunction(llvm::Module &M, llvm::Type *Scalar);

/// `X`, which is linear in `D`, but 0 where `D` is: also where the factor is
/// infinite or NaN. Until all derivatives are made that is a call, so that a
/// derivative of this one sees `X` itself.
llvm::Value *unlessZero(llvm::IRBuilderBase &B, llvm::Value *D, llvm::Value *X);
/// Makes these calls in `F`, which will be differentiated, code that depends on
/// `X` whenever that is a number.
void expandUnlessZero(llvm::Function &F);
/// Makes all that are left the shortest code.
void lowerUnlessZero(llvm::Module &M);

/// ptr (bytes): a new block, aligned to 16 bytes. Ends the program if there is
/// no memory.
llvm::Function *tapeAllocateFunction(llvm::Module &M);
/// {base, top, limit} (base, top, limit, bytes): a stack with room for so many
/// bytes above its top.
llvm::Function *tapeReserveFunction(llvm::Module &M);

/// void (list, release, block, x, y): `release(block, x, y)`, which
/// releaseWithFunction has made, is called at the end.
llvm::Function *releaseLaterFunction(llvm::Module &M);
/// void (block, x, y): calls `Release` with as many of them as it takes.
llvm::Function *releaseWithFunction(llvm::Module &M,
                                    llvm::FunctionCallee Release);
/// void (list): calls all of them.
llvm::Function *releaseAllFunction(llvm::Module &M);

/// Replaces `Call`, if it is one of a library function of complex numbers, by
/// operations that have derivatives. Whether it was.
bool expandComplex(llvm::CallBase &Call);

/// What Rust's `realloc` does, by its `alloc` and `dealloc`: a new block, to
/// which the old one's contents are copied.
llvm::Function *rustReallocFunction(llvm::Function &Realloc);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_HELPERS_H
