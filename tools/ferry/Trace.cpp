//===- Trace.cpp - ferry trace --------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program with FERRY_TRACE set to an empty directory, where the libferry
// in it, and in programs that it starts, leaves files (trace/Timeline.h), and
// writes what it reads there as Chrome's trace and as a page.
//
// The program has the terminal: it reads stdin, and what we say goes to stderr.
// Interrupts are the program's, so that the trace of one that is interrupted is
// written. A program that fails makes ferry fail the same way.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Run.h"
#include "trace/Write.h"
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ferry {

namespace {
/// One of the two files that are written.
struct Output {
  fs::path Path;
  bool IsNew = false;

  /// Finds out now, not after the program's run, whether it can be written. An
  /// old file stays as it is.
  bool tryToOpen() {
    IsNew = !fs::exists(fs::symlink_status(Path));
    int Descriptor = open(Path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (Descriptor < 0) {
      fmt::print(stderr, "ferry: error: {} cannot be written: {}\n",
                 Path.string(), std::strerror(errno));
      return false;
    }
    close(Descriptor);
    return true;
  }

  /// When there is no trace.
  void takeBack() const {
    std::error_code Ignored; // what is left is an empty file
    if (IsNew)
      fs::remove(Path, Ignored);
  }

  template <typename F> bool write(F Writer) const {
    errno = 0;
    std::ofstream Out(Path, std::ios::binary | std::ios::trunc);
    if (Out)
      Writer(Out);
    Out.close();
    if (Out)
      return true;
    fmt::print(stderr, "ferry: error: {} cannot be written: {}\n",
               Path.string(), std::strerror(errno ? errno : EIO));
    return false;
  }
};

/// How the program ended.
struct Ending {
  int Status; ///< from waitpid
  uint64_t Time;

  int exitCode() const {
    return WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  }
  std::string text() const {
    if (WIFEXITED(Status))
      return fmt::format("exit status {}", WEXITSTATUS(Status));
    return fmt::format("killed by signal {} ({})", WTERMSIG(Status),
                       strsignal(WTERMSIG(Status)));
  }
};

/// A line on the terminal that says how far a long run has got.
class ProgressLine {
public:
  explicit ProgressLine(const fs::path &Directory) {
    if (isatty(STDERR_FILENO))
      Watcher = std::jthread([this, Directory](const std::stop_token &Stop) {
        watch(Directory, Stop);
      });
  }

private:
  void watch(const fs::path &Directory, const std::stop_token &Stop) {
    auto Start = std::chrono::steady_clock::now();
    bool Shown = false;
    std::unique_lock Lock(Mutex);
    auto Interval = std::chrono::seconds(2);
    // Nobody notifies: what wakes it early is the stop.
    while (!Wake.wait_for(Lock, Stop, Interval,
                          [&] { return Stop.stop_requested(); })) {
      Interval = std::chrono::seconds(1);
      trace::Progress P = trace::readProgress(Directory);
      auto Seconds = std::chrono::duration_cast<std::chrono::seconds>(
          std::chrono::steady_clock::now() - Start);
      fmt::print(stderr,
                 "\r\x1b[Kferry: {} s, {} launches, {} bytes to devices, {} "
                 "bytes back",
                 Seconds.count(), trace::countText(P.Launches),
                 trace::countText(P.BytesToDevice),
                 trace::countText(P.BytesToHost));
      std::fflush(stderr);
      Shown = true;
    }
    if (Shown)
      fmt::print(stderr, "\r\x1b[K");
  }

  std::mutex Mutex;
  std::condition_variable_any Wake;
  std::jthread Watcher; // last, so that it ends first
};
} // namespace

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static volatile sig_atomic_t Child = 0;

static void passOn(int Signal) {
  if (Child > 0)
    kill(Child, Signal);
}

static constexpr int ProgramsSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/// The terminal sends its signals to the program too; others are for it as
/// well. What was ignored before stays ignored.
static void leaveSignalsToProgram(sigset_t &Changed) {
  sigemptyset(&Changed);
  for (int Signal : ProgramsSignals) {
    struct sigaction Before;
    sigaction(Signal, nullptr, &Before);
    if (Before.sa_handler == SIG_IGN)
      continue;
    struct sigaction Now = {};
    bool FromTerminal = Signal == SIGINT || Signal == SIGQUIT;
    Now.sa_handler = FromTerminal ? SIG_IGN : passOn;
    Now.sa_flags = SA_RESTART;
    sigaction(Signal, &Now, nullptr);
    sigaddset(&Changed, Signal);
  }
}

/// Returns 0 or the reason why there is no child.
static int start(const std::vector<std::string> &Command,
                 const fs::path &Directory, pid_t &Pid) {
  // A signal that comes before there is a child waits for it.
  sigset_t Programs, Before, Defaults;
  sigemptyset(&Programs);
  for (int Signal : ProgramsSignals)
    sigaddset(&Programs, Signal);
  sigprocmask(SIG_BLOCK, &Programs, &Before);
  leaveSignalsToProgram(Defaults);
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setsigdefault(&Attributes, &Defaults);
  posix_spawnattr_setsigmask(&Attributes, &Before);
  posix_spawnattr_setflags(&Attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  setenv("FERRY_TRACE", Directory.c_str(), /*replace=*/1);
  std::vector<char *> Args;
  Args.reserve(Command.size() + 1);
  for (const std::string &Word : Command)
    Args.push_back(const_cast<char *>(Word.c_str()));
  Args.push_back(nullptr);
  int Error =
      posix_spawnp(&Pid, Args[0], nullptr, &Attributes, Args.data(), environ);
  posix_spawnattr_destroy(&Attributes);
  Child = Error ? 0 : Pid;
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  return Error;
}

static Ending waitFor(pid_t Pid) {
  Ending End{};
  while (waitpid(Pid, &End.Status, 0) < 0 && errno == EINTR)
    ;
  Child = 0;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  End.Time = uint64_t(Now.tv_sec) * 1'000'000'000 + Now.tv_nsec;
  return End;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static std::string joined(const std::vector<std::string> &Words) {
  return fmt::format("{}", fmt::join(Words, " "));
}

/// "app.trace", or what the user wants, without an ending that we add.
static std::string outputName(std::string Wanted, const std::string &Program) {
  if (Wanted.empty())
    return fs::path(Program).filename().string() + ".trace";
  for (const char *Suffix : {".json", ".html"})
    if (Wanted.ends_with(Suffix))
      Wanted.resize(Wanted.size() - std::strlen(Suffix));
  return Wanted;
}

static bool writeTrace(const trace::Timeline &T, const trace::Run &R,
                       const Output &Json, const Output &Page) {
  trace::Totals Sum = trace::sumUp(T);
  if (!Json.write([&](std::ostream &Out) { writeJson(Out, T, Sum, R); }) ||
      !Page.write([&](std::ostream &Out) { writePage(Out, T, Sum, R); }))
    return false;
  fmt::print(stderr, "ferry: {}", totalsText(Sum, T));
  if (T.Stopped)
    fmt::print(stderr, "ferry: warning: the trace is not complete: the disk "
                       "was full\n");
  fmt::print(stderr,
             "ferry: the timeline is in {} (for Perfetto or Chrome's "
             "about:tracing) and {}\n",
             Json.Path.string(), Page.Path.string());
  return true;
}

static int traceInto(const ScratchDirectory &Scratch,
                     const std::vector<std::string> &Command,
                     const Output &Json, const Output &Page) {
  pid_t Pid = 0;
  if (int Error = start(Command, Scratch.Path, Pid)) {
    fmt::print(stderr, "ferry: error: {} cannot be started: {}\n", Command[0],
               std::strerror(Error));
    Json.takeBack();
    Page.takeBack();
    return 1;
  }
  Ending End;
  {
    ProgressLine Line(Scratch.Path);
    End = waitFor(Pid);
  }
  if (!WIFEXITED(End.Status))
    fmt::print(stderr, "ferry: the program was {}\n", End.text());
  trace::Timeline T =
      trace::readTimeline(Scratch.Path, {uint32_t(Pid), End.Time});
  trace::Run R{joined(Command), End.text()};
  return writeTrace(T, R, Json, Page) ? End.exitCode() : 1;
}

int traceProgram(const std::string &Name,
                 const std::vector<std::string> &Command) {
  std::string Base = outputName(Name, Command[0]);
  ScratchDirectory Scratch("ferry-trace");
  if (Scratch.Path.empty()) {
    fmt::print(stderr,
               "ferry: error: there is no place for temporary files: {}\n",
               std::strerror(errno));
    return 1;
  }
  Output Json{Base + ".json"}, Page{Base + ".html"};
  if (!Json.tryToOpen())
    return 1;
  if (!Page.tryToOpen()) {
    Json.takeBack();
    return 1;
  }
  return traceInto(Scratch, Command, Json, Page);
}

} // namespace ferry
