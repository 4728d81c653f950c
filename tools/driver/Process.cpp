//===- Process.cpp - Other programs ---------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include <cerrno>
#include <cstdio>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace ferry::driver {

static std::vector<char *> pointers(std::vector<std::string> &Arguments) {
  std::vector<char *> Result;
  Result.reserve(Arguments.size() + 1);
  for (std::string &A : Arguments)
    Result.push_back(A.data());
  Result.push_back(nullptr);
  return Result;
}

static int cannotRun(const std::string &Program, int Error) {
  std::fprintf(stderr, "ferry-c++: error: cannot run %s: %s\n", Program.c_str(),
               std::generic_category().message(Error).c_str());
  return 1;
}

int become(std::vector<std::string> &Arguments) {
  execv(Arguments[0].c_str(), pointers(Arguments).data());
  return cannotRun(Arguments[0], errno);
}

static int exitCodeOf(pid_t Child) {
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return 1;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 1;
}

int call(std::vector<std::string> &Arguments) {
  pid_t Child = 0;
  if (int Error = posix_spawn(&Child, Arguments[0].c_str(), nullptr, nullptr,
                              pointers(Arguments).data(), environ))
    return cannotRun(Arguments[0], Error);
  return exitCodeOf(Child);
}

std::optional<std::string> outputOf(std::vector<std::string> Arguments) {
  int Pipe[2];
  if (pipe(Pipe))
    return std::nullopt;
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&Actions, Pipe[0]);
  posix_spawn_file_actions_addclose(&Actions, Pipe[1]);
  pid_t Child = 0;
  int Error = posix_spawn(&Child, Arguments[0].c_str(), &Actions, nullptr,
                          pointers(Arguments).data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);

  std::string Output;
  char Buffer[256];
  for (ssize_t Count = 0; (Count = read(Pipe[0], Buffer, sizeof(Buffer))) > 0;)
    Output.append(Buffer, Count);
  close(Pipe[0]);
  if (Error || exitCodeOf(Child))
    return std::nullopt;
  return Output;
}

} // namespace ferry::driver
