// Runs what gpu-on-cpu.py makes of a GPU's module: one block after the other,
// each of its threads a fiber of its own. A fiber runs until it ends or comes
// to something that threads do together; then the next one runs. When all of a
// warp stand still, those that the GPU would have together go on:
//   - at an operation that names its members, all of them must be there;
//   - at one that takes who comes, those at the first such place of the code go
//     on first, as the others wait for them where the ways meet again;
//   - at barriers, all of the block must be, those of a warp at the same place
//     where the instruction asks for that.
// What a GPU would hang on or leave undefined is an error here.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace gpu {

struct Shape {
  uint32_t Grid[3] = {1, 1, 1}, Block[3] = {1, 1, 1};
};

enum class Wait { Nothing, Ended, Barrier, WarpBarrier, Active, Members };

struct Fiber {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack;
  uint32_t Thread[3];
  unsigned Lane;
  Wait At = Wait::Nothing;
  uint32_t Site = 0;
  uint64_t Mask = 0;  // of those that take part
  uint64_t Value = 0; // given, then got
  bool Ballot = false;
  uint32_t From = 0; // the lane that a shuffle reads
};

inline constexpr size_t StackBytes = 1 << 18;
inline unsigned WarpSize = 32;
inline Shape Now;
inline uint32_t BlockNow[3];
inline std::vector<Fiber> Fibers;
inline Fiber *Current;
inline ucontext_t Scheduler;
inline std::function<void()> Body;

[[noreturn]] inline void fail(const char *Why, uint32_t Site) {
  std::printf("gpu: %s (place %u)\n", Why, Site);
  std::fflush(stdout);
  std::_Exit(1);
}

inline void yield() { swapcontext(&Current->Context, &Scheduler); }

inline void end() {
  Current->At = Wait::Ended;
  yield();
  std::abort();
}

inline void start() {
  Body();
  end();
}

inline void prepare(Fiber &F, unsigned Number) {
  F.Thread[0] = Number % Now.Block[0];
  F.Thread[1] = Number / Now.Block[0] % Now.Block[1];
  F.Thread[2] = Number / Now.Block[0] / Now.Block[1];
  F.Lane = Number % WarpSize;
  F.At = Wait::Nothing;
  if (!F.Stack)
    F.Stack = std::make_unique<char[]>(StackBytes);
  getcontext(&F.Context);
  F.Context.uc_stack.ss_sp = F.Stack.get();
  F.Context.uc_stack.ss_size = StackBytes;
  F.Context.uc_link = nullptr;
  makecontext(&F.Context, start, 0);
}

using Warp = std::vector<Fiber *>; // those that have not ended

inline Warp warp(unsigned First) {
  Warp Result;
  for (unsigned I = First; I < First + WarpSize && I < Fibers.size(); ++I)
    if (Fibers[I].At != Wait::Ended)
      Result.push_back(&Fibers[I]);
  return Result;
}

/// The members of an operation give each other what they brought, once all are
/// there.
inline bool exchange(const Warp &All, const Fiber &First) {
  Warp Members;
  for (Fiber *F : All)
    if (First.Mask >> F->Lane & 1) {
      if (F->At != Wait::Members || F->Site != First.Site ||
          F->Mask != First.Mask)
        return false;
      Members.push_back(F);
    }
  uint64_t Votes = 0;
  std::vector<uint64_t> Given(WarpSize, 0xdeadbeef);
  for (Fiber *F : Members) {
    Votes |= uint64_t(F->Value & 1) << F->Lane;
    Given[F->Lane] = F->Value;
  }
  for (Fiber *F : Members) {
    F->Value = F->Ballot ? Votes : Given[F->From % WarpSize];
    F->At = Wait::Nothing;
  }
  return true;
}

/// Lets some of the warp go on; false when all of it waits for the block.
inline bool release(const Warp &All) {
  Fiber *First = nullptr, *Member = nullptr;
  for (Fiber *F : All) {
    if (F->At == Wait::Nothing)
      return true;
    if (F->At == Wait::Active && (!First || F->Site < First->Site))
      First = F;
    if (F->At == Wait::Members) {
      Member = F;
      if (exchange(All, *F))
        return true;
    }
  }
  if (!First) {
    if (Member)
      fail("a member of a warp operation never comes", Member->Site);
    return false;
  }
  uint32_t Site = First->Site;
  uint64_t Mask = 0;
  for (Fiber *F : All)
    if (F->At == Wait::Active && F->Site == Site)
      Mask |= uint64_t(1) << F->Lane;
  for (Fiber *F : All)
    if (F->At == Wait::Active && F->Site == Site) {
      F->Mask = Mask;
      F->At = Wait::Nothing;
    }
  return true;
}

