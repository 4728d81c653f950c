//===- RuntimePoolTest.cpp - Chunks and the pool --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chunks.h"
#include "Pool.h"
#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace ferry::rt;

namespace {

using Extent = std::array<uint64_t, 3>;

const std::vector<Extent> Shapes = {
    {1, 1, 1},      {2, 1, 1},      {63, 1, 1},     {64, 1, 1},
    {65, 1, 1},     {1000, 1, 1},   {100003, 1, 1}, {1 << 22, 1, 1},
    {1, 1000, 1},   {1, 1, 1000},   {7, 1000, 1},   {1000, 7, 1},
    {1023, 513, 1}, {5, 3, 2},      {17, 19, 23},   {1, 3, 100001},
    {3, 1, 70000},  {129, 255, 31}, {100000, 2, 3}, {2, 100000, 3},
    {64, 64, 64}};

struct Coverage {
  Extent E;
  std::unique_ptr<std::atomic<uint8_t>[]> Hits;
};

/// Counts how often each unit runs.
void countUnits(const uint64_t *Slots, const ferry_geometry *G,
                const uint64_t *Begin, const uint64_t *End, void *) {
  auto *Hits = reinterpret_cast<std::atomic<uint8_t> *>(Slots[0]);
  for (uint64_t Z = Begin[2]; Z < End[2]; ++Z)
    for (uint64_t Y = Begin[1]; Y < End[1]; ++Y)
      for (uint64_t X = Begin[0]; X < End[0]; ++X)
        Hits[(Z * G->extent[1] + Y) * G->extent[0] + X].fetch_add(
            1, std::memory_order_relaxed);
}

/// How many units of a launch did not run exactly once.
uint64_t wrongUnits(const Extent &E) {
  uint64_t Units = E[0] * E[1] * E[2];
  auto Hits = std::make_unique<std::atomic<uint8_t>[]>(Units);
  ferry_geometry G = {{E[0], E[1], E[2]}, {256, 1, 1}, 0, nullptr, 0, 0, 1};
  uint64_t Slots[] = {reinterpret_cast<uint64_t>(Hits.get())};
  runOnPool(countUnits, Slots, &G);
  uint64_t Wrong = 0;
  for (uint64_t I = 0; I < Units; ++I)
    Wrong += Hits[I] != 1;
  return Wrong;
}

} // namespace

TEST(Chunks, CoverEachUnitOnceForAnyNumberOfThreads) {
  for (const Extent &E : Shapes)
    for (unsigned Threads : {1, 2, 3, 7, 64, 1024}) {
      Chunks C(E.data(), Threads);
      std::vector<uint8_t> Hits(E[0] * E[1] * E[2]);
      for (uint32_t I = 0; I < C.count(); ++I) {
        uint64_t B[3], End[3];
        C.get(I, B, End);
        for (uint64_t Z = B[2]; Z < End[2]; ++Z)
          for (uint64_t Y = B[1]; Y < End[1]; ++Y)
            for (uint64_t X = B[0]; X < End[0]; ++X)
              ++Hits[(Z * E[1] + Y) * E[0] + X];
      }
      EXPECT_EQ(std::count(Hits.begin(), Hits.end(), 1), ptrdiff_t(Hits.size()))
          << E[0] << " x " << E[1] << " x " << E[2] << ", " << Threads;
    }
}

TEST(Chunks, CutLongRowsAtVectorsAndKeepShortOnesWhole) {
  uint64_t Long[3] = {1 << 20, 1, 1}, Image[3] = {640, 480, 1};
  uint64_t Begin[3], End[3];
  Chunks Line(Long, 4);
  for (uint32_t I = 0; I + 1 < Line.count(); ++I) {
    Line.get(I, Begin, End);
    EXPECT_EQ(End[0] % 64, 0u);
  }
  Chunks Rows(Image, 4);
  EXPECT_GE(Rows.count(), 32u);
  for (uint32_t I = 0; I < Rows.count(); ++I) {
    Rows.get(I, Begin, End);
    EXPECT_EQ(Begin[0], 0u);
    EXPECT_EQ(End[0], 640u);
  }
}

TEST(Chunks, ShareOutEvenAFewUnits) {
  // Sixteen blocks may be sixteen seconds of work.
  uint64_t Blocks[3] = {16, 1, 1};
  EXPECT_EQ(Chunks(Blocks, 2).count(), 16u);
  EXPECT_EQ(Chunks(Blocks, 1).count(), 1u);
  // A block is as much as its threads.
  uint64_t Sixty[] = {60, 1, 1}, Thousand[] = {32, 32, 1};
  EXPECT_EQ(Chunks(Sixty, 2, 1024).count(), 16u);
  EXPECT_EQ(Chunks(Sixty, 2, 8192).count(), 60u);
  EXPECT_EQ(Chunks(Thousand, 2, 256).count(), 64u);
}

