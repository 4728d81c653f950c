//===- Memory.h - Device memory ---------------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_MEMORY_H
#define FERRY_RUNTIME_MEMORY_H

#include "Sync.h"
#include <cstddef>

namespace ferry::rt {

struct Device;

/// Blocks of one device that were freed and may be used again.
struct MemoryCache {
  static constexpr int MostBlocks = 16;
  static constexpr size_t MostBytes = size_t(64) << 20;

  struct Block {
    void *Address;
    size_t Bytes;
  };

  Lock Mutex;
  int Count = 0;
  size_t Bytes = 0;
  Block Blocks[MostBlocks] = {};
};

/// Null when the device has no room. `Bytes` becomes the block's own size,
/// which deviceFree wants to know. `For`: what the user calls it.
void *deviceAlloc(Device &D, size_t &Bytes, const char *For);
void deviceFree(Device &D, void *Address, size_t Bytes);
/// Gives up the blocks that are kept. Returns whether there were any.
bool emptyCache(Device &D);

} // namespace ferry::rt

#endif // FERRY_RUNTIME_MEMORY_H
