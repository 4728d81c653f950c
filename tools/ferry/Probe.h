//===- Probe.h - A kernel for every device ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_PROBE_H
#define FERRY_TOOLS_FERRY_PROBE_H

namespace ferry {

/// Makes the linker take Probe.cpp, and with it the images.
void linkProbe();

} // namespace ferry

#endif // FERRY_TOOLS_FERRY_PROBE_H
