//===- Pool.cpp - Runs a launch on all cores ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool of host threads with one job at a time. The caller of a launch works
// too, and nobody else is needed: it waits only for workers that are inside a
// chunk when no chunk is left.
//
// One word says it all: the job's generation, whether the job is open, and how
// many workers are in it. A worker joins by adding one to the count while the
// job is open; the caller closes the job and waits for the count to reach
// zero, after which nobody looks at the job again and it may leave the stack.
//
// Chunks are shared out statically first: of P participants, number p owns the
// p-th part of the chunks, so that launch after launch a core works on the
// pages and cache lines that it worked on before. Who is done helps the others,
// by taking the next chunk off their parts (a counter each).
//
// Workers spin for a while after a job, since launches come in rows, and then
// sleep on a futex. Waking them costs more than a small launch, so the caller
// wakes them at once only where the kernel is not known to be cheap, and else
// when its first chunk took long. One sleeper is woken, which wakes two more,
// and so on. What a kernel costs is known from that first chunk of its last
// launches; it also says into how many chunks the next one is cut.
//
// Kernels that keep something between barriers need scratch memory, a piece a
// participant. The pool has one block for it, which grows and stays.
//
// Where the pool is no use, the caller runs the chunks alone: a second host
// thread launches meanwhile, the launch is nested, or threads can't be made. A
// forked child starts with an empty pool of its own. Worker threads live as
// long as the process, so the library that they run is pinned (Process.h).
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "Chunks.h"
#include "Process.h"
#include "Sync.h"
#include <bit>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <utility>

namespace ferry::rt {

static constexpr uint64_t SpinNanoseconds = 150'000;
static constexpr uint64_t WakeAfterNanoseconds = 2'000;
static constexpr unsigned MostHostThreads = 1024;

namespace {

/// One participant's part of the chunks.
struct alignas(128) Part {
  std::atomic<uint32_t> Next{0};
  uint32_t End = 0;
};

/// What a unit of a kernel takes on one host thread. Kernels that hash to the
/// same place displace each other.
class Costs {
public:
  /// In nanoseconds, 0 for a kernel that is not known.
  float of(ferry_cpu_kernel Kernel) const {
    Entry E =
        std::bit_cast<Entry>(At[place(Kernel)].load(std::memory_order_relaxed));
    return E.Tag == tag(Kernel) ? E.Nanoseconds : 0;
  }
  void set(ferry_cpu_kernel Kernel, float Nanoseconds) {
    At[place(Kernel)].store(
        std::bit_cast<uint64_t>(Entry{tag(Kernel), Nanoseconds}),
        std::memory_order_relaxed);
  }

private:
  struct Entry {
    uint32_t Tag;
    float Nanoseconds;
  };
  static uint32_t tag(ferry_cpu_kernel Kernel) {
    return reinterpret_cast<uintptr_t>(Kernel) >> 4;
  }
  static uint32_t place(ferry_cpu_kernel Kernel) {
    return tag(Kernel) * 0x9e3779b9u >> 24;
  }
  std::atomic<uint64_t> At[256];
};

struct Job {
  ferry_cpu_kernel Kernel;
  const uint64_t *Slots;
  const ferry_geometry *Geometry;
  const Chunks *Cut;
  /// What the whole takes on one host thread, 0 if nobody knows.
  double Nanoseconds;
  char *Scratch; ///< null when the kernel needs none
  uint64_t ScratchStride;
#if defined(__x86_64__)
  unsigned FloatControl;
#endif
};

// The parts of the word.
constexpr uint64_t ActiveMask = (1u << 30) - 1;
constexpr uint64_t CallerSleeps = 1u << 30;
constexpr uint64_t Open = 1u << 31;

struct Pool {
  alignas(128) std::atomic<uint64_t> Word{0};
  alignas(128) std::atomic<uint32_t> Sleepers{0};
  std::atomic<int> CallersCpu{-1}; ///< when it woke the sleepers
  alignas(128) std::atomic<bool> Busy{false};
  const Job *Current = nullptr;
  /// Participants: the caller, which is number 0, and the workers. 0: not yet
  /// started.
  unsigned Threads = 0;
  Part *Parts = nullptr;
  char *Scratch = nullptr;
  uint64_t ScratchBytes = 0;

