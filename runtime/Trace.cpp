//===- Trace.cpp - Records what the program does --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records go into a file in the directory that FERRY_TRACE names (TraceFile.h),
// which is mapped: what a thread has written is the system's, and stays when
// the program crashes, calls _exit or is killed. A thread takes a chunk of the
// file, fills it and takes the next. So threads share nothing but the number of
// chunks, and an event costs no system call but once in some hundred.
//
// Room on the disk is reserved before a chunk is mapped, as a store that finds
// the disk full would kill the program. The file is opened for each chunk and
// closed, since programs close descriptors that they don't know, and use their
// numbers again.
//
// A forked child starts a file of its own with the first thing that it does.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Launch.h"
#include "Process.h"
#include "Sync.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ferry::rt {

using namespace trace;

constinit std::atomic<bool> TraceOn{false};

static constinit Lock FileLock;
static const char *Directory = nullptr;
/// Where the program starts, or the child is forked.
static uint64_t StartTime = 0;
static char FilePath[4096];
static constinit std::atomic<Header *> File{nullptr};

static uint64_t now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000 + T.tv_nsec;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Nothing more is recorded. The program goes on.
static void stop(const char *Path, int Error) {
  if (!TraceOn.exchange(false))
    return;
  if (Header *H = File.load())
    H->Stopped.store(1);
  fprintf(stderr, "ferry: the trace ends here: %s: %s\n", Path,
          strerror(Error));
}

/// Maps a part of the file, after making sure that the disk has room for it.
/// Null, with errno, on failure.
static void *mapPart(const char *Path, int Flags, uint64_t At, uint64_t Bytes) {
  int Descriptor;
  do
    Descriptor = open(Path, O_RDWR | O_CLOEXEC | Flags, 0600);
  while (Descriptor < 0 && errno == EINTR);
  if (Descriptor < 0)
    return nullptr;
  int Error;
  do
    Error = posix_fallocate(Descriptor, At, Bytes);
  while (Error == EINTR);
  void *Memory = MAP_FAILED;
  if (!Error) {
    Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                  Descriptor, At);
    Error = errno;
  }
  close(Descriptor);
  errno = Error;
  return Memory == MAP_FAILED ? nullptr : Memory;
}

static void fillHeader(Header &H) {
  H.Start = StartTime;
  H.Process = getpid();
  if (auto *Random = reinterpret_cast<void *>(getauxval(AT_RANDOM)))
    memcpy(H.Execution, Random, sizeof(H.Execution));
  if (readlink("/proc/self/exe", H.Program, sizeof(H.Program) - 1) < 0)
    strcpy(H.Program, "a program");
  H.Magic.store(Magic, std::memory_order_release);
}

/// The process's file. Null when there can't be one.
static Header *file() {
  if (Header *H = File.load(std::memory_order_acquire))
    return H;
  Guard G(FileLock);
  if (Header *H = File.load())
    return H;
  // Other copies of libferry in this process have files, too, and so may
  // programs that it has been before.
  void *Memory = nullptr;
  for (unsigned I = 0; !Memory; ++I) {
    if (size_t(snprintf(FilePath, sizeof(FilePath), "%s/%d.%u", Directory,
                        int(getpid()), I)) >= sizeof(FilePath))
      errno = ENAMETOOLONG;
    else
      Memory = mapPart(FilePath, O_CREAT | O_EXCL, 0, HeaderBytes);
    if (!Memory && errno != EEXIST) {
      stop(FilePath, errno);
      return nullptr;
    }
  }
  auto *H = new (Memory) Header;
  fillHeader(*H);
  File.store(H, std::memory_order_release);
  return H;
}

//===----------------------------------------------------------------------===//
// A thread's chunk
//===----------------------------------------------------------------------===//

namespace {
struct Writer {
  uint32_t Number; ///< in the file
  uint64_t Begun = 0;
  trace::Chunk *Chunk = nullptr;
  /// Texts that the file has, by their last bits.
  static constexpr unsigned KnownTexts = 128;
  uint64_t Known[KnownTexts] = {};
};
} // namespace

static thread_local Writer *Mine = nullptr;
static constinit std::atomic<uint32_t> Writers{0};
static pthread_key_t EndWithThread;
static pthread_once_t EndWithThreadOnce = PTHREAD_ONCE_INIT;

static void endWriter(void *) {
  if (!Mine)
    return;
  if (Mine->Chunk)
    munmap(Mine->Chunk, ChunkBytes);
  free(Mine);
  Mine = nullptr;
}

static Writer *writer() {
  if (Mine)
    return Mine;
  void *Memory = malloc(sizeof(Writer));
  if (!Memory) {
    stop("malloc", errno);
    return nullptr;
  }
  Mine = new (Memory) Writer;
  Mine->Number = Writers.fetch_add(1, std::memory_order_relaxed);
  pthread_once(&EndWithThreadOnce, [] {
    pinLibrary(); // threads that end call endWriter
    pthread_key_create(&EndWithThread, endWriter);
  });
  pthread_setspecific(EndWithThread, Mine);
  return Mine;
}

static bool nextChunk(Writer &W) {
  Header *H = file();
  if (!H)
    return false;
  if (W.Chunk)
    munmap(W.Chunk, ChunkBytes);
  uint64_t I = H->Chunks.fetch_add(1, std::memory_order_relaxed);
  void *Memory = mapPart(FilePath, 0, HeaderBytes + I * ChunkBytes, ChunkBytes);
  W.Chunk = static_cast<Chunk *>(Memory);
  if (!Memory) {
    stop(FilePath, errno);
    return false;
  }
  W.Chunk->Writer = W.Number;
  W.Chunk->Thread = int32_t(syscall(SYS_gettid));
  prctl(PR_GET_NAME, W.Chunk->ThreadName);
  W.Chunk->Used.store(sizeof(Chunk), std::memory_order_release);
  return true;
}

