//===- Streams.cpp - Work that the program does not wait for --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each stream is a thread and a queue. libomptarget has launches of its own
// that don't wait (__tgt_target_kernel_nowait), but its host plugin, and so
// virtual devices, runs them at once; for GPUs it would have OpenMP's hidden
// helper threads wait. Calls from different threads overlap on every device,
// and a thread is needed anyway for what a launch does on the host, before and
// after.
//
// A launch that is given to a stream has left the compiler's sight: what the
// compiler keeps on devices of its buffers comes home first and is memory like
// any other from then on, so that no announcement of the host's accesses is
// about it while the stream uses it. Residents (Residents.cpp) stay.
//
// Streams are never freed but used again, and they count their work from the
// beginning. So an event is a number, and those of streams that are gone have
// happened.
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "Devices.h"
#include "Regions.h"
#include "Sync.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace ferry::rt {

namespace {

struct Task {
  enum : uint8_t { Launch, ToHost, ToDevice, After } What;
  Task *Next = nullptr;
  // A launch; the arrays and what raw bytes are in follow the task.
  const ferry_launch_site *Site = nullptr;
  ferry_launch_shape Shape = {};
  ferry_source_place Place = {};
  uint64_t *Values = nullptr, *Bytes = nullptr;
  unsigned FloatControl = 0; ///< of the thread that gave it
  // A copy.
  Range Copied;
  uint64_t Resident = 0;
  bool Written = false; ///< by the host
  Device *On = nullptr;
  // An event of another stream.
  uint32_t Other = 0;
  uint64_t Event = 0;
};

struct Stream {
  Lock Mutex;
  std::atomic<uint32_t> Changes{0};
  uint32_t Waiters = 0; ///< for the next change
  Task *First = nullptr, **Last = &First;
  uint64_t Given = 0, Done = 0;
  /// The first failure that nobody has been told, and what it was.
  int Status = FERRY_STATUS_OK;
  uint64_t FailedAt = 0;
  char *Reason = nullptr;
  int32_t Device = -1;
  pthread_t Thread;
  pid_t Process = 0; ///< 0: nobody has it
  bool Ending = false;
};

} // namespace

static constexpr uint32_t MostStreams = 4096;
static constinit Lock StreamsLock;
static constinit std::atomic<Stream *> Streams[MostStreams] = {};

static Stream *find(uint32_t Number) {
  return Number && Number <= MostStreams
             ? Streams[Number - 1].load(std::memory_order_acquire)
             : nullptr;
}

/// With the stream's lock held.
static void wake(Stream &S) {
  S.Changes.fetch_add(1);
  if (S.Waiters)
    futexWake(&S.Changes, INT_MAX);
}

/// The failure that nobody has been told becomes this thread's own.
static int failAs(const Stream &S) {
  const char *Reason = S.Reason ? S.Reason : "the host has no memory left";
  return ferry_fail(S.Status, Reason, strlen(Reason));
}

/// With the stream's lock held.
static void waitForChange(Stream &S) {
  uint32_t Seen = S.Changes.load();
  ++S.Waiters;
  S.Mutex.unlock();
  futexWait(&S.Changes, Seen);
  S.Mutex.lock();
  --S.Waiters;
}

static int failStream(int Status, const char *What) {
  Text T;
  return fail(Status, T.add("stream: %s", What));
}

/// A child has the memory of its parent's streams, and not their threads.
static int failForked() {
  return failStream(FERRY_STATUS_LAUNCH_FAILED,
                    "made before this process was forked, and its parent's");
}

static bool isForked(const Stream &S) {
  return S.Process && S.Process != getpid();
}

//===----------------------------------------------------------------------===//
// The stream's thread
//===----------------------------------------------------------------------===//

/// Waits for an event, and gives the failure before it. With no lock held.
static int waitForEvent(Stream &S, uint64_t Event) {
  if (isForked(S))
    return failForked();
  Guard G(S.Mutex);
  while (S.Done < Event)
    waitForChange(S);
  if (S.Status && S.FailedAt <= Event)
    return failAs(S);
  return FERRY_STATUS_OK;
}

static int runTask(Task &T) {
  switch (T.What) {
  case Task::Launch: {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(T.FloatControl);
#endif
    LaunchRequest L{*T.Site->kernel, *T.Site, T.Shape, T.Place,
                    T.Values,        T.Bytes, {}};
    return runLaunch(L);
  }
  case Task::ToHost:
    bringResidentHome(T.Copied, T.Resident);
    return FERRY_STATUS_OK;
  case Task::ToDevice:
    return bringResidentTo(*T.On, T.Copied, T.Resident, T.Written);
  case Task::After:
    return waitForEvent(*find(T.Other), T.Event);
  }
  return FERRY_STATUS_OK;
}