  // Futexes are 32 bits wide. Little-endian, as all of Ferry's hosts are.
  void *generationFutex() { return reinterpret_cast<char *>(&Word) + 4; }
  void *activeFutex() { return &Word; }
};

} // namespace

static uint32_t generation(uint64_t Word) { return Word >> 32; }

static constinit Pool P;
static constinit Costs Known{};
static constinit thread_local bool OutOfScratch = false;
static constinit std::atomic<unsigned> ThreadsWanted{0};
static constinit std::atomic<const char *> BadThreadNumber{nullptr};

static uint64_t nanoseconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec * 1'000'000'000ull + T.tv_nsec;
}

namespace {

/// The CPUs that the calling thread may run on. Has room for more than
/// cpu_set_t, which sched_getaffinity refuses on large machines.
class CpuMask {
public:
  bool get() {
    Bytes = syscall(SYS_sched_getaffinity, 0, sizeof(Bits), Bits);
    return Bytes > 0;
  }
  bool set() const {
    return syscall(SYS_sched_setaffinity, 0, Bytes, Bits) == 0;
  }
  void remove(unsigned Cpu) { Bits[Cpu / 64] &= ~(uint64_t(1) << Cpu % 64); }
  unsigned long count() const {
    unsigned long Count = 0;
    for (long I = 0; I < Bytes / 8; ++I)
      Count += __builtin_popcountll(Bits[I]);
    return Count;
  }

private:
  uint64_t Bits[1024];
  long Bytes = 0;
};

} // namespace

static unsigned long threadsAllowed() {
  CpuMask Allowed;
  return Allowed.get() ? Allowed.count() : 0;
}

unsigned poolThreads() {
  if (unsigned Known = ThreadsWanted.load(std::memory_order_relaxed))
    return Known;
  unsigned long Count = 0;
  const char *Text = getenv("FERRY_NUM_THREADS");
  if (Text && *Text) {
    char *End;
    Count = strtoul(Text, &End, 10);
    if (*End || *Text == '-' || Count == 0) {
      BadThreadNumber.store(Text, std::memory_order_relaxed);
      Count = 0;
    }
  }
  if (Count == 0)
    Count = threadsAllowed();
  unsigned Result = std::clamp<unsigned long>(Count, 1, MostHostThreads);
  ThreadsWanted.store(Result, std::memory_order_release);
  return Result;
}

const char *badThreadNumber() {
  poolThreads();
  return BadThreadNumber.load(std::memory_order_relaxed);
}

static bool panicked(const Job &J) {
  ferry_panic_record *Record = J.Geometry->panic;
  return Record && __atomic_load_n(&Record->state, __ATOMIC_RELAXED) ==
                       J.Geometry->generation;
}

static void runChunk(const Job &J, uint32_t Index, unsigned Participant) {
  uint64_t Begin[3], End[3];
  J.Cut->get(Index, Begin, End);
  J.Kernel(J.Slots, J.Geometry, Begin, End,
           J.Scratch ? J.Scratch + Participant * J.ScratchStride : nullptr);
}

/// Takes one chunk off a part. Returns whether there was one.
static bool runOne(const Job &J, Part &From, unsigned Participant) {
  // Looking first keeps the line shared once a part is empty.
  if (From.Next.load(std::memory_order_relaxed) >= From.End)
    return false;
  uint32_t Index = From.Next.fetch_add(1, std::memory_order_relaxed);
  if (Index >= From.End || panicked(J))
    return false;
  runChunk(J, Index, Participant);
  return true;
}

