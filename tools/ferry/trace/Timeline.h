//===- Timeline.h - What a traced program did -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TOOLS_FERRY_TRACE_TIMELINE_H
#define FERRY_TOOLS_FERRY_TRACE_TIMELINE_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

namespace ferry::trace {

enum class EventKind : uint8_t {
  Host, ///< between launches
  Launch,
  Prepare,
  Allocate,
  ToDevice,
  ToHost,
  Kernel
};
constexpr unsigned NumEventKinds = 7;
/// One word each.
const char *nameOf(EventKind Kind);

/// Texts live as long as the timeline.
using TextRef = const std::string *;

struct LaunchInfo {
  TextRef Kernel, File;
  uint64_t Line, Column;
  uint64_t Extent[3], Block[3];
  bool IsBlocks;
  TextRef Device =
      nullptr;             ///< null: none was found, or there was nothing to do
  TextRef Error = nullptr; ///< null: none
  uint64_t BytesToDevice = 0, BytesToHost = 0;

  std::string place() const; ///< "main.cpp:12:5"
  std::string shape() const; ///< "over(1000, 20)", "blocks(8).threads(256)"
};

struct Event {
  static constexpr uint32_t NoLaunch = ~0u;

  EventKind Kind;
  bool Unfinished = false; ///< the program ended in the middle
  uint32_t Depth = 0;      ///< how many events of the lane are around it
  uint64_t Start, End;     ///< nanoseconds since the timeline's start
  uint32_t Launch;         ///< that it is or belongs to
  TextRef Name;            ///< kernel, argument
  TextRef Device;          ///< null for the host
  uint64_t Bytes = 0;
};

/// A thread of the host, or what one device does at a time. Events are in the
/// order of their starts and nest.
struct Lane {
  std::string Name;
  int64_t Thread; ///< unique in the process
  bool IsDevice;
  std::vector<Event> Events;
};

struct Process {
  uint32_t Number; ///< the system's, or another where that was used again
  std::string Program;
  uint64_t Start, End;
  std::vector<Lane> Lanes;

  std::string name() const; ///< "app (1234)"
};

struct Timeline {
  std::vector<Process> Processes;
  std::vector<LaunchInfo> Launches;
  uint64_t End = 0; ///< of the last process; the first one starts at 0
  /// Processes whose recording ended early.
  unsigned Stopped = 0;
  std::unordered_set<std::string> Texts;
};

/// The program that was started, which ended at `End` of CLOCK_MONOTONIC.
struct MainProcess {
  uint32_t Number;
  uint64_t End;
};

/// Reads the files that libferry has left in `Directory`.
Timeline readTimeline(const std::filesystem::path &Directory,
                      const MainProcess &Main);

/// What the programs that write to `Directory` have done so far.
struct Progress {
  uint64_t Launches = 0, BytesToDevice = 0, BytesToHost = 0;
};
Progress readProgress(const std::filesystem::path &Directory);

} // namespace ferry::trace

#endif // FERRY_TOOLS_FERRY_TRACE_TIMELINE_H