static void *runStream(void *Memory) {
  Stream &S = *static_cast<Stream *>(Memory);
  prctl(PR_SET_NAME, "ferry stream");
  S.Mutex.lock();
  while (true) {
    Task *T = S.First;
    if (!T && S.Ending)
      break;
    if (!T) {
      waitForChange(S);
      continue;
    }
    S.First = T->Next;
    if (!S.First)
      S.Last = &S.First;
    bool LeftOut = S.Status != FERRY_STATUS_OK;
    S.Mutex.unlock();
    int Status = LeftOut ? FERRY_STATUS_OK : runTask(*T);
    free(T);
    S.Mutex.lock();
    ++S.Done;
    if (Status) {
      S.Status = Status;
      S.FailedAt = S.Done;
      S.Reason = strdup(ferry_last_error());
    }
    wake(S);
  }
  S.Mutex.unlock();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Giving it work
//===----------------------------------------------------------------------===//

/// Null, with the error told, when there is no memory.
static Task *newTask(decltype(Task::What) What, size_t More = 0) {
  void *Memory = malloc(sizeof(Task) + More);
  if (!Memory) {
    failStream(FERRY_STATUS_OUT_OF_MEMORY, "the host has no memory left");
    return nullptr;
  }
  auto *T = new (Memory) Task;
  T->What = What;
  return T;
}

static int give(Stream &S, Task &T) {
  Guard G(S.Mutex);
  *S.Last = &T;
  S.Last = &T.Next;
  ++S.Given;
  wake(S);
  return FERRY_STATUS_OK;
}

/// The stream that may be given work, or null with the error told.
static Stream *usable(uint32_t Number, int &Status) {
  Stream *S = find(Number);
  Status = FERRY_STATUS_OK;
  if (!S || !S->Process)
    Status = failStream(FERRY_STATUS_INVALID_ARGUMENT, "it has ended");
  else if (isForked(*S))
    Status = failForked();
  return Status ? nullptr : S;
}

static uint64_t roundedUp(uint64_t Bytes) {
  return (Bytes + 15) & ~uint64_t(15);
}

int giveToStream(LaunchRequest &L) {
  int Status;
  Stream *S = usable(streamOf(L.Shape), Status);
  if (!S)
    return Status;
  Status = checkBuffers(L);
  if (Status)
    return Status;
  auto Number = int32_t(uint32_t(L.Shape.device));
  Text Why;
  Device *D =
      findDevice(L.Kernel.module, Number == -1 ? S->Device : Number, Why);
  if (!D) {
    Text T;
    addLaunch(T, L.Kernel, L.Place);
    return fail(FERRY_STATUS_NO_DEVICE, T.add("%s", Why.chars()));
  }

  uint32_t Slots = L.Site.num_slots;
  uint64_t More = roundedUp(2 * Slots * sizeof(uint64_t));
  auto IsRaw = [&](uint32_t I) {
    return L.Site.slots[I].flags & FERRY_SLOT_BYTES;
  };
  for (uint32_t I = 0; I < Slots; ++I)
    if (IsRaw(I))
      More += roundedUp(L.Bytes[I]);
  Task *T = newTask(Task::Launch, More);
  if (!T)
    return FERRY_STATUS_OUT_OF_MEMORY;
  T->Site = &L.Site;
  T->Shape = L.Shape;
  T->Shape.device = D->Index;
  T->Place = L.Place;
#if defined(__x86_64__)
  T->FloatControl = __builtin_ia32_stmxcsr();
#endif
  char *Room = reinterpret_cast<char *>(T + 1);
  T->Values = reinterpret_cast<uint64_t *>(Room);
  T->Bytes = T->Values + Slots;
  Room += roundedUp(2 * Slots * sizeof(uint64_t));
  std::copy_n(L.Values, Slots, T->Values);
  std::copy_n(L.Bytes, Slots, T->Bytes);
  for (uint32_t I = 0; I < Slots; ++I) {
    if (IsRaw(I)) {
      memcpy(Room, reinterpret_cast<void *>(L.Values[I]), L.Bytes[I]);
      T->Values[I] = reinterpret_cast<uint64_t>(Room);
      Room += roundedUp(L.Bytes[I]);
    } else if (L.Site.slots[I].flags) {
      leaveAlone({L.Values[I], L.Values[I] + L.Bytes[I]});
    }
  }
  return give(*S, *T);
}

static int giveCopy(uint32_t Number, decltype(Task::What) What,
                    const void *Pointer, uint64_t Bytes, uint64_t Id,
                    bool Written) {
  int Status;
  Stream *S = usable(Number, Status);
  if (!S || Bytes == 0 || Id == 0)
    return Status;
  Text Why;
  Device *D = findDevice(nullptr, S->Device, Why);
  if (!D)
    return failStream(FERRY_STATUS_NO_DEVICE, Why.chars());
  Task *T = newTask(What);
  if (!T)
    return FERRY_STATUS_OUT_OF_MEMORY;
  uint64_t Begin = reinterpret_cast<uint64_t>(Pointer);
  T->Copied = {Begin, Begin + Bytes};
  T->Resident = Id;
  T->Written = Written;
  T->On = D;
  return give(*S, *T);
}

} // namespace ferry::rt

