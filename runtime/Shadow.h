//===- Shadow.h - Who touched which byte last -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_SHADOW_H
#define FERRY_RUNTIME_SHADOW_H

#include "Public.h"
#include <cstddef>

namespace ferry::rt {

/// One access of one thread. `Stamp` is the time of the last event that orders
/// threads, so that an event with a larger number came after the access.
struct Touch {
  uint32_t Kind; ///< FERRY_ACCESS_*; 0: none
  uint32_t Block, Thread, Stamp;
  uint32_t Site;
};

/// What is known about the threads' order when an access happens.
class ThreadOrder {
public:
  /// `Before` happened before anything that the current thread does now.
  virtual bool isOrdered(const Touch &Before) const = 0;
  /// How far apart two threads are: 0 the same warp, 1 the same block, 2.
  virtual unsigned distance(const Touch &A, const Touch &B) const = 0;

protected:
  // Not virtual: programs in Rust have no `operator delete` of C++.
  ~ThreadOrder() = default;
};

/// Memory that is given back all at once.
class Arena {
public:
  Arena() = default;
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  /// Zeros; null when the host has no memory.
  void *take(size_t Bytes);

private:
  struct Chunk;
  Chunk *Last = nullptr;
};

/// The accesses to one piece of memory that a later one may race with.
class Shadow {
public:
  /// For `Bytes` bytes from `Begin`, which is rounded down to a word. False:
  /// the host has no memory.
  bool create(uint64_t Begin, uint64_t Bytes);
  Shadow() = default;
  ~Shadow();
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

  /// Enters an access. Returns whether it races, with what in `Other`.
  bool enter(uint64_t Address, uint64_t Bytes, const Touch &Now,
             const ThreadOrder &Order, Arena &Memory, Touch &Other);

private:
  struct Cell;
  static bool enterCell(Cell &C, const Touch &Now, const ThreadOrder &Order,
                        Arena &Memory, Touch &Other);
  static void keep(Touch (&Set)[2], const Touch &Now, const ThreadOrder &Order);

  uint64_t Begin = 0;
  Cell *Cells = nullptr; ///< one a word
  size_t MappedBytes = 0;
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_SHADOW_H
