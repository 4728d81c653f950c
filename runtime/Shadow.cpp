//===- Shadow.cpp - Who touched which byte last ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses race when they touch the same byte, come from different threads,
// at least one writes, they are not both atomic, and nothing orders them. A
// checked launch runs on one host thread, so accesses come one after the other,
// and the first that races with an earlier one is reported; nothing is entered
// after that.
//
// Each word of four bytes keeps the last write, up to two plain or atomic
// reads, and up to two atomic writes. That is enough:
//  - A write that races with nothing comes after all that is kept, so what
//    races with any of that from now on races with the write as well.
//  - An access that comes after another of its kind stands for it likewise.
//  - Of three that are not ordered, the two of threads farthest apart are kept:
//    a later access can be ordered after both only if it is of a thread that is
//    ordered after the third too, since what orders threads of a warp or a
//    block orders all that they did before.
//
// A word that is accessed in parts is split into its bytes.
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace ferry::rt {

struct Arena::Chunk {
  Chunk *Before;
  size_t Used, Room;
};

Arena::~Arena() {
  while (Last) {
    Chunk *Before = Last->Before;
    free(Last);
    Last = Before;
  }
}

void *Arena::take(size_t Bytes) {
  if (!Last || Last->Used + Bytes > Last->Room) {
    size_t Room = std::max(Bytes, size_t(1) << 16);
    auto *Fresh = static_cast<Chunk *>(calloc(1, sizeof(Chunk) + Room));
    if (!Fresh)
      return nullptr;
    *Fresh = {Last, 0, Room};
    Last = Fresh;
  }
  void *Result = reinterpret_cast<char *>(Last + 1) + Last->Used;
  Last->Used += Bytes;
  return Result;
}

struct Shadow::Cell {
  Touch Write;
  Touch Reads[2];
  Touch (*Atomics)[2]; ///< atomic writes; null: none
  Cell *Bytes;         ///< of a word that is split
};

bool Shadow::create(uint64_t From, uint64_t Length) {
  Begin = From & ~uint64_t(3);
  MappedBytes = ((From + Length + 3 - Begin) / 4) * sizeof(Cell);
  void *Memory = mmap(nullptr, MappedBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  Cells = Memory == MAP_FAILED ? nullptr : static_cast<Cell *>(Memory);
  return Cells;
}

Shadow::~Shadow() {
  if (Cells)
    munmap(Cells, MappedBytes);
}

void Shadow::keep(Touch (&Set)[2], const Touch &Now, const ThreadOrder &Order) {
  for (Touch &T : Set)
    if (T.Kind && Order.isOrdered(T))
      T.Kind = 0;
  for (Touch &T : Set)
    if (!T.Kind) {
      T = Now;
      return;
    }
  bool Plain = !(Now.Kind & FERRY_ACCESS_ATOMIC);
  for (Touch &T : Set)
    if (Plain && (T.Kind & FERRY_ACCESS_ATOMIC)) {
      T = Now;
      return;
    }
  if (Order.distance(Set[0], Now) > Order.distance(Set[0], Set[1]))
    Set[1] = Now;
}

bool Shadow::enterCell(Cell &C, const Touch &Now, const ThreadOrder &Order,
                       Arena &Memory, Touch &Other) {
  bool Writes = Now.Kind & FERRY_ACCESS_WRITE;
  bool Atomic = Now.Kind & FERRY_ACCESS_ATOMIC;
  auto Races = [&](const Touch &T) {
    bool BothAtomic = Atomic && (T.Kind & FERRY_ACCESS_ATOMIC);
    if (!T.Kind || BothAtomic || Order.isOrdered(T))
      return false;
    Other = T;
    return true;
  };
  if (Races(C.Write))
    return true;
  for (const Touch &T : C.Reads)
    if (Writes && Races(T))
      return true;
  for (int I = 0; C.Atomics && I < 2; ++I)
    if (Races((*C.Atomics)[I]))
      return true;

  if (!Writes) {
    keep(C.Reads, Now, Order);
  } else if (!Atomic) {
    C.Write = Now;
    C.Reads[0].Kind = C.Reads[1].Kind = 0;
    if (C.Atomics)
      (*C.Atomics)[0].Kind = (*C.Atomics)[1].Kind = 0;
  } else {
    if (!C.Atomics)
      C.Atomics = static_cast<Touch(*)[2]>(Memory.take(sizeof(Touch[2])));
    if (C.Atomics)
      keep(*C.Atomics, Now, Order);
  }
  return false;
}

bool Shadow::enter(uint64_t Address, uint64_t Length, const Touch &Now,
                   const ThreadOrder &Order, Arena &Memory, Touch &Other) {
  for (uint64_t At = Address, End = Address + Length; At < End;) {
    uint64_t Word = At & ~uint64_t(3);
    uint64_t WordEnd = std::min(Word + 4, End);
    Cell &C = Cells[(Word - Begin) / 4];
    bool Whole = At == Word && WordEnd == Word + 4;
    if (!Whole && !C.Bytes) {
      C.Bytes = static_cast<Cell *>(Memory.take(4 * sizeof(Cell)));
      for (int I = 0; C.Bytes && I < 4; ++I) {
        C.Bytes[I] = C;
        C.Bytes[I].Bytes = nullptr;
        if (C.Atomics) {
          C.Bytes[I].Atomics =
              static_cast<Touch(*)[2]>(Memory.take(sizeof(Touch[2])));
          if (C.Bytes[I].Atomics)
            memcpy(C.Bytes[I].Atomics, C.Atomics, sizeof(Touch[2]));
        }
      }
    }
    if (!C.Bytes) {
      if (enterCell(C, Now, Order, Memory, Other))
        return true;
    } else {
      for (uint64_t Byte = At; Byte < WordEnd; ++Byte)
        if (enterCell(C.Bytes[Byte - Word], Now, Order, Memory, Other))
          return true;
    }
    At = WordEnd;
  }
  return false;
}

} // namespace ferry::rt
