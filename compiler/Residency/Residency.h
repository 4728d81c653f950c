//===- Residency.h - Memory that may stay on a device -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass over the host's code, when all is inlined and loops are still what the
// user wrote. It finds heap memory
// that launches use and that only code in this module can reach (PointsTo.h),
// and tells libferry about it: where it begins and ends, where it gets out of
// sight, and where the host is about to look (the functions in runtime.h). What
// that allows, libferry decides when the program runs.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_RESIDENCY_RESIDENCY_H
#define FERRY_COMPILER_RESIDENCY_RESIDENCY_H

#include "llvm/IR/PassManager.h"

namespace ferry {

class ResidencyPass : public llvm::PassInfoMixin<ResidencyPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace ferry

#endif // FERRY_COMPILER_RESIDENCY_RESIDENCY_H
