//===- Totals.h - Sums over a timeline --------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_TRACE_TOTALS_H
#define FERRY_TOOLS_FERRY_TRACE_TOTALS_H

#include "Timeline.h"

namespace ferry::trace {

struct KernelTotals {
  std::string Kernel;
  uint64_t Launches = 0, Errors = 0;
  uint64_t LaunchTime = 0; ///< nanoseconds from call to return
  uint64_t Runs = 0, RunTime = 0;
};

/// Copies of one argument of a kernel in one direction.
struct ArgumentTotals {
  std::string Kernel, Argument;
  bool ToDevice;
  uint64_t Copies = 0, Bytes = 0, Time = 0;
};

struct CopyTotals {
  uint64_t Copies = 0, Bytes = 0, Time = 0;
};

struct Totals {
  std::vector<KernelTotals> Kernels;     ///< by run time, longest first
  std::vector<ArgumentTotals> Arguments; ///< by bytes, most first
  uint64_t Launches = 0, Errors = 0, Unfinished = 0;
  uint64_t RunTime = 0;  ///< of kernels
  uint64_t HostTime = 0; ///< between launches, of all threads
  uint64_t Allocations = 0, AllocatedBytes = 0, AllocationTime = 0;
  uint64_t PrepareTime = 0;
  CopyTotals ToDevice, ToHost;
};

Totals sumUp(const Timeline &T);

/// For people: "1.25 ms", "3,400,000", "12.5 %".
std::string timeText(uint64_t Nanoseconds);
std::string countText(uint64_t Number);
std::string shareText(uint64_t Part, uint64_t Whole);
/// "1 copy", "2,000 copies"
std::string plural(uint64_t N, const char *One, const char *Many);

/// The tables for the terminal.
std::string totalsText(const Totals &Sum, const Timeline &T);

} // namespace ferry::trace

#endif // FERRY_TOOLS_FERRY_TRACE_TOTALS_H
