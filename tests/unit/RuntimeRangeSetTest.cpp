//===- RuntimeRangeSetTest.cpp - A set of bytes ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeSet.h"
#include <bitset>
#include <gtest/gtest.h>
#include <random>

using namespace ferry::rt;

TEST(RangeSet, DoesWhatASetOfBytesDoes) {
  constexpr unsigned Size = 64;
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    std::mt19937 Random(Seed);
    RangeSet Set;
    std::bitset<Size> Want;
    for (int Step = 0; Step < 12; ++Step) {
      uint64_t Begin = Random() % Size;
      Range R = {Begin, Begin + Random() % (Size - Begin + 1)};
      bool Add = Random() % 3 != 0;
      ASSERT_TRUE(Add ? Set.add(R) : Set.remove(R));
      for (uint64_t I = R.Begin; I < R.End; ++I)
        Want[I] = Add;
      std::bitset<Size> Have, Lacks;
      Range All = {0, Size}, Last = {};
      Set.inside(All, [&](Range Part) {
        // In order, with gaps between them.
        EXPECT_TRUE(Last.empty() || Last.End < Part.Begin);
        Last = Part;
        for (uint64_t I = Part.Begin; I < Part.End; ++I)
          Have[I] = true;
      });
      Set.missing(All, [&](Range Part) {
        for (uint64_t I = Part.Begin; I < Part.End; ++I)
          Lacks[I] = true;
      });
      ASSERT_EQ(Have, Want);
      ASSERT_EQ(Lacks, ~Want);
      uint64_t Count = 0;
      for (uint64_t I = R.Begin; I < R.End; ++I)
        Count += Want[I];
      EXPECT_EQ(Set.bytesIn(R), Count);
      EXPECT_EQ(Set.overlaps(R), Count != 0);
    }
  }
}