inline void checkBarrier(const Warp &All) {
  for (Fiber *F : All)
    if (F->At == Wait::WarpBarrier && F->Site != All.front()->Site)
      fail("threads of a warp are at different barriers", F->Site);
}

inline void runBlock() {
  for (unsigned I = 0; I < Fibers.size(); ++I)
    prepare(Fibers[I], I);
  for (bool Going = true; Going;) {
    Going = false;
    bool Moved = true;
    while (Moved) {
      Moved = false;
      for (Fiber &F : Fibers)
        if (F.At == Wait::Nothing) {
          Current = &F;
          swapcontext(&Scheduler, &F.Context);
        }
      for (unsigned First = 0; First < Fibers.size(); First += WarpSize)
        Moved |= release(warp(First));
    }
    // All that have not ended are at a barrier.
    for (unsigned First = 0; First < Fibers.size(); First += WarpSize) {
      Warp All = warp(First);
      checkBarrier(All);
      for (Fiber *F : All) {
        F->At = Wait::Nothing;
        Going = true;
      }
    }
  }
}

/// Runs `Kernel` once for each thread of `S`, with the memory of a block filled
/// by `Fill` first.
inline void run(
    const Shape &S, std::function<void()> Kernel,
    std::function<void()> Fill = [] {}) {
  Now = S;
  Body = std::move(Kernel);
  Fibers.resize(S.Block[0] * S.Block[1] * S.Block[2]);
  for (BlockNow[2] = 0; BlockNow[2] < S.Grid[2]; ++BlockNow[2])
    for (BlockNow[1] = 0; BlockNow[1] < S.Grid[1]; ++BlockNow[1])
      for (BlockNow[0] = 0; BlockNow[0] < S.Grid[0]; ++BlockNow[0]) {
        Fill();
        runBlock();
      }
}

inline uint64_t together(uint32_t Site, uint64_t Mask, uint64_t Value,
                         bool Ballot, uint32_t From) {
  Fiber &F = *Current;
  F.Site = Site;
  F.Mask = Mask;
  F.Value = Value;
  F.Ballot = Ballot;
  F.From = From;
  F.At = Wait::Members;
  yield();
  return F.Value;
}

inline uint64_t activeMask(uint32_t Site) {
  Current->Site = Site;
  Current->At = Wait::Active;
  yield();
  return Current->Mask;
}

} // namespace gpu

// What gpu-on-cpu.py leaves undefined.
extern "C" {
uint32_t thread_x() { return gpu::Current->Thread[0]; }
uint32_t thread_y() { return gpu::Current->Thread[1]; }
uint32_t thread_z() { return gpu::Current->Thread[2]; }
uint32_t block_x() { return gpu::BlockNow[0]; }
uint32_t block_y() { return gpu::BlockNow[1]; }
uint32_t block_z() { return gpu::BlockNow[2]; }
void exit_thread() { gpu::end(); }
uint32_t lane() { return gpu::Current->Lane; }
uint32_t warp_size() { return gpu::WarpSize; }

static void barrier(gpu::Wait Kind, uint32_t Site) {
  gpu::Current->Site = Site;
  gpu::Current->At = Kind;
  gpu::yield();
}
void any_barrier(uint32_t Site) { barrier(gpu::Wait::Barrier, Site); }
void warp_barrier(uint32_t Site) { barrier(gpu::Wait::WarpBarrier, Site); }

// NVIDIA: operations name their members.
uint32_t active_mask(uint32_t Site) { return gpu::activeMask(Site); }
uint32_t vote_ballot(uint32_t Site, uint32_t Mask, bool Predicate) {
  return gpu::together(Site, Mask, Predicate, true, 0);
}
uint32_t shuffle(uint32_t Site, uint32_t Mask, uint32_t Value, uint32_t Lane,
                 uint32_t) {
  return gpu::together(Site, Mask, Value, false, Lane);
}
// AMD: those that are here.
uint64_t wave_ballot(uint32_t Site, bool Predicate) {
  return gpu::together(Site, gpu::activeMask(Site), Predicate, true, 0);
}
uint32_t wave_ballot_32(uint32_t Site, bool Predicate) {
  return wave_ballot(Site, Predicate);
}
uint32_t read_lane(uint32_t Site, uint32_t Value, uint32_t Lane) {
  return gpu::together(Site, gpu::activeMask(Site), Value, false, Lane);
}
uint32_t bpermute(uint32_t Site, uint32_t Address, uint32_t Value) {
  return gpu::together(Site, gpu::activeMask(Site), Value, false, Address / 4);
}
}
