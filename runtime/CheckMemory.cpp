//===- CheckMemory.cpp - Watches what threads touch -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel may touch its arguments, the program's globals that it names, and
// what its block shares. Arguments that overlap are one memory. Each has a
// shadow of accesses (Shadow.cpp) and, where not every byte has a value from
// the start, a byte for each byte that says whether it has one now.
//
// Threads are ordered by barriers, by warp operations, and by atomics: a load
// that acquires comes after every access that was made before the last release
// at its address. That is more order than there is, since the release speaks
// for one thread only; it costs no false report, and the accesses behind the
// release are still seen to race.
//
// The rest of the address space is out of bounds, but for a thread's own stack
// and context, and for constants, which lie where the program cannot write.
//
//===----------------------------------------------------------------------===//

#include "CheckParts.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <new>
#include <sys/mman.h>

namespace ferry::rt {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool Clock::isOrdered(const Touch &Before) const {
  if (Before.Block == Block && Before.Thread == Thread)
    return true;
  if (ForgetOtherBlocks && Before.Block != Block)
    return true;
  if (Before.Stamp < Synced[IsOver ? 0 : Thread])
    return true;
  return !IsOver && Before.Block == Block &&
         (Before.Stamp < BarrierStamp ||
          (Before.Thread / WarpSize == Thread / WarpSize &&
           Before.Stamp < WarpStamps[Thread / WarpSize]));
}

unsigned Clock::distance(const Touch &A, const Touch &B) const {
  if (A.Block != B.Block)
    return 2;
  return IsOver || A.Thread / WarpSize != B.Thread / WarpSize;
}

uint32_t *Watch::releaseOf(uint64_t Address) {
  if (NumReleases * 2 >= MostReleases) {
    uint32_t Most = MostReleases ? MostReleases * 2 : 256;
    auto *Grown = static_cast<Released *>(calloc(Most, sizeof(Released)));
    if (!Grown) {
      NoMemory = true;
      return nullptr;
    }
    std::swap(Releases, Grown);
    std::swap(MostReleases, Most);
    NumReleases = 0;
    for (uint32_t I = 0; I < Most; ++I)
      if (Grown && Grown[I].Address)
        *releaseOf(Grown[I].Address) = Grown[I].Stamp;
    free(Grown);
  }
  uint64_t At = (Address * 0x9E3779B97F4A7C15u) >> 32;
  while (Releases[At % MostReleases].Address &&
         Releases[At % MostReleases].Address != Address)
    ++At;
  Released &R = Releases[At % MostReleases];
  if (!R.Address) {
    R.Address = Address;
    ++NumReleases;
  }
  return &R.Stamp;
}

void Watch::synchronise(uint64_t Address, uint32_t Kind) {
  uint32_t *Release = releaseOf(Address);
  if (!Release)
    return;
  uint32_t &Synced = Time.Synced[Time.IsOver ? 0 : Time.Thread];
  if (Kind & FERRY_ACCESS_READ) {
    Seen = std::max(Seen, *Release);
    if (Kind & FERRY_ACCESS_ACQUIRE)
      Synced = std::max(Synced, *Release);
  }
  if ((Kind & FERRY_ACCESS_WRITE) &&
      ((Kind & FERRY_ACCESS_RELEASE) || FenceReleased))
    *Release = ++Time.Stamp;
}

void Watch::fence(uint32_t Kind) {
  if (Kind & FERRY_ACCESS_RELEASE)
    FenceReleased = true;
  if (Kind & FERRY_ACCESS_ACQUIRE) {
    uint32_t &Synced = Time.Synced[Time.IsOver ? 0 : Time.Thread];
    Synced = std::max(Synced, Seen);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Watch::~Watch() {
  for (uint32_t I = 0; I < NumMemories; ++I) {
    if (Memories[I].Written)
      munmap(Memories[I].Written, Memories[I].End - Memories[I].Begin);
    Memories[I].~WatchedMemory();
  }
  free(Releases);
  if (Shared)
    munmap(Shared, SharedMapped);
  if (Contexts)
    munmap(Contexts, ContextsMapped);
}

void Watch::addName(uint64_t Begin, uint64_t Bytes, const char *Name,
                    uint32_t Flags) {
  if (Bytes)
    Names[NumNames++] = {Begin, Begin + Bytes, Name, Flags};
}

/// Marks what has a value before the launch: what some argument reads.
static bool markInitial(WatchedMemory &M, const NamedRange *Names,
                        uint32_t NumNames) {
  uint64_t Bytes = M.End - M.Begin, Known = 0;
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return false;
  M.Written = static_cast<uint8_t *>(Memory);
  M.MustWrite = true;
  for (uint32_t I = 0; I < NumNames; ++I) {
    const NamedRange &N = Names[I];
    if (N.Begin < M.Begin || N.Begin >= M.End)
      continue;
    M.MustWrite &= N.Flags == FERRY_FIELD_WRITE;
    if (N.Flags & FERRY_FIELD_READ) {
      memset(M.Written + (N.Begin - M.Begin), 1, N.End - N.Begin);
      Known = std::max(Known, N.End - N.Begin);
    }
  }
  if (Known == Bytes) {
    munmap(M.Written, Bytes);
    M.Written = nullptr;
  }
  return true;
}

bool Watch::describeMemory() {
  uint64_t Most = L.Site.num_slots + L.Kernel.num_globals + K.num_shared + 1;
  Names = static_cast<NamedRange *>(Pool.take(Most * sizeof(NamedRange)));
  Memories =
      static_cast<WatchedMemory *>(Pool.take(Most * sizeof(WatchedMemory)));
  if (!Names || !Memories)
    return false;
  constexpr uint32_t Access =
      FERRY_FIELD_READ | FERRY_FIELD_WRITE | FERRY_FIELD_SCRATCH;
  for (uint32_t I = 0; I < L.Site.num_slots; ++I)
    if (L.Site.slots[I].flags) {
      const char *Name = L.Site.slots[I].name;
      addName(L.Values[I], L.Bytes[I], Name && *Name ? Name : "an argument",
              L.Site.slots[I].flags & Access);
    }
  for (uint64_t I = 0; I < L.Kernel.num_globals; ++I) {
    const ferry_global &G = *L.Kernel.globals[I];
    addName(reinterpret_cast<uint64_t>(G.address), G.bytes, G.name,
            FERRY_FIELD_READ | FERRY_FIELD_WRITE);
  }
  auto SharedAt = reinterpret_cast<uint64_t>(Shared);
  for (uint64_t I = 0; I < K.num_shared; ++I)
    addName(SharedAt + K.shared[2 * I], K.shared[2 * I + 1], nullptr, 0);
  addName(SharedAt + DynamicAt, L.Geometry.dynamic_shared, nullptr, 0);

  std::sort(Names, Names + NumNames, [](auto &A, auto &B) {
    return A.Begin != B.Begin ? A.Begin < B.Begin : A.End > B.End;
  });
  for (uint32_t I = 0; I < NumNames; ++I) {
    const NamedRange &N = Names[I];
    if (NumMemories && N.Begin < Memories[NumMemories - 1].End) {
      WatchedMemory &M = Memories[NumMemories - 1];
      M.End = std::max(M.End, N.End);
      continue;
    }
    auto *M = new (&Memories[NumMemories++]) WatchedMemory{};
    M->Begin = N.Begin;
    M->End = N.End;
    M->IsShared = !N.Name;
  }
  for (uint32_t I = 0; I < NumMemories; ++I) {
    WatchedMemory &M = Memories[I];
    if ((Checks & CheckRace) && !M.Accesses.create(M.Begin, M.End - M.Begin))
      return false;
    if ((Checks & CheckUninit) && !markInitial(M, Names, NumNames))
      return false;
  }
  return true;
}

WatchedMemory *Watch::memoryAt(uint64_t Address) {
  for (uint32_t Low = 0, High = NumMemories; Low < High;) {
    uint32_t Middle = (Low + High) / 2;
    WatchedMemory &M = Memories[Middle];
    if (Address < M.Begin)
      High = Middle;
    else if (Address >= M.End)
      Low = Middle + 1;
    else
      return &M;
  }
  return nullptr;
}

const NamedRange *Watch::nameOf(uint64_t Address) const {
  for (uint32_t I = 0; I < NumNames; ++I)
    if (Address >= Names[I].Begin && Address < Names[I].End)
      return &Names[I];
  return nullptr;
}

void Watch::forgetSharedContents() {
  for (uint32_t I = 0; I < NumMemories; ++I)
    if (Memories[I].IsShared && Memories[I].Written)
      memset(Memories[I].Written, 0, Memories[I].End - Memories[I].Begin);
}

bool Watch::isOwn(uint64_t Address) const {
  auto Context = reinterpret_cast<uint64_t>(Contexts);
  auto Frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  return (Address >= Frame && Address < StackEnd) ||
         (Address >= Context && Address < Context + ContextsMapped);
}

/// The address lies in a loaded object where nobody can write.
static bool isConstant(uint64_t Address) {
  return dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Wanted) {
        uint64_t Address = *static_cast<uint64_t *>(Wanted);
        for (int I = 0; I < Info->dlpi_phnum; ++I) {
          const auto &Part = Info->dlpi_phdr[I];
          uint64_t Begin = Info->dlpi_addr + Part.p_vaddr;
          bool ReadOnly = (Part.p_type == PT_LOAD && !(Part.p_flags & PF_W)) ||
                          Part.p_type == PT_GNU_RELRO;
          if (ReadOnly && Address >= Begin && Address < Begin + Part.p_memsz)
            return 1;
        }
        return 0;
      },
      &Address);
}

//===----------------------------------------------------------------------===//
// An access
//===----------------------------------------------------------------------===//

uint32_t Watch::access(uint64_t Address, uint64_t Bytes, uint32_t Kind,
                       uint32_t Site) {
  if (stopped())
    return 1;
  if (!Bytes)
    return 0;
  Touch Now{Kind, Time.Block, Time.Thread, Time.Stamp, Site};
  if (Kind & FERRY_ACCESS_ATOMIC)
    synchronise(Address, Kind);
  if (Kind & FERRY_ACCESS_DEVICE)
    return 0;
  WatchedMemory *M = memoryAt(Address);
  if (!M || Bytes > M->End - Address) {
    bool Good = !M && (isOwn(Address) ||
                       (!(Kind & FERRY_ACCESS_WRITE) && isConstant(Address)));
    if (!Good && (Checks & CheckBounds))
      failBounds(Address, Bytes, Now);
    return stopped();
  }
  M->Mixed |= M->Unit && M->Unit != Bytes;
  M->Unit = Bytes;
  uint8_t *Written = M->Written ? M->Written + (Address - M->Begin) : nullptr;
  if (Written) {
    // Padding is copied along, so one byte with a value is enough.
    if ((Kind & FERRY_ACCESS_READ) && !memchr(Written, 1, Bytes))
      failUnwritten(*M, Address, Bytes, Now);
    if (Kind & FERRY_ACCESS_WRITE)
      memset(Written, 1, Bytes);
  }
  Touch Before;
  Time.ForgetOtherBlocks = M->IsShared;
  if ((Checks & CheckRace) && !Failed &&
      M->Accesses.enter(Address, Bytes, Now, Time, Pool, Before))
    failRace(*M, Address, Bytes, Before, Now);
  return stopped();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Text &Watch::fail() {
  Failed = true;
  addLaunch(Report, L.Kernel, L.Place);
  return Report;
}

void Watch::addSite(Text &T, uint32_t Site) const {
  const ferry_check_site &S = K.sites[Site];
  if (!*S.file) {
    T.add("at an unknown line (its build has no line tables)");
    return;
  }
  if (!S.line) {
    T.add("in %s, in code that the compiler has joined from several lines",
          S.file);
    return;
  }
  T.add("at %s:%u", S.file, S.line);
  if (S.column)
    T.add(":%u", S.column);
}

static void addPlace(Text &T, const char *What, uint64_t Number,
                     const uint64_t *Extent) {
  if (Extent[1] == 1 && Extent[2] == 1)
    T.add("%s %llu", What, static_cast<unsigned long long>(Number));
  else
    T.add("%s (%llu, %llu, %llu)", What,
          static_cast<unsigned long long>(Number % Extent[0]),
          static_cast<unsigned long long>(Number / Extent[0] % Extent[1]),
          static_cast<unsigned long long>(Number / Extent[0] / Extent[1]));
}

void Watch::addThread(Text &T, uint32_t Block, uint32_t Thread) const {
  const ferry_geometry &G = L.Geometry;
  if (Time.IsOver)
    return addPlace(T, "thread", Thread, G.extent);
  const uint64_t Side[] = {G.block[0], G.block[1], G.block[2]};
  addPlace(T, "thread", Thread, Side);
  addPlace(T, " of block", Block, G.extent);
}

void Watch::addTouch(Text &T, const Touch &A) const {
  addThread(T, A.Block, A.Thread);
  bool Reads = A.Kind & FERRY_ACCESS_READ, Writes = A.Kind & FERRY_ACCESS_WRITE;
  T.add(" %s%s ",
        Reads && Writes ? "updates"
        : Writes        ? "writes"
                        : "reads",
        A.Kind & FERRY_ACCESS_ATOMIC ? " atomically" : "");
  addSite(T, A.Site);
}

/// "'x'[17]", or the byte where accesses have no common size.
void Watch::addElement(Text &T, const WatchedMemory &M, uint64_t Address,
                       uint64_t Bytes) const {
  const NamedRange *N = nameOf(Address);
  uint64_t Offset = Address - (N ? N->Begin : M.Begin);
  if (N && N->Name)
    T.add("'%s'", N->Name);
  else
    T.add("shared memory");
  if (Offset % Bytes == 0)
    T.add("[%llu]", static_cast<unsigned long long>(Offset / Bytes));
  else
    T.add(" at byte %llu", static_cast<unsigned long long>(Offset));
}

void Watch::failRace(const WatchedMemory &M, uint64_t Address, uint64_t Bytes,
                     const Touch &Before, const Touch &Now) {
  Text &T = fail().add("data race on ");
  addElement(T, M, Address, Bytes);
  T.add(": ");
  addTouch(T, Before);
  T.add(", ");
  addTouch(T, Now);
}

void Watch::failBounds(uint64_t Address, uint64_t Bytes, const Touch &Now) {
  Text &T = fail();
  addTouch(T, Now);
  T.add(" %llu bytes outside of every argument",
        static_cast<unsigned long long>(Bytes));
  if (Address < 4096) {
    T.add(": through a null pointer");
    return;
  }
  // The nearest, if it is near enough to be what was meant.
  const NamedRange *Nearest = nullptr;
  uint64_t Least = ~uint64_t(0);
  for (uint32_t I = 0; I < NumNames; ++I) {
    const NamedRange &N = Names[I];
    uint64_t Gap = Address < N.Begin  ? N.Begin - Address
                   : Address >= N.End ? Address - N.End
                                      : 0;
    if (Gap < Least) {
      Least = Gap;
      Nearest = &N;
    }
  }
  if (!Nearest)
    return;
  T.add(": ");
  if (Address < Nearest->Begin)
    T.add("%llu bytes before the start of ",
          static_cast<unsigned long long>(Nearest->Begin - Address));
  else
    T.add("at byte %llu of ",
          static_cast<unsigned long long>(Address - Nearest->Begin));
  if (Nearest->Name)
    T.add("'%s'", Nearest->Name);
  else
    T.add("shared memory");
  T.add(", which has %llu",
        static_cast<unsigned long long>(Nearest->End - Nearest->Begin));
}

void Watch::failUnwritten(const WatchedMemory &M, uint64_t Address,
                          uint64_t Bytes, const Touch &Now) {
  Text &T = fail();
  addTouch(T, Now);
  T.add(" ");
  addElement(T, M, Address, Bytes);
  const NamedRange *N = nameOf(Address);
  if (!N || !N->Name)
    T.add(", which no thread of the block has written");
  else if (N->Flags & FERRY_FIELD_SCRATCH)
    T.add(", which no thread has written");
  else
    T.add(", which is passed to be written alone, and no thread has written");
}

/// An unwritten piece that is like the padding of a struct: as long, and as far
/// apart, all over the memory. Four bytes of eight are no struct's, and structs
/// with padding have members of several sizes.
static bool looksLikePadding(const uint8_t *Written, uint64_t Bytes,
                             uint64_t First) {
  uint64_t Length = 0, Stride = 0;
  while (First + Length < Bytes && !Written[First + Length])
    ++Length;
  if (Length > 7)
    return false;
  uint64_t Next = First + Length;
  while (Next < Bytes && Written[Next])
    ++Next;
  Stride = Next < Bytes ? Next - First : Bytes;
  if (Length * 2 >= Stride || Bytes % Stride)
    return false;
  for (uint64_t I = 0; I < Bytes; ++I) {
    uint64_t In = I % Stride, From = First % Stride;
    if (First >= Stride ||
        bool(Written[I]) == (In >= From && In < From + Length))
      return false;
  }
  return true;
}

void Watch::checkAllWritten() {
  for (uint32_t I = 0; I < NumMemories; ++I) {
    const WatchedMemory &M = Memories[I];
    uint64_t Bytes = M.End - M.Begin;
    const void *Hole =
        M.Written && M.MustWrite ? memchr(M.Written, 0, Bytes) : nullptr;
    if (!Hole)
      continue;
    uint64_t Offset = static_cast<const uint8_t *>(Hole) - M.Written;
    if (M.Mixed && looksLikePadding(M.Written, Bytes, Offset))
      continue;
    Text &T = fail();
    addElement(T, M, M.Begin + Offset, M.Unit ? M.Unit : 1);
    T.add(" is never written, though it is passed to be written alone: its "
          "old value is lost");
    return;
  }
}

void Watch::failBarrier(uint32_t A, uint32_t B) {
  Text &T = fail();
  T.add("threads wait for each other at different barriers: ");
  addThread(T, Time.Block, A);
  T.add(" ");
  addSite(T, K.regions[Resume[A]].site);
  T.add(", ");
  addThread(T, Time.Block, B);
  if (Resume[B] == ~0u) {
    T.add(" has ended and will never come");
  } else {
    T.add(" ");
    addSite(T, K.regions[Resume[B]].site);
  }
}

} // namespace ferry::rt
