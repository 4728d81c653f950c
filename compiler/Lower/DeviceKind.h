//===- DeviceKind.h - What a kernel knows of its device ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_COMPILER_LOWER_DEVICEKIND_H
#define FERRY_COMPILER_LOWER_DEVICEKIND_H

#include "llvm/IR/Module.h"
#include <optional>

namespace ferry {

/// Replaces __ferry_on_gpu (markers.h), and the size of a warp where one is
/// given, and removes what is then never reached. Comes before kernels are cut
/// at their barriers, which would keep each branch on such a constant as a
/// choice at run time.
void foldDeviceKind(llvm::Module &M, bool OnGpu,
                    std::optional<unsigned> WarpSize);

} // namespace ferry

#endif // FERRY_COMPILER_LOWER_DEVICEKIND_H
