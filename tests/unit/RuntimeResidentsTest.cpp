//===- RuntimeResidentsTest.cpp - Memory that programs keep on devices ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include <gtest/gtest.h>
#include <thread>

using namespace ferry::test;

namespace {

constexpr size_t N = 1000;
constexpr uint64_t Bytes = N * sizeof(float);
const ferry_source_place Place = {"test.cpp", 8, 7, 3};

/// saxpy adds 2 * 1 to each element of Y.
class Residents : public testing::Test {
protected:
  std::vector<float> X = std::vector<float>(N, 1), Y = std::vector<float>(N);
  ferry_stats Before = {};

  void SetUp() override {
    ASSERT_GT(virtualDevice(0), 0);
    Before = stats();
  }

  uint64_t begin(uint32_t Flags, size_t From = 0, size_t Count = N) {
    uint64_t Id = 0;
    EXPECT_EQ(ferry_resident_begin(Y.data() + From, Count * sizeof(float),
                                   Flags, &Place, &Id),
              FERRY_STATUS_OK);
    EXPECT_NE(Id, 0u);
    return Id;
  }

  void add(uint32_t Flags = 0, size_t From = 0, size_t Count = N) {
    ASSERT_EQ(launch(kernel("saxpy"),
                     {.Extent = {Count}, .Device = virtualDevice(0)},
                     {value(2.0f), buffer(In, X.data(), Count),
                      buffer(InOut | Flags, Y.data() + From, Count)}),
              FERRY_STATUS_OK)
        << ferry_last_error();
  }

  void expectBack(uint64_t Wanted) {
    EXPECT_EQ(statsSince(Before).bytes_to_host, Wanted);
    Before = stats();
  }
};

TEST_F(Residents, AreKnownByTheirAddress) {
  uint64_t Id = begin(0);
  add();
  add(0, 100, 50);
  std::thread([&] { add(); }).join();
  expectBack(0);
  ferry_resident_to_host(&Y[100], sizeof(float), Id);
  expectBack(4);
  EXPECT_EQ(Y[100], 6);
  ferry_resident_end(Y.data(), Id);
  expectBack(Bytes - 4);
  EXPECT_EQ(Y[0], 4);
  add();
  EXPECT_EQ(Y[0], 6);
}

TEST_F(Residents, AreOneAtATime) {
  uint64_t Id = begin(0, 0, 500), Other = begin(0, 500, 500), None = 7;
  EXPECT_EQ(ferry_resident_begin(&Y[499], 8, 0, &Place, &None),
            FERRY_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(None, 0u);
  EXPECT_TRUE(strstr(ferry_last_error(), "one resident at a time"));
  EXPECT_EQ(ferry_resident_begin(nullptr, 8, 0, &Place, &None),
            FERRY_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(ferry_resident_begin(Y.data(), 0, 0, &Place, &None),
            FERRY_STATUS_OK);
  ferry_resident_end(Y.data(), Id);
  Id = begin(0, 0, 500);
  ferry_resident_end(Y.data(), Id);
  ferry_resident_end(&Y[500], Other);
}

TEST_F(Residents, EndByTheirOwnNumberAlone) {
  uint64_t Id = begin(0);
  add();
  ferry_resident_end(Y.data(), Id + 100);
  ferry_resident_end(Y.data(), 0);
  EXPECT_EQ(ferry_resident_to_host(Y.data(), Bytes, Id + 100), FERRY_STATUS_OK);
  expectBack(0);
  ferry_resident_end(Y.data(), Id);
  ferry_resident_end(Y.data(), Id);
  expectBack(Bytes);
}

TEST_F(Residents, ThatAreOnlyReadLoseNoWrites) {
  uint64_t Id = begin(FERRY_RESIDENT_READ_ONLY);
  add();
  EXPECT_EQ(Y[7], 2);
  expectBack(Bytes);
  ferry_resident_end(Y.data(), Id);
  expectBack(0);
}

TEST_F(Residents, OfTheCompilersRegionsTakeTheirPlace) {
  char Site = 0;
  __ferry_region_begin(Y.data(), Bytes, &Site, 0);
  add();
  expectBack(0);
  uint64_t Id = begin(0);
  expectBack(Bytes);
  add();
  // Announcements find it, too.
  __ferry_host_reads(&Y[3], 4);
  EXPECT_EQ(Y[3], 4);
  expectBack(4);
  __ferry_host_overwrites(&Y[3], 4);
  Y[3] = 50;
  add();
  ferry_resident_end(Y.data(), Id);
  EXPECT_EQ(Y[3], 52);
  EXPECT_EQ(Y[4], 6);
  __ferry_region_end(Y.data());
}

TEST_F(Residents, ThatAreBorrowedAreKnownByTheirFlag) {
  uint64_t Id = begin(FERRY_RESIDENT_BORROWED);
  add(FERRY_FIELD_RESIDENT);
  add(FERRY_FIELD_RESIDENT, 10, 10);
  expectBack(0);
  // What isn't theirs they leave alone.
  __ferry_host_reads(Y.data(), Bytes);
  expectBack(0);
  EXPECT_EQ(Y[0], 0);
  ferry_resident_to_host(&Y[15], 4, Id);
  EXPECT_EQ(Y[15], 4);
  ferry_resident_end(Y.data(), Id);
  EXPECT_EQ(Y[0], 2);
  EXPECT_EQ(Y[10], 4);
}

TEST_F(Residents, ThatAreForgottenAreNotCopiedHome) {
  begin(FERRY_RESIDENT_BORROWED);
  add(FERRY_FIELD_RESIDENT);
  Before = stats();
  // Another array, of which the device knows nothing.
  Y.assign(N, 10);
  testing::internal::CaptureStderr();
  add();
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "4000 bytes that kernels have written are lost"),
            std::string::npos);
  EXPECT_EQ(Y[5], 12);
  expectBack(Bytes);
  // Nor by the next of its kind, which starts anew.
  begin(FERRY_RESIDENT_BORROWED);
  add(FERRY_FIELD_RESIDENT);
  Y.assign(N, 20);
  testing::internal::CaptureStderr();
  uint64_t Id = begin(FERRY_RESIDENT_BORROWED, 100, 50);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("never ended"),
            std::string::npos);
  add(FERRY_FIELD_RESIDENT, 100, 50);
  ferry_resident_end(&Y[100], Id);
  EXPECT_EQ(Y[100], 22);
  EXPECT_EQ(Y[99], 20);
}