static void work(const Job &J, unsigned Participant) {
  for (unsigned I = 0; I < P.Threads; ++I) {
    unsigned Of = Participant + I;
    Part &From = P.Parts[Of < P.Threads ? Of : Of - P.Threads];
    while (runOne(J, From, Participant))
      ;
  }
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

static void wakeSome(int Count) {
  if (P.Sleepers.load(std::memory_order_seq_cst) != 0)
    futexWake(P.generationFutex(), Count);
}

/// A woken thread may find itself on the CPU of the one that woke it, which it
/// would share until the system balances the load, some milliseconds later.
static void moveToAnotherCpu() {
  CpuMask Allowed;
  int Cpu = sched_getcpu();
  if (Cpu < 0 || Cpu != P.CallersCpu.load(std::memory_order_relaxed) ||
      !Allowed.get())
    return;
  CpuMask Others = Allowed;
  Others.remove(Cpu);
  // Fails when there is no other.
  if (Others.set())
    Allowed.set();
}

/// Waits for a job that is not `Seen`, joins it and returns true. Returns false
/// when there was one, but it is over. `Seen` becomes its generation.
static bool joinNext(uint32_t &Seen) {
  bool Slept = false;
  uint64_t Word = P.Word.load(std::memory_order_acquire);
  for (unsigned Spins = 0, Deadline = 0; generation(Word) == Seen;) {
    // The clock is read once in a while, in units of 1,024 ns.
    if (++Spins % 64 == 0) {
      unsigned Now = nanoseconds() >> 10;
      if (Deadline == 0)
        Deadline = Now + (SpinNanoseconds >> 10);
      if (int(Now - Deadline) > 0) {
        P.Sleepers.fetch_add(1, std::memory_order_seq_cst);
        futexWait(P.generationFutex(), Seen);
        P.Sleepers.fetch_sub(1, std::memory_order_seq_cst);
        Slept = true;
        moveToAnotherCpu();
        Deadline = 0;
      }
    }
    cpuRelax();
    Word = P.Word.load(std::memory_order_acquire);
  }
  while (Word & Open) {
    if (!P.Word.compare_exchange_weak(Word, Word + 1,
                                      std::memory_order_acq_rel))
      continue;
    Seen = generation(Word);
    if (Slept)
      wakeSome(2);
    return true;
  }
  Seen = generation(Word);
  return false;
}

static void leave() {
  uint64_t Before = P.Word.fetch_sub(1, std::memory_order_acq_rel);
  if ((Before & ActiveMask) == 1 && (Before & CallerSleeps))
    futexWake(P.activeFutex(), 1);
}

/// Rounding and the treatment of denormals are the caller's.
static void adoptFloatControl(const Job &J) {
#if defined(__x86_64__)
  if (__builtin_ia32_stmxcsr() != J.FloatControl)
    __builtin_ia32_ldmxcsr(J.FloatControl);
#endif
}

static void *worker(void *Argument) {
  unsigned Participant = reinterpret_cast<uintptr_t>(Argument);
  uint32_t Seen = 0;
  while (true) {
    if (!joinNext(Seen))
      continue;
    adoptFloatControl(*P.Current);
    work(*P.Current, Participant);
    leave();
  }
}

//===----------------------------------------------------------------------===//
// Start and fork
//===----------------------------------------------------------------------===//

/// The threads are gone in a forked child, and what another thread of the
/// parent was doing with the pool will not be finished there.
static void forgetWorkers() {
  free(P.Parts);
  new (&P) Pool;
}

/// Called by the one thread that has made the pool busy.
static void start() {
  static bool AtFork = false;
  if (!AtFork)
    AtFork = pthread_atfork(nullptr, nullptr, forgetWorkers) == 0;
  pinLibrary();
  unsigned Wanted = AtFork ? poolThreads() : 1;
  void *Memory = aligned_alloc(alignof(Part), sizeof(Part) * Wanted);
  P.Parts = static_cast<Part *>(Memory);
  if (!P.Parts)
    Wanted = 1;
  for (unsigned I = 0; P.Parts && I < Wanted; ++I)
    new (&P.Parts[I]) Part;

  // Signals are for the program's own threads.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  unsigned Threads = 1;
  for (; Threads < Wanted; ++Threads) {
    pthread_t Thread;
    if (pthread_create(&Thread, &Attributes, worker,
                       reinterpret_cast<void *>(uintptr_t(Threads))) != 0)
      break;
  }
  pthread_attr_destroy(&Attributes);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  P.Threads = Threads;
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// Memory that is there when it is touched first.
static char *mapScratch(uint64_t Bytes) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Memory == MAP_FAILED ? nullptr : static_cast<char *>(Memory);
}

/// For the one thread that has made the pool busy.
static char *poolScratch(uint64_t Bytes) {
  if (Bytes > P.ScratchBytes) {
    if (P.Scratch)
      munmap(P.Scratch, P.ScratchBytes);
    P.Scratch = mapScratch(Bytes);
    P.ScratchBytes = P.Scratch ? Bytes : 0;
  }
  return P.Scratch;
}

static void runAlone(const Job &J) {
  for (uint32_t I = 0, E = J.Cut->count(); I < E && !panicked(J); ++I)
    runChunk(J, I, 0);
}

static void waitForWorkers() {
  uint64_t Word = P.Word.fetch_and(~Open, std::memory_order_acq_rel);
  for (unsigned Spins = 0; Word & ActiveMask; ++Spins) {
    if (Spins < 4096) {
      cpuRelax();
    } else {
      uint64_t Before = P.Word.fetch_or(CallerSleeps);
      if (Before & ActiveMask)
        futexWait(P.activeFutex(), uint32_t(Before | CallerSleeps));
    }
    Word = P.Word.load(std::memory_order_acquire);
  }
}

static uint64_t units(const ferry_geometry &G) {
  return G.extent[0] * G.extent[1] * G.extent[2];
}

/// Runs the caller's first chunk. Returns how long it took.
static uint64_t runFirst(const Job &J) {
  uint64_t Before = nanoseconds();
  runOne(J, P.Parts[0], 0);
  uint64_t Took = nanoseconds() - Before;
  Known.set(J.Kernel, double(Took) * J.Cut->count() / units(*J.Geometry));
  return Took;
}

static void wakeAndRunFirst(const Job &J) {
  P.CallersCpu.store(sched_getcpu(), std::memory_order_relaxed);
  bool Cheap = J.Nanoseconds != 0 &&
               J.Nanoseconds < double(WakeAfterNanoseconds) * J.Cut->count();
  if (!Cheap)
    wakeSome(1);
  if (runFirst(J) > WakeAfterNanoseconds && Cheap)
    wakeSome(1);
}

static void runWithWorkers(const Job &J) {
  uint32_t Count = J.Cut->count();
  for (unsigned I = 0; I < P.Threads; ++I) {
    P.Parts[I].Next.store(uint64_t(Count) * I / P.Threads,
                          std::memory_order_relaxed);
    P.Parts[I].End = uint64_t(Count) * (I + 1) / P.Threads;
  }
  P.Current = &J;
  uint64_t Next = generation(P.Word.load(std::memory_order_relaxed)) + 1u;
  P.Word.store(Next << 32 | Open, std::memory_order_seq_cst);

  if (J.Nanoseconds == 0 || P.Sleepers.load(std::memory_order_seq_cst) != 0)
    wakeAndRunFirst(J);
  work(J, 0);
  waitForWorkers();
}

/// Runs the chunks on the calling thread, with scratch of its own.
static void runApart(Job J) {
  if (J.ScratchStride) {
    J.Scratch = mapScratch(J.ScratchStride);
    OutOfScratch = !J.Scratch;
    if (OutOfScratch)
      return;
  }
  runAlone(J);
  if (J.Scratch)
    munmap(J.Scratch, J.ScratchStride);
}

static void runTogether(Job J) {
  if (P.Threads == 0)
    start();
  if (J.ScratchStride) {
    J.Scratch = poolScratch(J.ScratchStride * P.Threads);
    OutOfScratch = !J.Scratch;
    if (OutOfScratch)
      return;
  }
  if (P.Threads == 1 || J.Cut->count() == 1)
    runAlone(J);
  else
    runWithWorkers(J);
}

void runOnPool(ferry_cpu_kernel Kernel, const uint64_t *Slots,
               const ferry_geometry *Geometry) {
  double Expected = double(Known.of(Kernel)) * units(*Geometry);
  Chunks Cut(Geometry->extent, poolThreads(), Geometry->unit_threads, Expected);
  Job J{.Kernel = Kernel,
        .Slots = Slots,
        .Geometry = Geometry,
        .Cut = &Cut,
        .Nanoseconds = Expected,
        .Scratch = nullptr,
        // Pieces of a page or more don't share its lines.
        .ScratchStride = (Geometry->scratch_bytes + 4095) & ~uint64_t(4095)
#if defined(__x86_64__)
            ,
        .FloatControl = __builtin_ia32_stmxcsr()
#endif
  };
  bool Alone = Cut.count() == 1 && !J.ScratchStride;
  if (Alone || P.Busy.exchange(true, std::memory_order_acquire)) {
    runApart(J);
    return;
  }
  runTogether(J);
  P.Busy.store(false, std::memory_order_release);
}

bool ranOutOfScratch() { return std::exchange(OutOfScratch, false); }

} // namespace ferry::rt
