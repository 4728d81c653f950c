//===- ferry/sync.h - Waiting for the threads of a block --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SYNC_H
#define FERRY_SYNC_H

#include "ferry/markers.h"

namespace ferry {

/// Waits until every thread of the block has come here. What they wrote before,
/// to shared memory or to arguments, is seen by all of them after. In kernels
/// that are launched with blocks(...).threads(...); under over(...) and in
/// parallel_for, where nobody knows the blocks, it does not build.
///
/// All threads of a block that have not returned must reach the same call. A
/// call under a condition that differs between them is the program's mistake;
/// FERRY_CHECK=barrier reports it on cpu.
///
/// Cost: tens of cycles on a GPU. On cpu the kernel is split here into loops
/// over the block's threads, and what a thread keeps across it may go through
/// memory.
///
/// \code
/// void reverse(std::span<float> v) {
///   auto &tile = ferry::shared<float[64]>();
///   unsigned t = ferry::thread_idx().x;
///   tile[t] = v[ferry::global_id()];
///   ferry::sync_threads();
///   v[ferry::global_id()] = tile[63 - t];
/// }
/// void run(std::vector<float> &v) {
///   ferry::launch<reverse>(ferry::blocks(v.size() / 64).threads(64), v);
/// }
/// \endcode
__attribute__((always_inline, nodebug, convergent)) inline void
sync_threads() noexcept {
  __ferry_sync_threads();
}

} // namespace ferry

#endif // FERRY_SYNC_H
