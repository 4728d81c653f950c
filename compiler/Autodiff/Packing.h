//===- Packing.h - Between a request's types and a derivative's -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_AUTODIFF_PACKING_H
#define FERRY_COMPILER_AUTODIFF_PACKING_H

#include "llvm/IR/IRBuilder.h"

namespace ferry::ad {

/// `V`, an operand of a call without a prototype, as a value of type `T`: what
/// C has promoted is converted back. Null if they have nothing in common.
llvm::Value *convertArgument(llvm::IRBuilderBase &B, llvm::Value *V,
                             llvm::Type *T);

/// `Results`, one after the other in memory, as one value of type `Declared`,
/// or the first of them, if that is all that fits. Null if it does not either.
llvm::Value *packResults(llvm::IRBuilderBase &B,
                         llvm::ArrayRef<llvm::Value *> Results,
                         llvm::Type *Declared);

/// Whether memory of type `Declared` holds just what a struct of `Results`
/// does.
bool fillsType(llvm::ArrayRef<llvm::Value *> Results, llvm::Type *Declared,
               const llvm::DataLayout &DL);

} // namespace ferry::ad

#endif // FERRY_COMPILER_AUTODIFF_PACKING_H
