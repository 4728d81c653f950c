//===- Check.h - Launches that are watched ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_CHECK_H
#define FERRY_RUNTIME_CHECK_H

#include "Launch.h"

namespace ferry::rt {

struct Device;

/// The program's user asks for checks with FERRY_CHECK.
bool checksWanted();

/// FERRY_CHECK names coherence: memory of virtual devices shows a pattern where
/// nothing was copied in.
bool coherenceWanted();

/// Refuses what FERRY_CHECK cannot do: checks that do not exist, and other
/// devices than cpu.
int refuseChecks(const LaunchRequest &L, const Device &D);

/// Runs the launch with checks. `Slots` are the kernel's arguments.
int runChecked(LaunchRequest &L, const uint64_t *Slots);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_CHECK_H
