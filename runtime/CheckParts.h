//===- CheckParts.h - The parts of a watched launch -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_CHECKPARTS_H
#define FERRY_RUNTIME_CHECKPARTS_H

#include "Error.h"
#include "Launch.h"
#include "Shadow.h"

namespace ferry::rt {

/// What FERRY_CHECK may name.
enum Check : unsigned {
  CheckRace = 1,
  CheckBounds = 2,
  CheckBarrier = 4,
  CheckUninit = 8
};

/// A piece of memory whose bytes are all of some argument's, or all a block's.
struct WatchedMemory {
  uint64_t Begin, End;
  bool IsShared;  ///< the block's
  bool MustWrite; ///< passed as out() alone
  Shadow Accesses;
  uint8_t *Written; ///< a byte for each byte; null: all of it is
  uint64_t Unit;    ///< bytes of an access, for numbering elements
  bool Mixed;       ///< accesses were of several sizes
};

/// An argument, a global or a shared object, for messages.
struct NamedRange {
  uint64_t Begin, End;
  const char *Name; ///< null: shared memory
  uint32_t Flags;   ///< FERRY_FIELD_READ, WRITE, SCRATCH
};

/// The thread that runs, and what orders it after others.
class Clock final : public ThreadOrder {
public:
  static constexpr uint32_t WarpSize = 32;
  bool IsOver = false;
  uint32_t Block = 0, Thread = 0;
  uint32_t Stamp = 1;
  uint32_t BarrierStamp = 0;      ///< of the block's last barrier
  uint32_t *WarpStamps = nullptr; ///< of each warp's last operation
  uint32_t *Synced = nullptr; ///< of each thread: it has acquired up to there

  /// Shared memory is another one in each block.
  bool ForgetOtherBlocks = false;

  bool isOrdered(const Touch &Before) const override;
  unsigned distance(const Touch &A, const Touch &B) const override;
};

/// One watched launch.
class Watch {
public:
  Watch(LaunchRequest &L, unsigned Checks) : L(L), Checks(Checks) {}
  ~Watch();
  int run(const uint64_t *Slots);

  uint32_t access(uint64_t Address, uint64_t Bytes, uint32_t Kind,
                  uint32_t Site);
  void fence(uint32_t Kind);

private:
  LaunchRequest &L;
  unsigned Checks;
  const ferry_checked_kernel &K = *L.Kernel.checked;
  Clock Time;
  Text Report;
  bool Failed = false, NoMemory = false;
  uint64_t StackEnd = 0;
  Arena Pool;

  // Memory (CheckMemory.cpp).
  NamedRange *Names = nullptr;
  uint32_t NumNames = 0;
  WatchedMemory *Memories = nullptr;
  uint32_t NumMemories = 0;
  bool describeMemory();
  void addName(uint64_t Begin, uint64_t Bytes, const char *Name,
               uint32_t Flags);
  WatchedMemory *memoryAt(uint64_t Address);
  bool isOwn(uint64_t Address) const;
  void forgetSharedContents();
  void addElement(Text &T, const WatchedMemory &M, uint64_t Address,
                  uint64_t Bytes) const;
  const NamedRange *nameOf(uint64_t Address) const;
  void failBounds(uint64_t Address, uint64_t Bytes, const Touch &Now);
  void failRace(const WatchedMemory &M, uint64_t Address, uint64_t Bytes,
                const Touch &Before, const Touch &Now);
  void failUnwritten(const WatchedMemory &M, uint64_t Address, uint64_t Bytes,
                     const Touch &Now);
  void checkAllWritten();

  // Order through atomics: when each address was last released.
  struct Released {
    uint64_t Address;
    uint32_t Stamp;
  };
  Released *Releases = nullptr;
  uint32_t NumReleases = 0, MostReleases = 0;
  bool FenceReleased = false;
  uint32_t Seen = 0; ///< the latest release among what the thread has loaded
  void synchronise(uint64_t Address, uint32_t Kind);
  uint32_t *releaseOf(uint64_t Address);

  // Threads (CheckThreads.cpp).
  ferry_checked_thread Now = {};
  char *Shared = nullptr, *Contexts = nullptr;
  size_t SharedMapped = 0, ContextsMapped = 0;
  uint64_t DynamicAt = 0;
  uint32_t *Resume = nullptr; ///< the region of each thread
  uint32_t Threads = 0;       ///< of a block
  ferry_panic_record Record = {};
  bool stopped() const {
    return Failed || NoMemory || Record.state == L.Geometry.generation;
  }
  void runOver(const uint64_t *Slots);
  void runBlocks(const uint64_t *Slots);
  void runBlock(const uint64_t *Slots);
  void stand(const uint64_t *Block, uint32_t Thread);
  void runThread(const uint64_t *Slots, uint32_t Thread);
  bool serveWarps();
  void serveWarp(uint32_t First, uint32_t End, uint32_t Region);
  bool openBarrier();
  void failBarrier(uint32_t A, uint32_t B);

  void addThread(Text &T, uint32_t Block, uint32_t Thread) const;
  void addTouch(Text &T, const Touch &A) const;
  void addSite(Text &T, uint32_t Site) const;
  Text &fail();
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_CHECKPARTS_H
