//===- Merge.h - One module with all launches -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LINK_MERGE_H
#define FERRY_LINK_MERGE_H

#include "Inputs.h"
#include "llvm/IR/Module.h"

namespace ferry {

/// Links all inputs that launch kernels into one module, together with the
/// bodies that these kernels need from other inputs, and marks the inputs as
/// Merged. Null when nothing launches.
llvm::Expected<std::unique_ptr<llvm::Module>>
mergeLaunches(std::vector<InputFile> &Files, llvm::LLVMContext &Context);

} // namespace ferry

#endif // FERRY_LINK_MERGE_H
