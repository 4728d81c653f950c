//===- RuntimeRegionsTest.cpp - Memory that stays on a device -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include <gtest/gtest.h>

using namespace ferry::test;

namespace {

constexpr size_t N = 1000;

/// Two arrays, of which Y is a region. saxpy adds 2 * 1 to each of its
/// elements, which are negative zeros: positive ones would not be copied.
class Regions : public testing::Test {
protected:
  std::vector<float> X = std::vector<float>(N, 1),
                     Y = std::vector<float>(N, -0.0f);
  char Site = 0;
  ferry_stats Before = {};

  void SetUp() override {
    ASSERT_GT(virtualDevice(0), 0);
    ASSERT_GT(virtualDevice(1), 0);
    __ferry_region_begin(Y.data(), N * sizeof(float), &Site, 0);
    Before = stats();
  }
  void TearDown() override { __ferry_region_end(Y.data()); }

  void add(int Device, size_t From = 0, size_t Count = N) {
    ASSERT_EQ(launch(kernel("saxpy"), {.Extent = {Count}, .Device = Device},
                     {value(2.0f), buffer(In, X.data(), Count),
                      buffer(InOut, Y.data() + From, Count)}),
              FERRY_STATUS_OK)
        << ferry_last_error();
  }

  /// Copies and bytes since the last time, those of X apart.
  void expectCopies(uint64_t Xs, uint64_t To, uint64_t BytesTo, uint64_t Back,
                    uint64_t BytesBack) {
    ferry_stats S = statsSince(Before);
    EXPECT_EQ(S.copies_to_device, Xs + To);
    EXPECT_EQ(S.bytes_to_device, Xs * N * sizeof(float) + BytesTo);
    EXPECT_EQ(S.copies_to_host, Back);
    EXPECT_EQ(S.bytes_to_host, BytesBack);
    Before = stats();
  }
};

TEST_F(Regions, AreCopiedOnceEachWay) {
  int Device = virtualDevice(0);
  for (int I = 0; I < 5; ++I)
    add(Device);
  expectCopies(5, 1, 4000, 0, 0);
  EXPECT_GT(__ferry_regions_away, 0u);
  __ferry_host_reads(&Y[10], 4);
  expectCopies(0, 0, 0, 1, 4);
  EXPECT_EQ(Y[10], 10);
  EXPECT_NE(Y[11], 10);
  __ferry_host_reads(&Y[10], FERRY_ALL_BYTES);
  expectCopies(0, 0, 0, 2, 3996);
  for (float V : Y)
    ASSERT_EQ(V, 10);
  __ferry_host_reads(Y.data(), FERRY_ALL_BYTES);
  expectCopies(0, 0, 0, 0, 0);
}

TEST_F(Regions, TakeWhatTheHostHasWritten) {
  int Device = virtualDevice(0);
  add(Device);
  __ferry_host_overwrites(&Y[3], 4);
  Y[3] = 100;
  // Written in part, so that the rest has to be there.
  __ferry_host_writes(&Y[500], 8);
  Y[500] = 200;
  expectCopies(1, 1, 4000, 1, 8);
  add(Device);
  expectCopies(1, 2, 12, 0, 0);
  __ferry_host_reads(Y.data(), FERRY_ALL_BYTES);
  for (size_t I = 0; I < N; ++I)
    ASSERT_EQ(Y[I], I == 3 ? 102 : I == 500 ? 202 : 4);
}

TEST_F(Regions, GoFromDeviceToDevice) {
  int First = virtualDevice(0), Second = virtualDevice(1);
  add(First);
  add(Second, 0, N / 2);
  // The first half has come home and gone there, with its half of X.
  expectCopies(0, 4, 4000 + 4000 + 2000 + 2000, 1, 2000);
  add(First);
  __ferry_host_reads(Y.data(), FERRY_ALL_BYTES);
  for (size_t I = 0; I < N; ++I)
    ASSERT_EQ(Y[I], I < N / 2 ? 6 : 4);
}

TEST_F(Regions, ComeHomeForLaunchesOnCpu) {
  add(virtualDevice(0));
  add(0);
  add(virtualDevice(0));
  __ferry_host_reads(Y.data(), FERRY_ALL_BYTES);
  for (float V : Y)
    ASSERT_EQ(V, 6);
}

TEST_F(Regions, AreDroppedAtTheirEnd) {
  add(virtualDevice(0));
  Before = stats();
  __ferry_region_end(Y.data());
  expectCopies(0, 0, 0, 0, 0);
  EXPECT_NE(Y[0], 2);
  // From now on it is memory like any other.
  Y.assign(N, 7);
  add(virtualDevice(0));
  EXPECT_EQ(Y[0], 9);
}

TEST_F(Regions, ComeHomeWhenTheyEscape) {
  add(virtualDevice(0));
  __ferry_region_escapes(&Y[5]);
  EXPECT_EQ(Y[0], 2);
  add(virtualDevice(0));
  EXPECT_EQ(Y[0], 4);
}

TEST_F(Regions, ComeHomeWhenTheirSiteEscapes) {
  char OtherSite = 0;
  add(virtualDevice(0));
  __ferry_regions_escape(&OtherSite);
  EXPECT_NE(Y[0], 2);
  __ferry_regions_escape(&Site);
  EXPECT_EQ(Y[0], 2);
}

TEST_F(Regions, AreLikeOtherMemoryWhileLent) {
  int Device = virtualDevice(0);
  add(Device);
  __ferry_region_lent(Y.data());
  EXPECT_EQ(Y[0], 2);
  Y[0] = 50;
  add(Device);
  EXPECT_EQ(Y[0], 52);
  __ferry_region_returned(Y.data());
  add(Device);
  EXPECT_EQ(Y[0], 52);
  __ferry_host_reads(Y.data(), 4);
  EXPECT_EQ(Y[0], 54);
}

TEST_F(Regions, FetchTogetherWhatIsLittle) {
  add(virtualDevice(0));
  Before = stats();
  __ferry_host_reads_together(Y.data(), FERRY_ALL_BYTES);
  __ferry_host_reads(&Y[1], 4);
  __ferry_host_reads(&Y[900], 4);
  expectCopies(0, 0, 0, 1, 4000);
}

TEST_F(Regions, AreFoundByWhatReachesOverTheirEnds) {
  int Device = virtualDevice(0);
  add(Device);
  // A loop that reads one element less than its bounds say.
  __ferry_host_reads(Y.data() - 1, (N + 5) * sizeof(float));
  EXPECT_EQ(Y[0], 2);
  EXPECT_EQ(Y[N - 1], 2);
  add(Device);
  __ferry_host_reads(Y.data() + N, FERRY_ALL_BYTES);
  EXPECT_EQ(Y[0], 4);
  add(Device);
  __ferry_region_escapes(Y.data() + N);
  EXPECT_EQ(Y[N - 1], 6);
}

TEST_F(Regions, OfWhichAPartIsUsedHaveRoomForMoreLater) {
  int Device = virtualDevice(0);
  add(Device, 100, 10);
  add(Device, 500, 200);
  add(Device);
  __ferry_host_reads(Y.data(), FERRY_ALL_BYTES);
  for (size_t I = 0; I < N; ++I)
    ASSERT_EQ(Y[I],
              2 + ((I >= 100 && I < 110) || (I >= 500 && I < 700) ? 2 : 0));
}

} // namespace
