//===- RuntimePlanTest.cpp - Which bytes a launch moves -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include <deque>
#include <gtest/gtest.h>
#include <vector>

using namespace ferry::rt;

namespace {

constexpr uint32_t In = FERRY_FIELD_READ, Out = FERRY_FIELD_WRITE,
                   Scratch = FERRY_FIELD_SCRATCH;

struct Planned {
  std::vector<Buffer> Buffers;
  std::vector<Group> Groups;
  Plan P{nullptr, nullptr};
  const Buffer *Torn = nullptr;

  explicit Planned(const std::vector<Buffer> &Wanted)
      : Buffers(Wanted), Groups(Wanted.size()) {
    P = Plan(Buffers.data(), Groups.data());
    for (const Buffer &B : Wanted)
      P.add(B);
    Torn = P.group();
  }

  using Pieces = std::vector<std::pair<uint64_t, uint64_t>>;
  Pieces pieces(uint32_t Flag) {
    Direction Way = Flag == In ? &Buffer::In : &Buffer::Back;
    Pieces Result;
    for (uint32_t I = 0; I < P.NumGroups; ++I)
      P.pieces(P.Groups[I], Way, [&](uint64_t Begin, uint64_t End) {
        Result.emplace_back(Begin, End);
      });
    return Result;
  }
};

Buffer global(uint64_t Begin, uint64_t Bytes, char *Place) {
  static std::deque<ferry_global> Globals;
  Globals.push_back({reinterpret_cast<void *>(Begin), Bytes, "", ""});
  return Buffer(Globals.back(), allOf(In | Out, Bytes), Place);
}

Buffer at(uint64_t Begin, uint64_t End, uint32_t Flags) {
  return Buffer(Begin, allOf(Flags, End - Begin), Flags, 0);
}

} // namespace

TEST(Plan, KeepsSeparateBuffersApart) {
  Planned X({at(300, 400, In | Out), at(100, 200, In)});
  EXPECT_EQ(X.P.NumGroups, 2u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{100, 200}, {300, 400}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{300, 400}}));
}

TEST(Plan, BringsSmallNeighboursTogether) {
  Planned X({at(216, 300, In | Out), at(100, 200, In | Out)});
  EXPECT_EQ(X.P.NumGroups, 1u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{100, 300}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{100, 200}, {216, 300}}));
  EXPECT_TRUE(X.P.buffersLieApart());
  // Not large ones, nor what a global is next to.
  EXPECT_EQ(Planned({at(100, 8000, In), at(8010, 9000, In)}).P.NumGroups, 2u);
  char Place[100];
  Planned Next({global(100, 100, Place), at(200, 210, In)});
  EXPECT_EQ(Next.P.NumGroups, 2u);
  EXPECT_EQ(Next.Torn, nullptr);
}

TEST(Plan, KnowsWhetherWrittenBuffersLieApart) {
  EXPECT_TRUE(
      Planned({at(200, 300, In | Out), at(100, 200, In)}).P.buffersLieApart());
  EXPECT_TRUE(Planned({at(100, 300, In), at(200, 250, In), at(300, 400, Out)})
                  .P.buffersLieApart());
  EXPECT_FALSE(
      Planned({at(100, 300, In), at(200, 250, In | Out)}).P.buffersLieApart());
  EXPECT_FALSE(
      Planned({at(100, 300, Scratch), at(200, 250, In)}).P.buffersLieApart());
}

TEST(Plan, CopiesNothingOfScratch) {
  Planned X({at(100, 200, Scratch), at(300, 400, Out)});
  EXPECT_EQ(X.P.NumGroups, 2u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{300, 400}}));
}

TEST(Plan, CopiesOnlyWhatOthersSayOfScratch) {
  Planned X({at(100, 200, Scratch), at(150, 180, In)});
  EXPECT_EQ(X.P.NumGroups, 1u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{150, 180}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{}));
}

TEST(Plan, CopiesTheSameArrayOnce) {
  Planned X({at(100, 200, In), at(100, 200, In | Out)});
  EXPECT_EQ(X.P.NumGroups, 1u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{100, 200}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{100, 200}}));
}

TEST(Plan, JoinsAPartAndTheWholeInAnyOrder) {
  for (bool PartFirst : {false, true}) {
    Buffer Part = at(140, 150, Out), Whole = at(100, 200, In);
    Planned X(PartFirst ? std::vector{Part, Whole} : std::vector{Whole, Part});
    EXPECT_EQ(X.P.NumGroups, 1u);
    EXPECT_EQ(X.pieces(In), (Planned::Pieces{{100, 200}}));
    EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{140, 150}}));
  }
}

TEST(Plan, NeverCopiesBackWhatIsOnlyRead) {
  // Two written ends of a chain whose middle is read only.
  Planned X({at(100, 150, In | Out), at(140, 260, In), at(250, 300, In | Out)});
  EXPECT_EQ(X.P.NumGroups, 1u);
  EXPECT_EQ(X.P.Groups[0].Begin, 100u);
  EXPECT_EQ(X.P.Groups[0].End, 300u);
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{100, 300}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{100, 150}, {250, 300}}));
}

TEST(Plan, DoesNotReadWhatIsOnlyWritten) {
  Planned X({at(100, 200, Out), at(150, 160, In)});
  EXPECT_EQ(X.pieces(In), (Planned::Pieces{{150, 160}}));
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{100, 200}}));
}

TEST(Plan, JoinsTouchingPiecesOfAGroup) {
  Planned X({at(100, 200, In), at(100, 150, Out), at(150, 200, Out)});
  EXPECT_EQ(X.pieces(Out), (Planned::Pieces{{100, 200}}));
}

TEST(Plan, PutsAnArgumentInsideAGlobalWhereTheGlobalIs) {
  char Place[100];
  Planned X({at(120, 130, In | Out), global(100, 100, Place)});
  EXPECT_EQ(X.Torn, nullptr);
  EXPECT_EQ(X.P.NumGroups, 1u);
  EXPECT_EQ(X.P.Groups[0].Device, Place);
}

TEST(Plan, FindsAnArgumentThatReachesOverAGlobalsEdge) {
  char Place[100];
  for (Buffer B : {at(190, 210, In), at(90, 110, In), at(50, 300, In)}) {
    Planned X({B, global(100, 100, Place)});
    ASSERT_NE(X.Torn, nullptr);
    EXPECT_EQ(X.Torn->Begin, 100u);
  }
}
