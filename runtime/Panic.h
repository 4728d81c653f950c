//===- Panic.h - Reports of threads that panicked ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PANIC_H
#define FERRY_RUNTIME_PANIC_H

#include "Public.h"

namespace ferry::rt {

/// Makes the record this thread's last error. Returns FERRY_STATUS_PANIC.
int failWithPanic(const ferry_kernel &Kernel, const ferry_geometry &Geometry,
                  const ferry_panic_record &Record);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_PANIC_H
