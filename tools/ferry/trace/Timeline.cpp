//===- Timeline.cpp - Reads what libferry recorded ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps. Each file (runtime/TraceFile.h) becomes a list of events per
// thread, by matching Ends with Begins. Files of one process are put together.
// Then lanes are made of the events: a host thread has its launches, with
// allocations inside and "host" between; kernels and copies go to their device,
// which has as many lanes as it does things at a time.
//
// A file may end anywhere, since its program may have been killed. What has
// begun and not ended is shown up to the program's end. Nor is the content
// trusted, since what kills a program may be that it writes anywhere.
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "TraceFile.h"
#include <algorithm>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ferry::trace {

/// Lanes of devices are numbered from here, above the system's numbers of
/// threads.
static constexpr int64_t FirstDeviceLane = 10'000'000;

/// More than any device has.
static constexpr uint64_t MostBytes = uint64_t(1) << 47;

/// The end of an event whose end was not recorded.
static constexpr uint64_t NotEnded = ~uint64_t(0);

const char *nameOf(EventKind Kind) {
  static constexpr const char *Names[NumEventKinds] = {
      "host",      "launch",  "prepare", "allocate",
      "to-device", "to-host", "kernel"};
  return Names[static_cast<unsigned>(Kind)];
}

static std::string list(const uint64_t *Values) {
  unsigned N = Values[2] != 1 ? 3 : Values[1] != 1 ? 2 : 1;
  return fmt::format("({})", fmt::join(Values, Values + N, ", "));
}

std::string LaunchInfo::shape() const {
  if (!IsBlocks)
    return "over" + list(Extent);
  return "blocks" + list(Extent) + ".threads" + list(Block);
}

std::string LaunchInfo::place() const {
  return File->empty() ? "unknown"
                       : fmt::format("{}:{}:{}", *File, Line, Column);
}

std::string Process::name() const {
  return fmt::format("{} ({})", fs::path(Program).filename().string(), Number);
}

//===----------------------------------------------------------------------===//
// A file
//===----------------------------------------------------------------------===//

namespace {
/// A file of libferry's, mapped.
class MappedFile {
public:
  explicit MappedFile(const fs::path &Path) {
    int Descriptor = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat Status;
    if (Descriptor >= 0 && fstat(Descriptor, &Status) == 0 &&
        uint64_t(Status.st_size) >= HeaderBytes) {
      Memory =
          mmap(nullptr, Status.st_size, PROT_READ, MAP_SHARED, Descriptor, 0);
      Size = Status.st_size;
    }
    if (Descriptor >= 0)
      close(Descriptor);
  }
  ~MappedFile() {
    if (Memory != MAP_FAILED)
      munmap(Memory, Size);
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  /// Null while the file is being made, or when it isn't one of libferry's.
  const Header *header() const {
    if (Memory == MAP_FAILED)
      return nullptr;
    auto *H = static_cast<const Header *>(Memory);
    return H->Magic.load(std::memory_order_acquire) == Magic ? H : nullptr;
  }

  unsigned numChunks() const {
    return std::min<uint64_t>(header()->Chunks.load(),
                              (Size - HeaderBytes) / ChunkBytes);
  }
  const Chunk &chunk(unsigned I) const {
    return *reinterpret_cast<const Chunk *>(static_cast<char *>(Memory) +
                                            HeaderBytes + I * ChunkBytes);
  }

private:
  void *Memory = MAP_FAILED;
  size_t Size = 0;
};

/// A thread of the host while it is read.
struct Thread {
  std::string Name;
  std::vector<Event> Events; ///< in the order of their starts
};

struct OpenEvent {
  uint64_t Number;
  size_t Index; ///< in the thread's events
};

/// A process, whose threads are known by the system's numbers.
struct RawProcess {
  std::string Program;
  uint32_t Number;
  uint64_t Start, End;
  std::map<int32_t, Thread> Threads;
};

class FileReader {
public:
  FileReader(const MappedFile &File, Timeline &T, RawProcess &P)
      : File(File), T(T), P(P) {}

  void read() {
    forEachRecord([&](const Chunk &, const Record &R, RecordKind Kind) {
      if (Kind != RecordKind::Text)
        return;
      auto &Text = static_cast<const TextRecord &>(R);
      if (Text.Length > R.Size - sizeof(TextRecord))
        return;
      const char *Chars = reinterpret_cast<const char *>(&Text + 1);
      Texts[Text.Id] = &*T.Texts.emplace(Chars, Text.Length).first;
    });
    forEachRecord([&](const Chunk &C, const Record &R, RecordKind Kind) {
      readEvent(C, R, Kind);
    });
  }

private:
  static size_t leastSize(RecordKind Kind) {
    switch (Kind) {
    case RecordKind::Unfinished:
      return sizeof(Record);
    case RecordKind::Text:
      return sizeof(TextRecord);
    case RecordKind::Launch:
      return sizeof(LaunchRecord);
    case RecordKind::Action:
      return sizeof(ActionRecord);
    case RecordKind::End:
      return sizeof(EndRecord);
    }
    return ChunkBytes + 1; // no record is as large
  }

