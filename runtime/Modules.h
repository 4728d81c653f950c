//===- Modules.h - What the program's compiles contributed ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_MODULES_H
#define FERRY_RUNTIME_MODULES_H

#include "Public.h"
#include "Sync.h"

namespace ferry::rt {

/// Guards the list and every module's `registration`.
extern Lock ModulesLock;
/// Linked through ferry_module::next.
extern ferry_module *Modules;
/// How many there have ever been.
extern std::atomic<uint64_t> ModulesEver;

} // namespace ferry::rt

#endif // FERRY_RUNTIME_MODULES_H
