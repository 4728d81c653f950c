//===- TraceFile.h - The files that traces are recorded in ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libferry writes (Trace.cpp) and `ferry trace` reads. A file is a header,
// of one page, and chunks. A chunk belongs to one thread, which fills it with
// records from its start. Both sides map the file, so that what is recorded is
// there however the program ends.
//
// Records are Begin, End and Text. Texts are said once in a while and then
// named by their hash. Times are CLOCK_MONOTONIC's, in nanoseconds.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_TRACEFILE_H
#define FERRY_RUNTIME_TRACEFILE_H

#include <atomic>
#include <cstdint>

namespace ferry::trace {

constexpr uint64_t Magic = 0x3145434152544652; // "RFTRACE1"
constexpr uint64_t HeaderBytes = 4096, ChunkBytes = 65536;

/// Longer texts are cut.
constexpr uint64_t MostText = 16384;

/// One file per process and copy of libferry in it.
struct Header {
  std::atomic<uint64_t> Magic; ///< written last
  uint64_t Start;              ///< of the program, as far as libferry saw it
  /// The process, and which of the programs that it has executed.
  uint32_t Process;
  uint8_t Execution[16];
  std::atomic<uint32_t> Chunks; ///< including those that found no room
  /// Recording ended early: the disk was full.
  std::atomic<uint32_t> Stopped;
  /// Done so far, for who watches.
  std::atomic<uint64_t> Launches, BytesToDevice, BytesToHost;
  char Program[3072]; ///< path; ends with 0
};
static_assert(sizeof(Header) <= HeaderBytes);

struct Chunk {
  std::atomic<uint32_t> Used; ///< bytes, the chunk's head included
  /// Threads are counted per file; a thread's number of the system may be given
  /// to another one later.
  uint32_t Writer;
  int32_t Thread;
  uint32_t Reserved;
  char ThreadName[16];
};

enum class RecordKind : uint32_t {
  Unfinished, ///< the program ended, or the host died, while it was written
  Text,
  Launch, ///< Begin
  Action, ///< Begin
  End
};

/// Multiples of eight bytes.
struct Record {
  uint32_t Size;
  std::atomic<RecordKind> Kind; ///< written last
};

struct TextRecord : Record {
  uint64_t Id, Length;
  // the characters
};

/// What happens inside of a launch, or beside it.
enum class ActionKind : uint32_t {
  Prepare,  ///< a device gets ready for the program's kernels
  Allocate, ///< device memory
  ToDevice, ///< a copy
  ToHost,
  Kernel
};

/// What begins ends in the same thread, and before what has begun earlier.
struct BeginRecord : Record {
  uint64_t Time, Number; ///< Number: of the thread's Begins
};

struct LaunchRecord : BeginRecord {
  uint64_t Kernel, File; ///< texts
  uint64_t Line, Column;
  uint64_t Extent[3], Block[3];
  uint32_t IsBlocks;
  uint32_t Reserved;
};

struct ActionRecord : BeginRecord {
  ActionKind What;
  uint32_t Reserved;
  uint64_t Device, Name; ///< texts
  uint64_t Bytes;
};

struct EndRecord : Record {
  uint64_t Time, Number;
  uint64_t Error; ///< text; 0: none
};

} // namespace ferry::trace

#endif // FERRY_RUNTIME_TRACEFILE_H