  template <typename F> void forEachRecord(F Do) {
    for (unsigned I = 0, N = File.numChunks(); I != N; ++I) {
      const Chunk &C = File.chunk(I);
      uint64_t Used = std::min<uint64_t>(C.Used.load(), ChunkBytes);
      for (uint64_t At = sizeof(Chunk); At + sizeof(Record) <= Used;) {
        auto &R = *reinterpret_cast<const Record *>(
            reinterpret_cast<const char *>(&C) + At);
        if (R.Size < sizeof(Record) || R.Size % 8 || At + R.Size > Used)
          break;
        RecordKind Kind = R.Kind.load(std::memory_order_acquire);
        if (R.Size >= leastSize(Kind))
          Do(C, R, Kind);
        At += R.Size;
      }
    }
  }

  TextRef text(uint64_t Id) {
    auto Found = Texts.find(Id);
    return Found != Texts.end() ? Found->second : &*T.Texts.emplace("").first;
  }

  void readEvent(const Chunk &C, const Record &R, RecordKind Kind) {
    if (Kind != RecordKind::Launch && Kind != RecordKind::Action &&
        Kind != RecordKind::End)
      return;
    Thread &Of = P.Threads[C.Thread];
    Of.Name.assign(C.ThreadName, strnlen(C.ThreadName, sizeof(C.ThreadName)));
    std::vector<OpenEvent> &Open = OpenEvents[C.Writer];
    if (Kind == RecordKind::End) {
      auto &End = static_cast<const EndRecord &>(R);
      if (follows(C.Writer, End.Time))
        end(End, Open, Of.Events);
      return;
    }
    auto &Begin = static_cast<const BeginRecord &>(R);
    if (!follows(C.Writer, Begin.Time))
      return;
    if (Kind == RecordKind::Action &&
        static_cast<const ActionRecord &>(R).Bytes > MostBytes)
      return;
    Event E = Kind == RecordKind::Launch
                  ? launch(static_cast<const LaunchRecord &>(R))
                  : action(static_cast<const ActionRecord &>(R), Open, Of);
    E.Start = Begin.Time;
    E.End = NotEnded;
    E.Unfinished = true;
    P.End = std::max(P.End, E.Start);
    Open.push_back({Begin.Number, Of.Events.size()});
    Of.Events.push_back(E);
  }

  Event launch(const LaunchRecord &R) {
    LaunchInfo L{};
    L.Kernel = text(R.Kernel);
    L.File = text(R.File);
    L.Line = R.Line;
    L.Column = R.Column;
    std::ranges::copy(R.Extent, L.Extent);
    std::ranges::copy(R.Block, L.Block);
    L.IsBlocks = R.IsBlocks != 0;
    T.Launches.push_back(L);
    Event E{};
    E.Kind = EventKind::Launch;
    E.Launch = T.Launches.size() - 1;
    E.Name = L.Kernel;
    return E;
  }

  Event action(const ActionRecord &R, const std::vector<OpenEvent> &Open,
               const Thread &Of) {
    static constexpr EventKind Kinds[] = {
        EventKind::Prepare, EventKind::Allocate, EventKind::ToDevice,
        EventKind::ToHost, EventKind::Kernel};
    Event E{};
    E.Kind = Kinds[static_cast<unsigned>(R.What) % std::size(Kinds)];
    E.Launch =
        Open.empty() ? Event::NoLaunch : Of.Events[Open.back().Index].Launch;
    E.Name = text(R.Name);
    E.Device = text(R.Device);
    E.Bytes = R.Bytes;
    if (E.Launch != Event::NoLaunch) {
      LaunchInfo &L = T.Launches[E.Launch];
      if (!E.Device->empty())
        L.Device = E.Device;
      if (E.Kind == EventKind::ToDevice)
        L.BytesToDevice += E.Bytes;
      if (E.Kind == EventKind::ToHost)
        L.BytesToHost += E.Bytes;
    }
    return E;
  }