TEST_F(Residents, AreMappedWhereTheyAre) {
  uint64_t Id = begin(0);
  add();
  ferry_mapping Mappings[9] = {};
  for (ferry_mapping &M : Mappings)
    M = {&Y[500], 40, InOut, 0, nullptr};
  void *State;
  EXPECT_EQ(ferry_map(Mappings, 9, &Place, &State),
            FERRY_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(State, nullptr);
  int Old = ferry_current_device();
  ASSERT_EQ(ferry_set_device(virtualDevice(0)), FERRY_STATUS_OK);
  ASSERT_EQ(ferry_map(Mappings, 8, &Place, &State), FERRY_STATUS_OK);
  for (ferry_mapping &M : Mappings)
    if (&M != &Mappings[8])
      EXPECT_EQ(M.device, Mappings[0].device);
  static_cast<float *>(Mappings[0].device)[0] = 77;
  EXPECT_EQ(ferry_unmap(State, 0), FERRY_STATUS_OK);
  ASSERT_EQ(ferry_set_device(Old), FERRY_STATUS_OK);
  expectBack(0);
  ferry_resident_end(Y.data(), Id);
  EXPECT_EQ(Y[500], 77);
  EXPECT_EQ(Y[501], 2);
}

TEST(Streams, RefuseNumbersThatAreNone) {
  for (uint32_t Number : {0u, 1u << 20, 0x7fffffffu}) {
    EXPECT_EQ(ferry_stream_wait(Number), FERRY_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(ferry_stream_event(Number), 0u);
    EXPECT_EQ(ferry_event_wait(Number, 5), FERRY_STATUS_OK);
    ferry_stream_destroy(Number);
  }
  float V = 0;
  EXPECT_EQ(launch(kernel("saxpy"),
                   {.Extent = {1}, .Device = FERRY_ON_STREAM(77, -1)},
                   {value(2.0f), buffer(In, &V, 1), buffer(InOut, &V, 1)}),
            FERRY_STATUS_INVALID_ARGUMENT);
}

TEST(Streams, GetTheNumbersOfThoseThatHaveEnded) {
  uint32_t First, Second;
  ASSERT_EQ(ferry_stream_create(-1, &First), FERRY_STATUS_OK);
  float X = 1, Y = 0;
  // The site lives as long as the program, as those of the plugin do.
  static const ferry_slot Slots[] = {
      {0, 0, "a"}, {In, 0, "x"}, {InOut, 0, "y"}};
  static const ferry_launch_site Site = {&kernel("saxpy"), 3, 0, Slots};
  ferry_launch_shape Shape = {
      {1, 1, 1}, {1, 1, 1}, 0, FERRY_ON_STREAM(First, 0)};
  uint64_t Values[] = {value(2.0f).Value, reinterpret_cast<uint64_t>(&X),
                       reinterpret_cast<uint64_t>(&Y)};
  uint64_t Sizes[] = {0, sizeof(X), sizeof(Y)};
  EXPECT_EQ(__ferry_run(&Site, &Shape, &Place, Values, Sizes), FERRY_STATUS_OK);
  uint64_t Event = ferry_stream_event(First);
  EXPECT_EQ(ferry_event_wait(First, Event), FERRY_STATUS_OK);
  EXPECT_EQ(Y, 2);
  ferry_stream_destroy(First);
  ASSERT_EQ(ferry_stream_create(-1, &Second), FERRY_STATUS_OK);
  EXPECT_EQ(First, Second);
  EXPECT_TRUE(ferry_event_done(Second, Event));
  ferry_stream_destroy(Second);
}

} // namespace
