//===- CheckThreads.cpp - Plays a watched launch --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host thread plays all threads of a launch, block after block. In a block
// every thread that can run does, up to its next collective; then the warps
// whose lanes wait for each other are served; when nobody can run, the block's
// barrier opens. That is how the cpu device itself runs blocks whose threads
// are not in step (compiler/Lower/Cpu/BlockLoops.cpp), so results are the same.
//
// The barrier is also where threads that wait at different places, or for some
// that have left, are found.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "CheckParts.h"
#include "Devices.h"
#include "Offload.h"
#include "Panic.h"
#include "Stats.h"
#include "Sync.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace ferry::rt {

//===----------------------------------------------------------------------===//
// FERRY_CHECK
//===----------------------------------------------------------------------===//

namespace {
struct Wanted {
  unsigned Checks = 0;
  bool Coherence = false;
  const char *Unknown = nullptr; ///< the word that is none
  size_t UnknownBytes = 0;
};
} // namespace

static Wanted readEnvironment() {
  static constexpr struct {
    const char *Name;
    unsigned Bit;
  } Known[] = {{"race", CheckRace},
               {"bounds", CheckBounds},
               {"barrier", CheckBarrier},
               {"uninit", CheckUninit},
               {"coherence", 0}};
  Wanted W;
  const char *Text = getenv("FERRY_CHECK");
  while (Text && *Text) {
    size_t Bytes = strcspn(Text, ",");
    bool IsKnown = false;
    for (auto &K : Known)
      if (strlen(K.Name) == Bytes && !strncmp(K.Name, Text, Bytes)) {
        IsKnown = true;
        W.Checks |= K.Bit;
        W.Coherence |= !K.Bit;
      }
    if (!IsKnown && !W.Unknown) {
      W.Unknown = Text;
      W.UnknownBytes = Bytes;
    }
    Text += Bytes + (Text[Bytes] == ',');
  }
  return W;
}

/// Read once: changing it while launches run would be of no use.
static const Wanted &wanted() {
  static constinit std::atomic<bool> Read{false};
  static constinit Lock Reading;
  static constinit Wanted W;
  if (!Read.load(std::memory_order_acquire)) {
    Guard G(Reading);
    if (!Read.load(std::memory_order_relaxed)) {
      W = readEnvironment();
      Read.store(true, std::memory_order_release);
    }
  }
  return W;
}

bool checksWanted() {
  const Wanted &W = wanted();
  return W.Checks || W.Unknown;
}

bool coherenceWanted() { return wanted().Coherence; }