/// Room for a record in the thread's chunk. A signal handler may come between
/// and record, too, so the room is taken at one stroke.
template <typename T> static T *reserve(Writer &W, uint64_t More = 0) {
  uint32_t Size = (sizeof(T) + More + 7) & ~uint64_t(7);
  while (true) {
    if (W.Chunk) {
      uint32_t At = W.Chunk->Used.fetch_add(Size, std::memory_order_relaxed);
      if (At + Size <= ChunkBytes) {
        auto *R = reinterpret_cast<T *>(reinterpret_cast<char *>(W.Chunk) + At);
        R->Size = Size;
        return R;
      }
    }
    if (!nextChunk(W))
      return nullptr;
  }
}

static void finish(Record &R, RecordKind Kind) {
  R.Kind.store(Kind, std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// FNV-1a, 64 bits. 0 stands for no text.
static uint64_t hashOf(const char *Chars, size_t Length) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (size_t I = 0; I < Length; ++I)
    Hash = (Hash ^ static_cast<unsigned char>(Chars[I])) * 0x100000001b3;
  return Hash ? Hash : 1;
}

static uint64_t textId(Writer &W, TraceName Text) {
  size_t Length = Text.Length < MostText ? Text.Length : MostText;
  uint64_t Id = hashOf(Text.Chars, Length);
  uint64_t &Known = W.Known[Id % Writer::KnownTexts];
  if (Known == Id)
    return Id;
  if (auto *R = reserve<TextRecord>(W, Length)) {
    R->Id = Id;
    R->Length = Length;
    if (Length) // without any the place may be null
      memcpy(R + 1, Text.Chars, Length);
    finish(*R, RecordKind::Text);
    Known = Id;
  }
  return Id;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void TraceScope::begin(const LaunchRequest &L) {
  // A launch that fails leaves a text of its own; errno is the program's.
  int Errno = errno;
  Writer *W = writer();
  if (!W)
    return;
  uint64_t Kernel = textId(*W, L.Kernel.name);
  uint64_t Source = textId(*W, {L.Place.file, L.Place.file_length});
  if (auto *R = reserve<LaunchRecord>(*W)) {
    R->Kernel = Kernel;
    R->File = Source;
    R->Line = L.Place.line;
    R->Column = L.Place.column;
    memcpy(R->Extent, L.Shape.extent, sizeof(R->Extent));
    memcpy(R->Block, L.Shape.block, sizeof(R->Block));
    R->IsBlocks = L.Kernel.shape == FERRY_BLOCKS;
    R->Number = Number = ++W->Begun;
    R->Time = now();
    finish(*R, RecordKind::Launch);
    File.load()->Launches.fetch_add(1, std::memory_order_relaxed);
  }
  errno = Errno;
}

void TraceScope::begin(ActionKind What, const char *Device, TraceName Name,
                       uint64_t Bytes) {
  int Errno = errno;
  Writer *W = writer();
  if (!W)
    return;
  uint64_t DeviceId = textId(*W, Device), NameId = textId(*W, Name);
  if (auto *R = reserve<ActionRecord>(*W)) {
    R->What = What;
    R->Device = DeviceId;
    R->Name = NameId;
    R->Bytes = Bytes;
    R->Number = Number = ++W->Begun;
    R->Time = now();
    finish(*R, RecordKind::Action);
    Header &H = *File.load();
    if (What == ActionKind::ToDevice)
      H.BytesToDevice.fetch_add(Bytes, std::memory_order_relaxed);
    if (What == ActionKind::ToHost)
      H.BytesToHost.fetch_add(Bytes, std::memory_order_relaxed);
  }
  errno = Errno;
}

void TraceScope::end() {
  int Errno = errno;
  uint64_t Time = now();
  // A kernel may fork on cpu: the child's copy of the scope has no beginning.
  if (Writer *W = tracing() ? Mine : nullptr) {
    uint64_t Error = Failed ? textId(*W, ferry_last_error()) : 0;
    if (auto *R = reserve<EndRecord>(*W)) {
      R->Time = Time;
      R->Number = Number;
      R->Error = Error;
      finish(*R, RecordKind::End);
    }
  }
  errno = Errno;
}

//===----------------------------------------------------------------------===//
// Start and fork
//===----------------------------------------------------------------------===//

/// The mappings are shared with the parent, and its file is not ours.
static void forgetFile() {
  if (Header *H = File.load())
    munmap(H, HeaderBytes);
  File.store(nullptr);
  FileLock.reset();
  Writers.store(0);
  endWriter(nullptr);
  StartTime = now();
}

void startTracing() {
  // Not for programs that have more rights than who starts them.
  const char *Wanted = secure_getenv("FERRY_TRACE");
  if (Directory || !Wanted || !*Wanted)
    return;
  StartTime = now();
  Directory = strdup(Wanted);
  if (!Directory || pthread_atfork(nullptr, nullptr, forgetFile) != 0) {
    fprintf(stderr, "ferry: no trace: the host has no memory left\n");
    return;
  }
  TraceOn.store(true);
  file();
}

} // namespace ferry::rt
