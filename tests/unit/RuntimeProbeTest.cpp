//===- RuntimeProbeTest.cpp - libferry as a whole program sees it ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFixture.h"
#include <gtest/gtest.h>

using ferry::test::probe;
using ferry::test::ProbeResult;

namespace {

testing::AssertionResult says(const ProbeResult &R, const std::string &Part) {
  if (R.Output.find(Part) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "no \"" << Part << "\" in (exit code " << R.Code << ")\n"
         << R.Output;
}

const char *const VirtualPolicies[] = {"", "OMP_TARGET_OFFLOAD=MANDATORY"};

} // namespace

TEST(Choice, DefaultAndCpuDoNotLoadLibomptarget) {
  for (const char *Environment : {"", "FERRY_DEVICE=cpu", "FERRY_DEVICE=0"}) {
    ProbeResult R = probe(Environment, "run");
    EXPECT_TRUE(says(R, "launch: status 0, good"));
    EXPECT_TRUE(says(R, "libomptarget absent"));
  }
}

TEST(Choice, VirtualByNameAndByNumber) {
  for (const char *Policy : VirtualPolicies)
    for (const char *Choice : {"virtual", "1", "4"}) {
      ProbeResult R =
          probe(std::string("FERRY_DEVICE=") + Choice + " " + Policy, "run");
      EXPECT_TRUE(says(R, "launch: status 0, good"));
      EXPECT_TRUE(says(R, "libomptarget loaded"));
    }
}

TEST(Choice, DevicesAreCpuThenVirtual) {
  EXPECT_TRUE(says(probe("", "devices"), "0 cpu\n1 virtual:0\n2 virtual:1\n3 "
                                         "virtual:2\n4 virtual:3\n"));
  EXPECT_TRUE(says(probe("FERRY_DEVICE=3", "devices"), "current 3"));
}

TEST(Choice, NoGpuIsAnErrorThatListsDevicesAndSaysWhatToDo) {
  ProbeResult R = probe("FERRY_DEVICE=gpu", "run");
  if (R.Output.find("status 0") != std::string::npos)
    GTEST_SKIP() << "there is a GPU";
  EXPECT_TRUE(says(R, "launch: status 2, untouched"));
  EXPECT_TRUE(says(R, "kernel 'saxpy' launched at probe.c:40:9: "
                      "FERRY_DEVICE=gpu, but there is no GPU device: this "
                      "program's devices here are 0 (cpu), 1 (virtual:0)"));
  EXPECT_TRUE(says(R, "FERRY_TARGETS=cpu,sm_90"));
}

TEST(Choice, UnknownWordsAndNumbersAreErrors) {
  ProbeResult R = probe("FERRY_DEVICE=cuda", "run");
  EXPECT_TRUE(says(R, "status 2, untouched"));
  EXPECT_TRUE(says(R, "FERRY_DEVICE=cuda is none of cpu, gpu, virtual or the "
                      "number of a device"));
  EXPECT_TRUE(says(probe("FERRY_DEVICE=77", "run"),
                   "FERRY_DEVICE=77: there is no device 77: this program's "
                   "devices here are 0 (cpu), 1 (virtual:0)"));
}

TEST(Choice, DisabledOffloadingLeavesCpu) {
  ProbeResult R =
      probe("OMP_TARGET_OFFLOAD=DISABLED FERRY_DEVICE=virtual", "run");
  EXPECT_TRUE(says(R, "status 2, untouched"));
  EXPECT_TRUE(says(R, "OMP_TARGET_OFFLOAD=DISABLED hides all devices but cpu"));
  EXPECT_TRUE(says(probe("OMP_TARGET_OFFLOAD=DISABLED", "run"), "status 0"));
}

TEST(Threads, TheirNumberCanBeChosen) {
  for (const char *Number : {"1", "2", "5", "64"})
    EXPECT_TRUE(says(probe(std::string("FERRY_NUM_THREADS=") + Number, "run"),
                     "launch: status 0, good"));
  EXPECT_TRUE(says(probe("FERRY_NUM_THREADS=many", "run"),
                   "FERRY_NUM_THREADS=many is not a number of threads"));
}

TEST(Failure, AllocationTooLargeIsAnErrorUnderEveryPolicy) {
  for (const char *Policy : VirtualPolicies) {
    ProbeResult R =
        probe(std::string("FERRY_DEVICE=virtual ") + Policy, "huge");
    EXPECT_EQ(R.Code, 0);
    EXPECT_TRUE(says(R, "huge: status 5, untouched"));
    EXPECT_TRUE(says(R, "device virtual:0 has no room for"));
    EXPECT_TRUE(says(R, "then: status 0, good"));
  }
}

TEST(Failure, AllocationTooLargeIsAnErrorWhenTraced) {
  ProbeResult R = probe("FERRY_DEVICE=virtual LIBOMPTARGET_INFO=16", "huge");
  EXPECT_EQ(R.Code, 0);
  EXPECT_TRUE(says(R, "huge: status 5, untouched"));
  EXPECT_TRUE(says(R, "then: status 0, good"));
}

TEST(Trace, NamesVariablesAndPlaces) {
  ProbeResult R = probe("FERRY_DEVICE=virtual LIBOMPTARGET_INFO=-1", "run");
  EXPECT_TRUE(says(R, "launch: status 0, good"));
  EXPECT_TRUE(says(R, "Entering OpenMP kernel at probe.c:40:9 with"));
  EXPECT_TRUE(says(R, "firstprivate(factor)[8]"));
  EXPECT_TRUE(says(R, "to(inputs)[400000]"));
  EXPECT_TRUE(says(R, "tofrom(results)[400000]"));
  EXPECT_TRUE(says(R, "Size=400000, Name=inputs"));
  auto Count = [&](const std::string &Part) {
    int N = 0;
    for (size_t At = 0; (At = R.Output.find(Part, At)) != std::string::npos;
         ++N)
      At += Part.size();
    return N;
  };
  EXPECT_EQ(Count("Copying data from host to device"), 2);
  EXPECT_EQ(Count("Copying data from device to host"), 1);
}

TEST(Process, LaunchesBeforeAndAfterMain) {
  for (const char *Device : {"cpu", "virtual"}) {
    ProbeResult R =
        probe(std::string("PROBE_EARLY=1 FERRY_DEVICE=") + Device, "exit");
    EXPECT_EQ(R.Code, 0);
    EXPECT_TRUE(says(R, "constructor: status 0, good"));
    EXPECT_TRUE(says(R, "main: status 0, good"));
    EXPECT_TRUE(says(R, "atexit: status 0, good"));
    EXPECT_TRUE(says(R, "destructor: status 0, good"));
  }
}

TEST(Process, LaunchesInAForkedChild) {
  for (const char *Device : {"cpu", "virtual"}) {
    ProbeResult R = probe(std::string("FERRY_DEVICE=") + Device, "fork");
    EXPECT_TRUE(says(R, "child: status 0, good"));
    EXPECT_TRUE(says(R, "child ended with 0"));
    EXPECT_TRUE(says(R, "parent again: status 0, good"));
  }
}

TEST(Process, LaunchesInALibraryThatComesAndGoes) {
  for (const char *Device : {"0", "1"}) {
    ProbeResult R = probe("", std::string("plugin ") + Device);
    EXPECT_EQ(R.Code, 0);
    EXPECT_TRUE(says(R, "before: status 0, good\nplugin: status 0\nplugin: "
                        "status 0\nplugin: status 0\nafter: status 0, good"));
  }
}

TEST(Unplugged, LaunchSaysHowToCompile) {
  EXPECT_TRUE(says(
      probe("", "unplugged"),
      "status 1\nkernel 'saxpy' launched at app.cpp:3:4: built without the "
      "Ferry plugin: compile with ferry-c++, or add "
      "-fpass-plugin=.../FerryPlugin.so to clang++-22; in Rust build with "
      "cargo ferry build"));
}

TEST(Unplugged, QueriesOutsideOfKernelsAbort) {
  ProbeResult R = probe("", "query");
  EXPECT_EQ(R.Code, 128 + SIGABRT);
  EXPECT_TRUE(says(R, "ferry: global_id() called outside a kernel"));
}
