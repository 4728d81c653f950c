//===- RuntimeLaunchTest.cpp - Launches, on cpu and on virtual ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include "RuntimeModule.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <latch>
#include <numeric>
#include <thread>

using namespace ferry::test;

namespace {

bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

#define EXPECT_ERROR(STATUS, CALL, TEXT)                                       \
  do {                                                                         \
    EXPECT_EQ(CALL, STATUS);                                                   \
    EXPECT_STREQ(ferry_last_error(), TEXT);                                    \
  } while (false)

/// Runs on cpu and on a virtual device.
class Launch : public testing::TestWithParam<const char *> {
protected:
  int64_t Device = 0;
  bool onCpu() const { return Device == 0; }
  std::string name() const { return ferry_device_name(Device); }
  void SetUp() override {
    if (GetParam() == std::string("cpu"))
      return;
    Device = virtualDevice(1);
    ASSERT_GT(Device, 0) << "libomptarget shows no virtual device";
  }
};

INSTANTIATE_TEST_SUITE_P(On, Launch, testing::Values("cpu", "virtual"),
                         [](const auto &P) { return P.param; });

TEST_P(Launch, Saxpy) {
  for (size_t N : {1, 100, 100000}) {
    std::vector<float> X(N), Y(N, 3);
    std::iota(X.begin(), X.end(), 0);
    ASSERT_EQ(launch(kernel("saxpy"), {.Extent = {N}, .Device = Device},
                     {value(2.0f, "a"), buffer(In, X.data(), N, "x"),
                      buffer(InOut, Y.data(), N, "y")}),
              FERRY_STATUS_OK)
        << ferry_last_error();
    for (size_t I = 0; I < N; ++I)
      ASSERT_EQ(Y[I], 3 + 2.0f * I);
  }
}

TEST_P(Launch, CountsLaunchesAndCopies) {
  std::vector<float> X(1000, 1), Y(1000, 1);
  ferry_stats Before = stats();
  launch(
      kernel("saxpy"), {.Extent = {1000}, .Device = Device},
      {value(2.0f), buffer(In, X.data(), 1000), buffer(InOut, Y.data(), 1000)});
  ferry_stats S = statsSince(Before);
  EXPECT_EQ(S.launches, 1u);
  EXPECT_EQ(S.copies_to_device, onCpu() ? 0u : 2u);
  EXPECT_EQ(S.bytes_to_device, onCpu() ? 0u : 8000u);
  EXPECT_EQ(S.copies_to_host, onCpu() ? 0u : 1u);
  EXPECT_EQ(S.bytes_to_host, onCpu() ? 0u : 4000u);
}

TEST_P(Launch, NoThreadsIsANoOp) {
  float X = 1;
  ferry_stats Before = stats();
  for (const std::vector<uint64_t> &E :
       {std::vector<uint64_t>{0}, {0, 5, 5}, {5, 0}, {uint64_t(1) << 40, 0}})
    EXPECT_EQ(launch(kernel("saxpy"), {.Extent = E, .Device = Device},
                     {value(2.0f), buffer(In, &X, 1), buffer(InOut, &X, 1)}),
              FERRY_STATUS_OK);
  EXPECT_EQ(launch(kernel("saxpy in blocks"),
                   {.Extent = {0}, .Block = {32}, .Device = Device},
                   {value(2.0f), buffer(In, &X, 1), buffer(InOut, &X, 1)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(statsSince(Before).launches, 0u);
  EXPECT_EQ(X, 1);
}

// A kernel has the host's pointer to nothing, which only on cpu is one of the
// pointers into another buffer.
TEST_P(Launch, EmptyBuffersKeepTheirPointerAndAreNotCopied) {
  constexpr uint32_t Unseen = 5, Null = 0xffff;
  uint32_t Whole[4] = {1, 1, 1, 1};
  for (uint32_t *Empty : {static_cast<uint32_t *>(nullptr), Whole + 1}) {
    uint32_t Seen = Unseen;
    ferry_stats Before = stats();
    ASSERT_EQ(launch(kernel("overlap"), {.Extent = {4}, .Device = Device},
                     {buffer(InOut, Whole, 4), buffer(In, Empty, 0),
                      buffer(InOut, &Seen, 1)}),
              FERRY_STATUS_OK);
    EXPECT_EQ(Seen, !Empty ? Null : onCpu() ? Whole[1] : Unseen);
    EXPECT_EQ(statsSince(Before).copies_to_device, onCpu() ? 0u : 2u);
  }
}

TEST_P(Launch, RefusesTooManyThreads) {
  float X = 1;
  std::vector<Argument> A = {value(2.0f), buffer(In, &X, 1),
                             buffer(InOut, &X, 1)};
  EXPECT_ERROR(FERRY_STATUS_INVALID_SHAPE,
               launch(kernel("saxpy"),
                      {.Extent = {65536, 65536, 2}, .Device = Device}, A),
               "kernel 'saxpy' launched at test.cpp:7:3: over(65536 x 65536 x "
               "2) asks for 8589934592 threads: a launch has at most "
               "4294967296 (2^32)");
  EXPECT_ERROR(FERRY_STATUS_INVALID_SHAPE,
               launch(kernel("saxpy"),
                      {.Extent = {UINT64_MAX, UINT64_MAX}, .Device = Device},
                      A),
               "kernel 'saxpy' launched at test.cpp:7:3: "
               "over(18446744073709551615 x 18446744073709551615) asks for "
               "3.4e+38 threads: a launch has at most 4294967296 (2^32)");
  EXPECT_ERROR(
      FERRY_STATUS_INVALID_SHAPE,
      launch(kernel("saxpy in blocks"),
             {.Extent = {1 << 23}, .Block = {32, 32}, .Device = Device}, A),
      "kernel 'saxpy' launched at test.cpp:7:3: "
      "blocks(8388608).threads(32 x 32) asks for 8589934592 threads: "
      "a launch has at most 4294967296 (2^32)");
}

TEST_P(Launch, RefusesBlocksTheDeviceCannotHold) {
  float X = 1;
  std::vector<Argument> A = {value(2.0f), buffer(In, &X, 1),
                             buffer(InOut, &X, 1)};
  std::string Where = "kernel 'saxpy' launched at test.cpp:7:3: ";
  EXPECT_ERROR(FERRY_STATUS_INVALID_SHAPE,
               launch(kernel("saxpy in blocks"),
                      {.Extent = {1}, .Block = {32, 64}, .Device = Device}, A),
               (Where + "a block of 32 x 64 threads has 2048: " + name() +
                " allows at most 1024")
                   .c_str());
  EXPECT_ERROR(
      FERRY_STATUS_INVALID_SHAPE,
      launch(kernel("saxpy in blocks"),
             {.Extent = {1}, .Block = {32, 0}, .Device = Device}, A),
      (Where +
       "a block of 32 x 0 threads is empty: each dimension needs at least 1")
          .c_str());
  EXPECT_ERROR(
      FERRY_STATUS_INVALID_SHAPE,
      launch(kernel("saxpy in blocks"),
             {.Extent = {1}, .Block = {32}, .Shared = 65537, .Device = Device},
             A),
      (Where + "a block asks for 65537 bytes of shared memory: " + name() +
       " allows at most 65536")
          .c_str());
  EXPECT_EQ(X, 1);
}

TEST_P(Launch, RefusesBuffersOutOfTheAddressSpace) {
  float X = 1;
  EXPECT_ERROR(
      FERRY_STATUS_INVALID_ARGUMENT,
      launch(kernel("saxpy"), {.Extent = {1}, .Device = Device},
             {value(2.0f), buffer(In, static_cast<float *>(nullptr), 4, "x"),
              buffer(InOut, &X, 1)}),
      "kernel 'saxpy' launched at test.cpp:7:3: argument 'x' is said "
      "to have 16 bytes at address 0");
  EXPECT_EQ(launch(kernel("saxpy"), {.Extent = {1}, .Device = Device},
                   {value(2.0f), buffer(In, &X, SIZE_MAX / 4, "x"),
                    buffer(InOut, &X, 1)}),
            FERRY_STATUS_INVALID_ARGUMENT);
}

TEST_P(Launch, ReportsAPanicAndGoesOn) {
  std::vector<uint32_t> X(600);
  auto Bounds = [&](const std::vector<uint64_t> &Extent, uint64_t Length) {
    return launch(kernel("bounds"), {.Extent = Extent, .Device = Device},
                  {buffer(InOut, X.data(), X.size(), "x"), value(Length)});
  };
  for (int Round = 0; Round < 3; ++Round) {
    EXPECT_ERROR(FERRY_STATUS_PANIC, Bounds({600}, 599),
                 "kernel 'bounds' panicked at src/main.rs:12:5: index 599 out "
                 "of bounds (len 599), block 2, thread 87");
    EXPECT_ERROR(FERRY_STATUS_PANIC, Bounds({40, 15}, 599),
                 "kernel 'bounds' panicked at src/main.rs:12:5: index 599 out "
                 "of bounds (len 599), block (1, 1, 0), thread (7, 6, 0)");
    EXPECT_ERROR(FERRY_STATUS_PANIC, Bounds({10, 6, 10}, 599),
                 "kernel 'bounds' panicked at src/main.rs:12:5: index 599 out "
                 "of bounds (len 599), block (0, 1, 4), thread (9, 1, 1)");
    EXPECT_EQ(Bounds({600}, 600), FERRY_STATUS_OK);
    EXPECT_EQ(X[599], 600u);
  }
}

TEST_P(Launch, CopiesOnePanicRecordOnlyWhereAKernelCanPanic) {
  uint32_t X = 9;
  ferry_stats Before = stats();
  launch(kernel("bounds"), {.Extent = {1}, .Device = Device},
         {buffer(InOut, &X, 1), value(uint64_t(1))});
  ferry_stats S = statsSince(Before);
  EXPECT_EQ(S.copies_to_device, onCpu() ? 0u : 1u);
  EXPECT_EQ(S.copies_to_host, onCpu() ? 0u : 2u);
  EXPECT_EQ(S.bytes_to_host, onCpu() ? 0u : 4u + 64u);
}

TEST_P(Launch, PrintsEachLineOnce) {
  ferry_stats Before = stats();
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(kernel("print"), {{3}, {}, 0, Device}, {value(int64_t(-5))}),
            FERRY_STATUS_OK);
  std::string Output = testing::internal::GetCapturedStdout();
  for (const char *Line :
       {"thread 0 says -5\n", "thread 1 says -5\n", "thread 2 says -5\n"})
    EXPECT_NE(Output.find(Line), std::string::npos) << Output;
  EXPECT_EQ(Output.size(), 51u);
  // The header and three lines of 24 bytes, no more.
  EXPECT_EQ(statsSince(Before).bytes_to_host, onCpu() ? 0 : 16 + 72);
}

TEST_P(Launch, CountsTheLinesThatFoundNoRoom) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(kernel("print"), {{50000}, {}, 0, Device}, {value(1l)}),
            FERRY_STATUS_OK);
  std::string Output = testing::internal::GetCapturedStdout();
  std::string Errors = testing::internal::GetCapturedStderr();
  size_t Lines = std::count(Output.begin(), Output.end(), '\n');
  // 1,048,560 bytes hold 43,690 lines of 24.
  EXPECT_EQ(Lines, onCpu() ? 50000u : 43690u);
  EXPECT_EQ(Errors, onCpu() ? ""
                            : "ferry: 6310 more lines were printed than the "
                              "device's buffer holds\n");
  // The next launch finds the buffer empty.
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(kernel("print"), {{1}, {}, 0, Device}, {value(2l)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0 says 2\n");
}

TEST_P(Launch, AMutableGlobalGoesInAndOut) {
  host_counters[0] = 100;
  host_counters[3] = 400;
  for (int I = 0; I < 3; ++I)
    ASSERT_EQ(launch(kernel("count"), {.Extent = {4}, .Device = Device}, {}),
              FERRY_STATUS_OK)
        << ferry_last_error();
  EXPECT_EQ(host_counters[0], 103u);
  EXPECT_EQ(host_counters[3], 412u);
  // The host changes it between launches.
  host_counters[0] = 7;
  launch(kernel("count"), {.Extent = {4}, .Device = Device}, {});
  EXPECT_EQ(host_counters[0], 8u);
}

TEST_P(Launch, AGlobalThatIsAlsoAnArgumentIsOneObject) {
  host_counters[1] = 20;
  ASSERT_EQ(launch(kernel("count_twice"), {.Extent = {4}, .Device = Device},
                   {buffer(InOut, host_counters, 4)}),
            FERRY_STATUS_OK)
      << ferry_last_error();
  EXPECT_EQ(host_counters[1], 42u);
}

TEST_P(Launch, OverlappingBuffersAreOneStorage) {
  std::vector<uint32_t> V(64);
  std::iota(V.begin(), V.end(), 0);
  uint32_t Seen = 0;
  ferry_stats Before = stats();
  ASSERT_EQ(launch(kernel("overlap"), {.Extent = {64}, .Device = Device},
                   {buffer(InOut, V.data(), 64), buffer(In, &V[10], 20),
                    buffer(Out, &Seen, 1)}),
            FERRY_STATUS_OK)
      << ferry_last_error();
  EXPECT_EQ(Seen, 11u);
  EXPECT_EQ(V[10], 11u);
  ferry_stats S = statsSince(Before);
  EXPECT_EQ(S.copies_to_device, onCpu() ? 0u : 1u);
  EXPECT_EQ(S.bytes_to_device, onCpu() ? 0u : 256u);
  EXPECT_EQ(S.bytes_to_host, onCpu() ? 0u : 256u + 4u);
}

TEST_P(Launch, TakesTheVersionForBuffersThatLieApart) {
  uint32_t V[4] = {}, W[4] = {};
  ASSERT_EQ(launch(kernel("version"), {.Extent = {1}, .Device = Device},
                   {buffer(InOut, V, 2), buffer(In, W, 4)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(V[0], onCpu() ? 1u : 2u);
  ASSERT_EQ(launch(kernel("version"), {.Extent = {1}, .Device = Device},
                   {buffer(InOut, V, 2), buffer(In, &V[1], 3)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(V[0], 1u);
}

TEST_P(Launch, ConcurrentLaunchesOnOverlappingRanges) {
  std::vector<float> X(40000, 1);
  std::vector<std::vector<float>> Y(4, std::vector<float>(40000));
  std::vector<std::thread> Threads;
  std::atomic<int> Failures{0};
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      // Growing parts of one array, which a mapping could not extend.
      for (int I = 0; I < 200; ++I) {
        size_t First = (I * 37 + T) % 100, N = 1000 + I * 100 + T;
        Failures += launch(kernel("saxpy"), {.Extent = {N}, .Device = Device},
                           {value(1.0f), buffer(In, &X[First], N),
                            buffer(InOut, Y[T].data(), N)}) != 0;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Failures, 0) << ferry_last_error();
  for (auto &V : Y)
    EXPECT_EQ(V[0], 200);
}

TEST_P(Launch, PanicsOfConcurrentLaunchesStayApart) {
  std::vector<std::thread> Threads;
  std::atomic<int> Wrong{0};
  std::latch Ready(4); // the module's first launches coincide
  for (uint32_t T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      Ready.arrive_and_wait();
      for (uint32_t I = 0; I < 100; ++I) {
        uint32_t X[64];
        uint64_t Length = 10 * T + I % 2 * 64;
        int Status =
            launch(kernel("bounds"), {.Extent = {64}, .Device = Device},
                   {buffer(InOut, X, 64), value(Length)});
        bool Panics = Length < 64;
        Wrong += Status != (Panics ? FERRY_STATUS_PANIC : FERRY_STATUS_OK);
        Wrong += Panics && !contains(ferry_last_error(),
                                     "(len " + std::to_string(Length) + ")");
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0);
}

} // namespace

// Device memory is not the host's: a copy too few would show.
TEST(Offload, WritesToReadOnlyBuffersStayOnTheDevice) {
  std::vector<uint32_t> X(100, 5), Y(100);
  ASSERT_EQ(launch(kernel("scribble"),
                   {.Extent = {100}, .Device = virtualDevice(0)},
                   {buffer(In, X.data(), 100), buffer(Out, Y.data(), 100)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(X, std::vector<uint32_t>(100, 5));
  EXPECT_EQ(Y, std::vector<uint32_t>(100, 5));
}

TEST(Offload, EachDeviceHasItsOwnMemory) {
  std::vector<uint32_t> X(16, 1), Y(16);
  for (int D = 0; D < 4; ++D) {
    ASSERT_GT(virtualDevice(D), 0);
    EXPECT_EQ(launch(kernel("scribble"),
                     {.Extent = {16}, .Device = virtualDevice(D)},
                     {buffer(In, X.data(), 16), buffer(Out, Y.data(), 16)}),
              FERRY_STATUS_OK);
    EXPECT_EQ(Y, X);
  }
}

TEST(Offload, KeepsAlignment) {
  alignas(256) uint64_t Data[64] = {};
  for (int Offset : {0, 1, 3, 8, 31}) {
    uint64_t *P = Data + Offset;
    // The kernel adds to a vector of what it is given; the address itself is
    // what an aligned load would fault on.
    EXPECT_EQ(launch(kernel("scribble"),
                     {.Extent = {2}, .Device = virtualDevice(0)},
                     {buffer(In, reinterpret_cast<uint32_t *>(P), 2),
                      buffer(Out, reinterpret_cast<uint32_t *>(P + 8), 2)}),
              FERRY_STATUS_OK);
  }
}

TEST(Offload, TooLargeABufferIsAnErrorAndTouchesNothing) {
  std::vector<float> X(10, 1), Y(10, 3);
  int Status =
      launch(kernel("saxpy"), {.Extent = {10}, .Device = virtualDevice(0)},
             {value(2.0f), buffer(In, X.data(), uint64_t(1) << 44, "huge"),
              buffer(InOut, Y.data(), 10, "y")});
  EXPECT_EQ(Status, FERRY_STATUS_OUT_OF_MEMORY);
  EXPECT_TRUE(contains(ferry_last_error(),
                       "kernel 'saxpy' launched at test.cpp:7:3: device "
                       "virtual:0 has no room for"))
      << ferry_last_error();
  EXPECT_EQ(Y, std::vector<float>(10, 3));
  EXPECT_EQ(launch(kernel("saxpy"),
                   {.Extent = {10}, .Device = virtualDevice(0)},
                   {value(2.0f), buffer(In, X.data(), 10),
                    buffer(InOut, Y.data(), 10)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(Y, std::vector<float>(10, 5));
}

TEST(Offload, AModuleWithoutAnImageForTheDeviceIsAnError) {
  static ferry_module Bare = {};
  Bare.version = FERRY_RECORD_VERSION;
  ferry_kernel K = kernel("saxpy");
  K.module = &Bare;
  __ferry_register_module(&Bare);
  float X = 1;
  EXPECT_ERROR(FERRY_STATUS_NO_DEVICE,
               launch(K, {.Extent = {1}, .Device = virtualDevice(0)},
                      {value(2.0f), buffer(In, &X, 1), buffer(InOut, &X, 1)}),
               "kernel 'saxpy' launched at test.cpp:7:3: the program has no "
               "code for device virtual:0: it is built for cpu; name the "
               "device's target in FERRY_TARGETS=cpu,...");
  __ferry_unregister_module(&Bare);
}

TEST(Offload, ABrokenImageIsAnError) {
  virtualDevice(0);
  static const char Junk[] = "\x7f"
                             "ELF, but no more";
  ferry_image Image = {"virtual", Junk, Junk + sizeof(Junk)};
  ferry_module Broken = {};
  Broken.version = FERRY_RECORD_VERSION;
  Broken.num_images = 1;
  Broken.images = &Image;
  ferry_kernel K = kernel("saxpy");
  K.module = &Broken;
  __ferry_register_module(&Broken);
  float X = 1;
  EXPECT_EQ(launch(K, {.Extent = {1}, .Device = virtualDevice(0)},
                   {value(2.0f), buffer(In, &X, 1), buffer(InOut, &X, 1)}),
            FERRY_STATUS_NO_DEVICE);
  EXPECT_TRUE(
      contains(ferry_last_error(), "the image for virtual can't be loaded ("))
      << ferry_last_error();
  __ferry_unregister_module(&Broken);
}

TEST(Offload, AnUnloadedModuleCanComeBack) {
  for (int Round = 0; Round < 3; ++Round) {
    host_counters[0] = 1;
    ASSERT_EQ(launch(kernel("count"),
                     {.Extent = {4}, .Device = virtualDevice(2)}, {}),
              FERRY_STATUS_OK)
        << ferry_last_error();
    EXPECT_EQ(host_counters[0], 2u);
    __ferry_unregister_module(&module());
    __ferry_register_module(&module());
  }
}

// The same global may have a copy in the images of several modules.
TEST(Offload, TwoModulesShareAGlobal) {
  ferry_module Second = module();
  Second.next = nullptr;
  Second.registration = nullptr;
  static ferry_panic_record Panics[FERRY_PANIC_RECORDS];
  Second.panic_records = Panics;
  ferry_kernel K = kernel("count");
  K.module = &Second;
  const ferry_kernel *Kernels[] = {&K};
  Second.kernels = Kernels;
  Second.num_kernels = 1;
  __ferry_register_module(&Second);
  host_counters[0] = 1;
  Shape S = {.Extent = {4}, .Device = virtualDevice(3)};
  for (int Round = 0; Round < 2; ++Round) {
    EXPECT_EQ(launch(kernel("count"), S, {}), FERRY_STATUS_OK);
    EXPECT_EQ(launch(K, S, {}), FERRY_STATUS_OK) << ferry_last_error();
  }
  EXPECT_EQ(host_counters[0], 5u);
  __ferry_unregister_module(&Second);
}

TEST(Devices, SetDeviceIsPerThread) {
  int Virtual = virtualDevice(2);
  ASSERT_EQ(ferry_set_device(Virtual), FERRY_STATUS_OK);
  EXPECT_EQ(ferry_current_device(), Virtual);
  std::thread([] { EXPECT_EQ(ferry_current_device(), 0); }).join();
  std::vector<float> X(10, 1), Y(10, 3);
  ferry_stats Before = stats();
  EXPECT_EQ(launch(kernel("saxpy"), {.Extent = {10}, .Device = -1},
                   {value(2.0f), buffer(In, X.data(), 10),
                    buffer(InOut, Y.data(), 10)}),
            FERRY_STATUS_OK);
  EXPECT_EQ(statsSince(Before).copies_to_device, 2u);
  EXPECT_EQ(ferry_set_device(0), FERRY_STATUS_OK);
}

TEST(Devices, UnknownNumbersAreErrorsThatListTheDevices) {
  virtualDevice(0);
  for (int Number : {99, -7}) {
    EXPECT_EQ(ferry_set_device(Number), FERRY_STATUS_NO_DEVICE);
    EXPECT_TRUE(contains(ferry_last_error(),
                         "there is no device " + std::to_string(Number) +
                             ": this program's devices here are 0 (cpu), 1 "
                             "(virtual:0)"))
        << ferry_last_error();
  }
  EXPECT_EQ(ferry_device_name(99), nullptr);
}

TEST(Errors, AreThreadLocalAndMayBeLong) {
  std::string Long(100000, 'x');
  EXPECT_EQ(ferry_fail(FERRY_STATUS_INVALID_ARGUMENT, Long.data(), Long.size()),
            FERRY_STATUS_INVALID_ARGUMENT);
  std::thread([] { EXPECT_STREQ(ferry_last_error(), ""); }).join();
  EXPECT_EQ(ferry_last_error(), Long);
  // A front end may hand the text back.
  ferry_fail(3, ferry_last_error(), 5);
  EXPECT_STREQ(ferry_last_error(), "xxxxx");
}