  void end(const EndRecord &R, std::vector<OpenEvent> &Open,
           std::vector<Event> &Events) {
    auto Same = [&](const OpenEvent &O) { return O.Number == R.Number; };
    auto Begin = std::ranges::find_if(Open, Same);
    if (Begin == Open.end())
      return;
    // What began later and never ended was left by a longjmp.
    for (auto I = Begin; I != Open.end(); ++I) {
      Events[I->Index].End = R.Time;
      Events[I->Index].Unfinished = I != Begin;
    }
    Event &E = Events[Begin->Index];
    if (R.Error && E.Launch != Event::NoLaunch)
      T.Launches[E.Launch].Error = text(R.Error);
    P.End = std::max(P.End, R.Time);
    Open.erase(Begin, Open.end());
  }

  /// In a thread time goes on, up to now.
  bool follows(uint32_t Writer, uint64_t Time) {
    uint64_t &Last =
        LastTime.try_emplace(Writer, File.header()->Start).first->second;
    if (Time < Last || Time > Now)
      return false;
    Last = Time;
    return true;
  }

  static uint64_t now() {
    timespec T;
    clock_gettime(CLOCK_MONOTONIC, &T);
    return uint64_t(T.tv_sec) * 1'000'000'000 + T.tv_nsec;
  }

  const MappedFile &File;
  Timeline &T;
  RawProcess &P;
  const uint64_t Now = now();
  std::map<uint64_t, TextRef> Texts;
  std::map<uint32_t, uint64_t> LastTime;
  std::map<uint32_t, std::vector<OpenEvent>> OpenEvents;
};
} // namespace

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Events that start together stay as they are: the outer one is first.
static void sortByStart(std::vector<Event> &Events) {
  if (std::ranges::is_sorted(Events, {}, &Event::Start))
    return;
  std::vector<std::pair<uint64_t, size_t>> Order;
  Order.reserve(Events.size());
  for (size_t I = 0; I < Events.size(); ++I)
    Order.emplace_back(Events[I].Start, I);
  std::ranges::sort(Order);
  std::vector<Event> Sorted;
  Sorted.reserve(Events.size());
  for (const auto &[Start, I] : Order)
    Sorted.push_back(Events[I]);
  Events = std::move(Sorted);
}

static bool isOnDevice(const Event &E) {
  return E.Kind == EventKind::ToDevice || E.Kind == EventKind::ToHost ||
         E.Kind == EventKind::Kernel;
}

static Event hostWork(TextRef Name, uint64_t Start, uint64_t End) {
  Event E{};
  E.Kind = EventKind::Host;
  E.Start = Start;
  E.End = End;
  E.Launch = Event::NoLaunch;
  E.Name = Name;
  return E;
}

/// Fills the gaps between launches from `Start` to `End`, and counts what is
/// around each event.
static std::vector<Event> withHostWork(const std::vector<Event> &Events,
                                       TextRef Name, uint64_t Start,
                                       uint64_t End) {
  std::vector<Event> Result;
  std::vector<uint64_t> Around; // ends
  uint64_t Done = Start;
  for (Event E : Events) {
    while (!Around.empty() && Around.back() <= E.Start)
      Around.pop_back();
    if (Around.empty() && E.Start > Done)
      Result.push_back(hostWork(Name, Done, E.Start));
    E.Depth = Around.size();
    Around.push_back(E.End);
    Done = std::max(Done, E.End);
    Result.push_back(E);
  }
  if (End > Done)
    Result.push_back(hostWork(Name, Done, End));
  return Result;
}

static Lane hostLane(Timeline &T, const Process &P, int32_t Number,
                     const Thread &Of) {
  std::vector<Event> Events;
  for (const Event &E : Of.Events)
    if (!isOnDevice(E))
      Events.push_back(E);
  bool IsMain = uint32_t(Number) == P.Number;
  uint64_t Start = P.Start, End = P.End;
  if (!IsMain && !Events.empty()) {
    Start = Events.front().Start;
    End = 0;
    for (const Event &E : Events)
      End = std::max(End, E.End);
  }
  TextRef Host = &*T.Texts.emplace("host").first;
  return {IsMain ? "main thread" : fmt::format("{} {}", Of.Name, Number),
          Number, false, withHostWork(Events, Host, Start, End)};
}

/// What the devices did, in as many lanes as it takes that nothing overlaps.
static void addDeviceLanes(Process &P, const RawProcess &Raw) {
  std::map<std::string, std::vector<Event>> OfDevice;
  for (const auto &[Number, Of] : Raw.Threads)
    for (const Event &E : Of.Events)
      if (isOnDevice(E))
        OfDevice[*E.Device].push_back(E);
  for (auto &[Device, Events] : OfDevice) {
    sortByStart(Events);
    size_t First = P.Lanes.size();
    for (const Event &E : Events) {
      size_t I = First;
      while (I != P.Lanes.size() && P.Lanes[I].Events.back().End > E.Start)
        ++I;
      if (I == P.Lanes.size()) {
        std::string Name = Device;
        if (I != First)
          Name += fmt::format(" ({})", I - First + 1);
        P.Lanes.push_back({Name, FirstDeviceLane + int64_t(I), true, {}});
      }
      P.Lanes[I].Events.push_back(E);
    }
  }
}

static Process makeProcess(Timeline &T, RawProcess &Raw) {
  // The main thread's work is seen even if others launch.
  Raw.Threads[int32_t(Raw.Number)];
  for (auto &[Number, Of] : Raw.Threads) {
    for (Event &E : Of.Events)
      if (E.End == NotEnded)
        E.End = std::max(Raw.End, E.Start);
    sortByStart(Of.Events);
  }
  Process P{Raw.Number, Raw.Program, Raw.Start, Raw.End, {}};
  P.Lanes.push_back(
      hostLane(T, P, int32_t(Raw.Number), Raw.Threads[int32_t(Raw.Number)]));
  for (const auto &[Number, Of] : Raw.Threads)
    if (uint32_t(Number) != Raw.Number)
      P.Lanes.push_back(hostLane(T, P, Number, Of));
  addDeviceLanes(P, Raw);
  return P;
}

/// Times from here on count from the first process's start.
static void startAtZero(Timeline &T) {
  uint64_t Zero = ~uint64_t(0);
  for (const Process &P : T.Processes)
    Zero = std::min(Zero, P.Start);
  for (Process &P : T.Processes) {
    P.Start -= Zero;
    P.End -= Zero;
    T.End = std::max(T.End, P.End);
    for (Lane &L : P.Lanes)
      for (Event &E : L.Events) {
        E.Start -= Zero;
        E.End -= Zero;
      }
  }
}

/// A number may be used again, by a program that the process executes or by a
/// later process. Viewers want each once.
static void makeNumbersUnique(Timeline &T) {
  uint32_t Next = 0;
  for (const Process &P : T.Processes)
    Next = std::max(Next, P.Number + 1);
  std::map<uint32_t, unsigned> Seen;
  for (Process &P : T.Processes)
    if (Seen[P.Number]++)
      P.Number = Next++;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static std::vector<fs::path> filesIn(const fs::path &Directory) {
  std::vector<fs::path> Files;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Directory))
    Files.push_back(Entry.path());
  std::ranges::sort(Files);
  return Files;
}

