// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other translation unit of random host programs, and their main loop: runs
// the seeds that the command line names, all without one, and prints a line for
// each. With "notes" before the seeds it prints each note too.
#include "Coherence.h"

static struct {
  u32 *P;
  Size N;
} Kept[64];

u32 hashElsewhere(const u32 *P, Size N) { return hashOf(P, N); }
u32 hashVectorElsewhere(const Vector &V) { return hashOf(V.data(), V.size()); }
void writeElsewhere(u32 *P, Size N, u32 A) {
  for (Size I = A % 3; I < N; I += 2)
    P[I] += A;
}
void keep(u32 Slot, u32 *P, Size N) { Kept[Slot % 64] = {P, N}; }
u32 lookKept(u32 Slot, u32 I) {
  return Kept[Slot % 64].P[I % Kept[Slot % 64].N];
}
void changeKept(u32 Slot, u32 I, u32 A) {
  Kept[Slot % 64].P[I % Kept[Slot % 64].N] += A;
}
void forget(u32 Slot) { Kept[Slot % 64] = {}; }
void nothing() {}
u32 number(u32 N) { return N; }
void throwIfOdd(u32 What) {
  if (What % 2)
    throw What;
}

static bool ShowNotes = false;
static u32 Notes, NoteCount;
void note(u32 Place, u32 Value) {
  Notes = mix(mix(Notes, Place), Value);
  ++NoteCount;
  if (ShowNotes)
    std::printf("  %u: %08x\n", Place, Value);
}

int runSeeds(std::span<const Seed> Seeds, int Count, char **Arguments) {
  int First = 1;
  if (Count > 1 && std::strcmp(Arguments[1], "notes") == 0) {
    ShowNotes = true;
    First = 2;
  }
  for (const Seed &S : Seeds) {
    bool Wanted = First == Count;
    for (int I = First; I < Count; ++I)
      Wanted |= std::strtoul(Arguments[I], nullptr, 10) == S.Number;
    if (!Wanted)
      continue;
    Notes = 1, NoteCount = 0;
    S.Run();
    std::printf("%u %08x after %u notes\n", S.Number, Notes, NoteCount);
    std::fflush(stdout);
  }
  return 0;
}
