//===- Run.cpp ------------------------------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ferry {

static std::vector<char *> pointers(const std::vector<std::string> &Strings) {
  std::vector<char *> Result;
  Result.reserve(Strings.size() + 1);
  for (const std::string &S : Strings)
    Result.push_back(const_cast<char *>(S.c_str()));
  return Result;
}

RunResult run(const std::vector<std::string> &Command,
              const std::vector<std::string> &Environment) {
  RunResult Result;
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC))
    return Result;
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addopen(&Actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 1);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], 2);

  std::vector<char *> Args = pointers(Command);
  Args.push_back(nullptr);
  // The first setting of a name is the one that counts.
  std::vector<char *> Env = pointers(Environment);
  for (char **Variable = environ; *Variable; ++Variable)
    Env.push_back(*Variable);
  Env.push_back(nullptr);

  pid_t Child;
  int Failed =
      posix_spawnp(&Child, Args[0], &Actions, nullptr, Args.data(), Env.data());
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  if (!Failed) {
    char Buffer[4096];
    for (ssize_t Size; (Size = read(Pipe[0], Buffer, sizeof(Buffer))) != 0;) {
      if (Size > 0)
        Result.Output.append(Buffer, Size);
      else if (errno != EINTR)
        break;
    }
    int Status;
    while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
      ;
    if (WIFEXITED(Status))
      Result.Code = WEXITSTATUS(Status);
  }
  close(Pipe[0]);
  return Result;
}

std::filesystem::path findInPath(const std::string &Name) {
  const char *Path = std::getenv("PATH");
  std::istringstream Directories(Path ? Path : "");
  for (std::string Directory; std::getline(Directories, Directory, ':');) {
    std::filesystem::path File = std::filesystem::path(Directory) / Name;
    if (std::filesystem::is_regular_file(File) && !access(File.c_str(), X_OK))
      return File;
  }
  return {};
}

std::filesystem::path installation() {
  return std::filesystem::canonical("/proc/self/exe")
      .parent_path()
      .parent_path();
}

ScratchDirectory::ScratchDirectory(const std::string &Purpose) {
  std::error_code Error;
  std::filesystem::path Above = std::filesystem::temp_directory_path(Error);
  std::string Name = Above / (Purpose + "-XXXXXX");
  if (Error)
    errno = Error.value();
  else if (mkdtemp(Name.data()))
    Path = Name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code Ignored; // a leftover in the temporary directory
  if (!Path.empty())
    std::filesystem::remove_all(Path, Ignored);
}

} // namespace ferry