int refuseChecks(const LaunchRequest &L, const Device &D) {
  const Wanted &W = wanted();
  Text T;
  addLaunch(T, L.Kernel, L.Place);
  if (W.Unknown) {
    T.add("FERRY_CHECK names '").addBytes(W.Unknown, W.UnknownBytes);
    T.add("', which is no check: there are race, bounds, barrier, "
          "uninit and coherence");
    return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
  }
  if (D.Kind != DeviceKind::Cpu) {
    T.add("FERRY_CHECK works on cpu, and this launch is for %s: choose cpu "
          "with FERRY_DEVICE=cpu, or unset FERRY_CHECK",
          D.Name);
    return fail(FERRY_STATUS_INVALID_ARGUMENT, T);
  }
  return FERRY_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

/// Fills Now with where a thread of a block stands.
void Watch::stand(const uint64_t *Block, uint32_t Thread) {
  const ferry_geometry &G = L.Geometry;
  uint32_t Rest = Thread;
  for (unsigned D = 0; D < 3; ++D) {
    Now.block_dim[D] = G.block[D];
    Now.block_idx[D] = uint32_t(Block[D]);
    Now.thread_idx[D] = Rest % G.block[D];
    Rest /= G.block[D];
    Now.global_idx[D] = Block[D] * G.block[D] + Now.thread_idx[D];
    Now.grid_dim[D] = uint32_t(blocksInGrid(L, D));
    Now.global_dim[D] =
        L.Kernel.shape == FERRY_OVER ? G.extent[D] : G.extent[D] * G.block[D];
  }
  Now.global_id = (Now.global_idx[2] * Now.global_dim[1] + Now.global_idx[1]) *
                      Now.global_dim[0] +
                  Now.global_idx[0];
  Now.number = Thread;
  Now.warp_lane = Thread % Clock::WarpSize;
}

void Watch::runThread(const uint64_t *Slots, uint32_t Thread) {
  Now.context = Contexts + Thread * K.context_bytes;
  FenceReleased = false;
  Seen = 0;
  Resume[Thread] = K.regions[Resume[Thread]].code(Slots, &Now);
}

void Watch::runOver(const uint64_t *Slots) {
  const ferry_geometry &G = L.Geometry;
  uint64_t At[3];
  for (At[2] = 0; At[2] < G.extent[2]; ++At[2])
    for (At[1] = 0; At[1] < G.extent[1]; ++At[1])
      for (At[0] = 0; At[0] < G.extent[0]; ++At[0]) {
        if (stopped())
          return;
        uint64_t Block[3];
        uint32_t Thread = 0;
        for (int D = 2; D >= 0; --D) {
          Block[D] = At[D] / G.block[D];
          Thread = Thread * G.block[D] + At[D] % G.block[D];
        }
        stand(Block, Thread);
        Time.Thread = uint32_t(Now.global_id);
        Time.Synced[0] = 0;
        Resume[0] = 0;
        runThread(Slots, 0);
      }
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

namespace {
/// States of a thread that are no region's number.
constexpr uint32_t Done = ~0u;
} // namespace

/// The warp's threads that wait at `Region` exchange their values.
void Watch::serveWarp(uint32_t First, uint32_t End, uint32_t Region) {
  const ferry_checked_region &R = K.regions[Region];
  auto At = [&](uint32_t Thread, uint32_t Offset) {
    return Contexts + Thread * K.context_bytes + Offset;
  };
  auto Operand = [&](uint32_t Thread) {
    uint32_t V;
    memcpy(&V, At(Thread, R.operand), sizeof(V));
    return V;
  };
  uint64_t Ballot = 0;
  for (uint32_t T = First; T < End; ++T)
    if (Resume[T] == Region && Operand(T))
      Ballot |= uint64_t(1) << (T - First);
  for (uint32_t T = First; T < End; ++T) {
    if (Resume[T] != Region)
      continue;
    if (R.after == FERRY_AFTER_BALLOT) {
      memcpy(At(T, R.result), &Ballot, sizeof(Ballot));
      continue;
    }
    uint32_t Lane;
    memcpy(&Lane, At(T, R.lane), sizeof(Lane));
    uint32_t From = std::min(First + Lane % Clock::WarpSize, Threads - 1);
    uint32_t Value = Operand(From);
    memcpy(At(T, R.result), &Value, sizeof(Value));
  }
}

/// Serves the warp operations that threads wait at, and runs these threads.
/// Returns whether there were any.
bool Watch::serveWarps() {
  bool Any = false;
  for (uint32_t First = 0; First < Threads; First += Clock::WarpSize) {
    uint32_t End = std::min(First + Clock::WarpSize, Threads);
    uint32_t Latest = 0;
    bool Served = false;
    for (uint32_t Region = 1; Region < K.num_regions; ++Region) {
      if (K.regions[Region].after == FERRY_AFTER_BARRIER ||
          std::find(Resume + First, Resume + End, Region) == Resume + End)
        continue;
      serveWarp(First, End, Region);
      Any = Served = true;
      for (uint32_t T = First; T < End; ++T)
        if (Resume[T] == Region)
          Latest = std::max(Latest, Time.Synced[T]);
    }
    if (!Served)
      continue;
    Time.WarpStamps[First / Clock::WarpSize] = ++Time.Stamp;
    for (uint32_t T = First; T < End; ++T)
      Time.Synced[T] = std::max(Time.Synced[T], Latest);
  }
  return Any;
}

/// Checks that the block's threads are all at one barrier, and opens it.
/// Returns whether anybody waited.
bool Watch::openBarrier() {
  uint32_t First = Done, Latest = 0;
  for (uint32_t T = 0; T < Threads; ++T)
    if (Resume[T] != Done && First == Done)
      First = T;
  if (First == Done)
    return false;
  for (uint32_t T = 0; T < Threads; ++T) {
    // Copies of one barrier that the compiler has made are the same.
    bool Together = Resume[T] != Done &&
                    K.regions[Resume[T]].site == K.regions[Resume[First]].site;
    if (!Together && (Checks & CheckBarrier)) {
      failBarrier(First, T);
      return false;
    }
    Latest = std::max(Latest, Time.Synced[T]);
  }
  std::fill(Time.Synced, Time.Synced + Threads, Latest);
  Time.BarrierStamp = ++Time.Stamp;
  return true;
}

void Watch::runBlock(const uint64_t *Slots) {
  const uint64_t Block[] = {Now.block_idx[0], Now.block_idx[1],
                            Now.block_idx[2]};
  std::fill(Resume, Resume + Threads, 0u);
  std::fill(Time.Synced, Time.Synced + Threads, 0u);
  std::fill(Time.WarpStamps,
            Time.WarpStamps + (Threads + Clock::WarpSize - 1) / Clock::WarpSize,
            0u);
  Time.BarrierStamp = ++Time.Stamp;
  forgetSharedContents();
  // Who can run: at the start all, then who waited for the warp, then who
  // waited for the block.
  enum { All, AtWarp, AtBarrier } Running = All;
  while (true) {
    for (uint32_t T = 0; T < Threads; ++T) {
      if (Resume[T] == Done)
        continue;
      bool WaitsForBlock =
          Resume[T] && K.regions[Resume[T]].after == FERRY_AFTER_BARRIER;
      if (Running == AtWarp && WaitsForBlock)
        continue;
      stand(Block, T);
      Time.Thread = T;
      runThread(Slots, T);
      if (stopped())
        return;
      if (!Resume[T])
        Resume[T] = Done;
    }
    if (serveWarps())
      Running = AtWarp;
    else if (openBarrier())
      Running = AtBarrier;
    else
      return;
  }
}

void Watch::runBlocks(const uint64_t *Slots) {
  const uint64_t *Extent = L.Geometry.extent;
  uint64_t At[3];
  for (At[2] = 0; At[2] < Extent[2]; ++At[2])
    for (At[1] = 0; At[1] < Extent[1]; ++At[1])
      for (At[0] = 0; At[0] < Extent[0]; ++At[0]) {
        if (stopped())
          return;
        stand(At, 0);
        Time.Block = uint32_t((At[2] * Extent[1] + At[1]) * Extent[0] + At[0]);
        runBlock(Slots);
      }
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

static char *mapZeros(size_t Bytes) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Memory == MAP_FAILED ? nullptr : static_cast<char *>(Memory);
}

int Watch::run(const uint64_t *Slots) {
  const ferry_geometry &G = L.Geometry;
  Time.IsOver = L.Kernel.shape == FERRY_OVER;
  Threads = Time.IsOver ? 1 : G.block[0] * G.block[1] * G.block[2];
  StackEnd = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  // Room that is nobody's between static and dynamic shared memory.
  DynamicAt = ((K.shared_bytes + 63) & ~uint64_t(63)) + 64;
  SharedMapped = DynamicAt + G.dynamic_shared + 64;
  ContextsMapped = uint64_t(Threads) * K.context_bytes + 64;
  Shared = mapZeros(SharedMapped);
  Contexts = mapZeros(ContextsMapped);
  Resume = static_cast<uint32_t *>(Pool.take(Threads * sizeof(uint32_t)));
  Time.Synced = static_cast<uint32_t *>(Pool.take(Threads * sizeof(uint32_t)));
  Time.WarpStamps =
      static_cast<uint32_t *>(Pool.take(Threads * sizeof(uint32_t)));
  NoMemory = !Shared || !Contexts || !Resume || !Time.Synced ||
             !Time.WarpStamps || !describeMemory();
  Now.panic = &Record;
  Now.generation = G.generation;
  Now.static_shared = Shared;
  Now.dynamic_shared = Shared + DynamicAt;
  Now.dynamic_shared_bytes = G.dynamic_shared;
  if (!NoMemory && Time.IsOver)
    runOver(Slots);
  else if (!NoMemory)
    runBlocks(Slots);
  if (!stopped() && (Checks & CheckUninit))
    checkAllWritten();

  if (NoMemory) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    T.add("the host has no memory for the checks that FERRY_CHECK asks for");
    return rt::fail(FERRY_STATUS_OUT_OF_MEMORY, T);
  }
  countLaunch();
  if (Failed)
    return rt::fail(FERRY_STATUS_CHECK, Report);
  if (Record.state == G.generation)
    return failWithPanic(L.Kernel, G, Record);
  return FERRY_STATUS_OK;
}

/// The launch that is watched; one at a time.
static constinit Watch *Running = nullptr;

int runChecked(LaunchRequest &L, const uint64_t *Slots) {
  static constinit Lock OneAtATime;
  Guard G(OneAtATime);
  Watch W(L, wanted().Checks);
  Running = &W;
  int Status = W.run(Slots);
  Running = nullptr;
  return Status;
}

} // namespace ferry::rt

extern "C" uint32_t __ferry_check_access(const void *Address, uint64_t Bytes,
                                         uint32_t Kind, uint32_t Site) {
  return ferry::rt::Running->access(reinterpret_cast<uint64_t>(Address), Bytes,
                                    Kind, Site);
}

extern "C" void __ferry_check_fence(uint32_t Kind) {
  ferry::rt::Running->fence(Kind);
}
