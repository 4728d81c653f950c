//===- Pool.h - Runs a launch on all cores ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_POOL_H
#define FERRY_RUNTIME_POOL_H

#include "Public.h"

namespace ferry::rt {

/// Host threads that a launch can use, the caller included.
unsigned poolThreads();

/// What FERRY_NUM_THREADS says, if that is no number of threads; else null.
const char *badThreadNumber();

/// A ferry_cpu_runner. Runs nothing when there is no scratch memory.
void runOnPool(ferry_cpu_kernel Kernel, const uint64_t *Slots,
               const ferry_geometry *Geometry);

/// The calling thread's last launch found no scratch memory. Asking clears it.
bool ranOutOfScratch();

} // namespace ferry::rt

#endif // FERRY_RUNTIME_POOL_H