using namespace ferry::rt;

//===----------------------------------------------------------------------===//
// For front ends
//===----------------------------------------------------------------------===//

extern "C" int ferry_stream_create(int32_t Number, uint32_t *Result) {
  if (Number != -1) {
    Text Why;
    if (!findDevice(nullptr, Number, Why))
      return failStream(FERRY_STATUS_NO_DEVICE, Why.chars());
  }
  Guard G(StreamsLock);
  uint32_t I = 0;
  Stream *S = nullptr;
  while (I < MostStreams && (S = Streams[I].load()) && S->Process)
    ++I;
  if (I == MostStreams)
    return failStream(FERRY_STATUS_OUT_OF_MEMORY,
                      "there are 4096 already, the most that can be");
  if (!S) {
    void *Memory = malloc(sizeof(Stream));
    if (!Memory)
      return failStream(FERRY_STATUS_OUT_OF_MEMORY,
                        "the host has no memory left");
    S = new (Memory) Stream;
    Streams[I].store(S, std::memory_order_release);
  }
  S->Device = Number;
  S->Ending = false;
  if (pthread_create(&S->Thread, nullptr, runStream, S) != 0)
    return failStream(FERRY_STATUS_OUT_OF_MEMORY,
                      "the host has no thread left");
  S->Process = getpid();
  *Result = I + 1;
  return FERRY_STATUS_OK;
}

extern "C" int ferry_stream_wait(uint32_t Number) {
  int Status;
  Stream *S = usable(Number, Status);
  if (!S)
    return Status;
  Guard G(S->Mutex);
  uint64_t All = S->Given;
  while (S->Done < All)
    waitForChange(*S);
  if (!S->Status)
    return FERRY_STATUS_OK;
  Status = failAs(*S);
  free(S->Reason);
  S->Reason = nullptr;
  S->Status = FERRY_STATUS_OK;
  return Status;
}

extern "C" void ferry_stream_destroy(uint32_t Number) {
  int Status;
  Stream *S = usable(Number, Status);
  if (!S) // the parent's
    return;
  if (ferry_stream_wait(Number))
    fprintf(stderr, "ferry: a stream ended that nobody waited for: %s\n",
            ferry_last_error());
  {
    Guard G(S->Mutex);
    S->Ending = true;
    wake(*S);
  }
  pthread_join(S->Thread, nullptr);
  Guard G(StreamsLock);
  S->Process = 0;
}

extern "C" uint64_t ferry_stream_event(uint32_t Number) {
  Stream *S = find(Number);
  if (!S || isForked(*S))
    return 0;
  Guard G(S->Mutex);
  return S->Given;
}

extern "C" int ferry_event_done(uint32_t Number, uint64_t Event) {
  Stream *S = find(Number);
  if (!S || isForked(*S))
    return 0;
  Guard G(S->Mutex);
  return S->Done >= Event;
}

extern "C" int ferry_event_wait(uint32_t Number, uint64_t Event) {
  Stream *S = find(Number);
  return S ? waitForEvent(*S, Event) : FERRY_STATUS_OK;
}

extern "C" int ferry_stream_after(uint32_t Number, uint32_t Other,
                                  uint64_t Event) {
  int Status;
  Stream *S = usable(Number, Status);
  if (!S || !find(Other))
    return Status;
  Task *T = newTask(Task::After);
  if (!T)
    return FERRY_STATUS_OUT_OF_MEMORY;
  T->Other = Other;
  T->Event = Event;
  return give(*S, *T);
}

extern "C" int ferry_stream_to_host(uint32_t Number, const void *Pointer,
                                    uint64_t Bytes, uint64_t Id) {
  return giveCopy(Number, Task::ToHost, Pointer, Bytes, Id, false);
}

extern "C" int ferry_stream_to_device(uint32_t Number, const void *Pointer,
                                      uint64_t Bytes, uint64_t Id,
                                      int Written) {
  return giveCopy(Number, Task::ToDevice, Pointer, Bytes, Id, Written != 0);
}
