//===- Probe.cpp - A kernel for every device ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled with Ferry itself, for all the GPUs that it can make code for.
//
//===----------------------------------------------------------------------===//

#include "Probe.h"
#include <ferry/ferry.h>

namespace ferry {

static void probe() {}

void linkProbe() {
  // No thread runs: what is wanted is the image.
  static_cast<void>(try_launch<probe>(over(0)));
}

} // namespace ferry