Timeline readTimeline(const fs::path &Directory, const MainProcess &Main) {
  Timeline T;
  std::map<std::pair<uint32_t, std::string>, RawProcess> Raw;
  for (const fs::path &Path : filesIn(Directory)) {
    MappedFile File(Path);
    const Header *H = File.header();
    if (!H)
      continue;
    std::string Execution(reinterpret_cast<const char *>(H->Execution),
                          sizeof(H->Execution));
    auto [Found, IsNew] =
        Raw.try_emplace({H->Process, Execution}, RawProcess{});
    RawProcess &P = Found->second;
    if (IsNew)
      P = {std::string(H->Program, strnlen(H->Program, sizeof(H->Program))),
           H->Process,
           H->Start,
           H->Start,
           {}};
    P.Start = std::min(P.Start, H->Start);
    T.Stopped += H->Stopped.load();
    FileReader(File, T, P).read();
  }
  // Of the programs that the first process was, the last one saw its end.
  RawProcess *Last = nullptr;
  for (auto &[Key, P] : Raw)
    if (P.Number == Main.Number && (!Last || P.Start > Last->Start))
      Last = &P;
  if (Last)
    Last->End = std::max(Last->End, Main.End);
  for (auto &[Key, P] : Raw)
    T.Processes.push_back(makeProcess(T, P));
  std::ranges::sort(T.Processes, [](const Process &A, const Process &B) {
    return std::tie(A.Start, A.Number) < std::tie(B.Start, B.Number);
  });
  startAtZero(T);
  makeNumbersUnique(T);
  return T;
}

Progress readProgress(const fs::path &Directory) {
  Progress Sum;
  for (const fs::path &Path : filesIn(Directory)) {
    MappedFile File(Path);
    const Header *H = File.header();
    if (!H)
      continue;
    Sum.Launches += H->Launches.load();
    Sum.BytesToDevice += H->BytesToDevice.load();
    Sum.BytesToHost += H->BytesToHost.load();
  }
  return Sum;
}

} // namespace ferry::trace
