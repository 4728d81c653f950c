//===- Sync.h - Futexes, and a lock made of one -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libferry is linked into C and Rust programs too, so it has nothing of
// libstdc++'s library part, and its state is constant-initialised: it works
// before the first constructor and after the last destructor.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_SYNC_H
#define FERRY_RUNTIME_SYNC_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ferry::rt {

/// Sleeps until somebody wakes `Word`, or not at all if it isn't `Expected`.
inline void futexWait(void *Word, uint32_t Expected) {
  syscall(SYS_futex, Word, FUTEX_WAIT_PRIVATE, Expected, nullptr, nullptr, 0);
}

inline void futexWake(void *Word, int Count) {
  syscall(SYS_futex, Word, FUTEX_WAKE_PRIVATE, Count, nullptr, nullptr, 0);
}

/// Tells the core that this is a spin loop.
inline void cpuRelax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Drepper, "Futexes are tricky", mutex 2: free, taken, taken with sleepers.
class Lock {
public:
  void lock() {
    uint32_t Seen = 0;
    if (State.compare_exchange_strong(Seen, 1, std::memory_order_acquire))
      return;
    if (Seen != 2)
      Seen = State.exchange(2, std::memory_order_acquire);
    while (Seen != 0) {
      futexWait(&State, 2);
      Seen = State.exchange(2, std::memory_order_acquire);
    }
  }
  void unlock() {
    if (State.exchange(0, std::memory_order_release) == 2)
      futexWake(&State, 1);
  }
  /// In a forked child the thread that held the lock may not exist.
  void reset() { State.store(0, std::memory_order_relaxed); }

private:
  std::atomic<uint32_t> State{0};
};

class Guard {
public:
  explicit Guard(Lock &L) : L(L) { L.lock(); }
  ~Guard() { L.unlock(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  Lock &L;
};

} // namespace ferry::rt

#endif // FERRY_RUNTIME_SYNC_H
