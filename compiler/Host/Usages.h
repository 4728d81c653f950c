//===- Usages.h - Records of what kernels do to arguments -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_HOST_USAGES_H
#define FERRY_COMPILER_HOST_USAGES_H

#include "Transfer/Access.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"

namespace ferry {

/// Writes the records of ferry/access.h into a module.
class UsageWriter {
public:
  explicit UsageWriter(llvm::Module &M) : M(M), Ctx(M.getContext()) {}

  /// The members of a ferry_kernel from `usages` on.
  llvm::SmallVector<llvm::Constant *> members(const KernelUsage &Of);

private:
  llvm::Module &M;
  llvm::LLVMContext &Ctx;
  llvm::DenseMap<llvm::Constant *, llvm::Constant *> Known;
  uint64_t FormulaSlots = 0; ///< of the kernel at hand

  llvm::Constant *i32(uint32_t V);
  llvm::Constant *i64(uint64_t V);
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> Members);
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> Elements);
  llvm::Constant *formula(const Formula &F);
  llvm::Constant *sum(const Sum &S);
  llvm::Constant *condition(const Condition &C);
  llvm::Constant *access(const Access &A);
  llvm::Constant *usage(const Usage &U);
  llvm::Constant *usages(const KernelUsage &Of);
  llvm::Constant *symbols(const KernelUsage &Of);
  llvm::Constant *panics(const KernelUsage &Of);
};

} // namespace ferry

#endif // FERRY_COMPILER_HOST_USAGES_H