TEST(Chunks, AreMoreForALaunchThatIsExpectedToTakeLong) {
  uint64_t Threads[] = {8192, 1, 1}, Blocks[] = {60, 1, 1}, Few[] = {100, 1, 1};
  const double Long = 1e9, Short = 1e3;
  EXPECT_EQ(Chunks(Threads, 2, 1).count(), 16u);
  EXPECT_EQ(Chunks(Threads, 2, 1, Short).count(), 16u);
  EXPECT_EQ(Chunks(Threads, 2, 1, Long).count(), 64u);
  EXPECT_EQ(Chunks(Threads, 1, 1, Long).count(), 1u);
  EXPECT_EQ(Chunks(Blocks, 2, 64, Long).count(), 60u);
  // Vectors would be cut in another way.
  EXPECT_EQ(Chunks(Few, 2, 1, Long).count(), Chunks(Few, 2, 1).count());
}

// No launch has more than 2^32 units, nor a dimension that is longer.
TEST(Chunks, CoverTheLargestLaunch) {
  for (Extent E :
       {Extent{uint64_t(1) << 32, 1, 1}, Extent{1, uint64_t(1) << 32, 1},
        Extent{1 << 16, 1 << 15, 2}}) {
    Chunks C(E.data(), 128);
    uint64_t Units = 0, B[3], End[3];
    for (uint32_t I = 0; I < C.count(); ++I) {
      C.get(I, B, End);
      Units += (End[0] - B[0]) * (End[1] - B[1]) * (End[2] - B[2]);
    }
    EXPECT_EQ(Units, uint64_t(1) << 32);
  }
}

TEST(Pool, RunsEachUnitOnce) {
  for (const Extent &E : Shapes)
    EXPECT_EQ(wrongUnits(E), 0u) << E[0] << " x " << E[1] << " x " << E[2];
}

TEST(Pool, RunsEachUnitOnceWithWorkersAsleep) {
  for (int I = 0; I < 20; ++I) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(wrongUnits({100003, 1, 1}), 0u);
  }
}

TEST(Pool, RunsManyShortLaunches) {
  for (int I = 0; I < 20000; ++I)
    ASSERT_EQ(wrongUnits({1 + uint64_t(I) % 300, 1, 1}), 0u);
}

TEST(Pool, RunsLaunchesOfSeveralThreadsAtOnce) {
  std::vector<std::thread> Threads;
  std::atomic<uint64_t> Wrong{0};
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I < 300; ++I)
        Wrong += wrongUnits({10007, 3, 1});
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0u);
}

TEST(Pool, RunsALaunchInsideALaunch) {
  static std::atomic<uint64_t> Wrong, Launches;
  Wrong = Launches = 0;
  ferry_geometry G = {{512, 1, 1}, {256, 1, 1}, 0, nullptr, 0, 0, 1};
  runOnPool(
      [](const uint64_t *, const ferry_geometry *, const uint64_t *,
         const uint64_t *, void *) {
        ++Launches;
        Wrong += wrongUnits({5000, 1, 1});
      },
      nullptr, &G);
  EXPECT_GT(Launches, 0u);
  EXPECT_EQ(Wrong, 0u);
}

TEST(Pool, UsesAllItsThreadsForLongWork) {
  if (poolThreads() == 1)
    GTEST_SKIP() << "one host thread";
  static std::mutex M;
  static std::set<std::thread::id> Ids;
  Ids.clear();
  ferry_geometry G = {{64, 1, 1}, {1, 1, 1}, 0, nullptr, 0, 0, 1};
  runOnPool(
      [](const uint64_t *, const ferry_geometry *, const uint64_t *,
         const uint64_t *, void *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        std::lock_guard L(M);
        Ids.insert(std::this_thread::get_id());
      },
      nullptr, &G);
  EXPECT_EQ(Ids.size(), std::min<size_t>(poolThreads(), 64));
}

TEST(Pool, StopsHandingOutChunksAfterAPanic) {
  static std::atomic<uint64_t> Launched;
  Launched = 0;
  ferry_panic_record Record = {};
  ferry_geometry G = {{1 << 20, 1, 1}, {256, 1, 1}, 1, &Record, 0, 0, 1};
  runOnPool(
      [](const uint64_t *, const ferry_geometry *G, const uint64_t *B,
         const uint64_t *E, void *) {
        Launched += E[0] - B[0];
        __atomic_store_n(&G->panic->state, 1, __ATOMIC_RELAXED);
      },
      nullptr, &G);
  EXPECT_LT(Launched, uint64_t(1) << 20);
  EXPECT_GT(Launched, 0u);
}

TEST(Pool, WorkersRoundAsTheCallerDoes) {
  static std::atomic<uint64_t> Other;
  Other = 0;
  unsigned Before = __builtin_ia32_stmxcsr();
  unsigned FlushToZero = Before | 0x8040;
  __builtin_ia32_ldmxcsr(FlushToZero);
  ferry_geometry G = {{64, 1, 1}, {1, 1, 1}, 0, nullptr, 0, 0, 1};
  uint64_t Slots[] = {FlushToZero};
  runOnPool(
      [](const uint64_t *Slots, const ferry_geometry *, const uint64_t *,
         const uint64_t *, void *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        // The low six bits are sticky flags.
        Other += ((__builtin_ia32_stmxcsr() ^ Slots[0]) & ~0x3fu) != 0;
      },
      Slots, &G);
  __builtin_ia32_ldmxcsr(Before);
  EXPECT_EQ(Other, 0u);
}
