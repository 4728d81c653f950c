//===- Streams.h - Work that the program does not wait for ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_STREAMS_H
#define FERRY_RUNTIME_STREAMS_H

#include "Launch.h"

namespace ferry::rt {

/// The number of the launch's stream; 0: it is none of a stream's.
inline uint32_t streamOf(const ferry_launch_shape &Shape) {
  return (Shape.device ^ int32_t(Shape.device)) >> 32;
}

/// Copies what the launch was told, for its stream to run it later.
int giveToStream(LaunchRequest &L);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_STREAMS_H
