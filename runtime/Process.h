//===- Process.h - How long libferry lives ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_PROCESS_H
#define FERRY_RUNTIME_PROCESS_H

namespace ferry::rt {

/// Keeps the shared library that libferry is linked into, if it is one, loaded
/// until the process ends: threads run its code, and libomptarget has addresses
/// of it.
void pinLibrary();

/// From now on exiting() tells whether the program has begun to exit.
void watchForExit();
bool exiting();

} // namespace ferry::rt

#endif // FERRY_RUNTIME_PROCESS_H
