//===- RuntimeFixture.h - A module made by hand, and its launches -*- C++ -*-=//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TESTS_RUNTIMEFIXTURE_H
#define FERRY_TESTS_RUNTIMEFIXTURE_H

#include "ferry/markers.h"
#include "ferry/runtime.h"
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace ferry::test {

constexpr uint32_t In = FERRY_FIELD_READ, Out = FERRY_FIELD_WRITE,
                   InOut = In | Out;

struct Argument {
  uint64_t Value, Bytes;
  uint32_t Flags;
  const char *Name;
};

template <typename T> Argument value(T V, const char *Name = "v") {
  Argument A{0, 0, 0, Name};
  memcpy(&A.Value, &V, sizeof(V));
  return A;
}

template <typename T>
Argument buffer(uint32_t Flags, T *Data, size_t Count, const char *Name = "b") {
  return {reinterpret_cast<uint64_t>(Data), Count * sizeof(T), Flags, Name};
}

/// The kernels of RuntimeKernels.c, registered on first use, with an image for
/// virtual.
const ferry_kernel &kernel(const char *Name);

/// The module that they are in.
ferry_module &module();

struct Shape {
  std::vector<uint64_t> Extent;
  std::vector<uint64_t> Block = {};
  uint64_t Shared = 0;
  int64_t Device = 0;
};

/// __ferry_run at "test.cpp:7:3".
int launch(const ferry_kernel &K, const Shape &S,
           const std::vector<Argument> &Arguments);

/// Device number of virtual:Index.
int virtualDevice(int Index);

/// What ferry_get_stats counts, less what it had counted before.
ferry_stats statsSince(const ferry_stats &Before);
ferry_stats stats();

/// Runs the probe program with `Environment` ("A=1 B=2") and `Arguments`. Gives
/// its standard output and error, and its exit code or 128 + signal.
struct ProbeResult {
  std::string Output;
  int Code;
};
ProbeResult probe(const std::string &Environment, const std::string &Arguments);

} // namespace ferry::test

#endif // FERRY_TESTS_RUNTIMEFIXTURE_H
