//===- Stats.h - Counts of launches and copies ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_STATS_H
#define FERRY_RUNTIME_STATS_H

#include <atomic>
#include <cstdint>

namespace ferry::rt {

struct Counters {
  std::atomic<uint64_t> Launches{0};
  std::atomic<uint64_t> CopiesToDevice{0}, BytesToDevice{0};
  std::atomic<uint64_t> CopiesToHost{0}, BytesToHost{0};
};
extern Counters Stats;

inline void countLaunch() {
  Stats.Launches.fetch_add(1, std::memory_order_relaxed);
}
inline void countToDevice(uint64_t Bytes) {
  Stats.CopiesToDevice.fetch_add(1, std::memory_order_relaxed);
  Stats.BytesToDevice.fetch_add(Bytes, std::memory_order_relaxed);
}
inline void countToHost(uint64_t Bytes) {
  Stats.CopiesToHost.fetch_add(1, std::memory_order_relaxed);
  Stats.BytesToHost.fetch_add(Bytes, std::memory_order_relaxed);
}

} // namespace ferry::rt

#endif // FERRY_RUNTIME_STATS_H
