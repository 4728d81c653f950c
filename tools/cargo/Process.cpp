//===- Process.cpp - Programs and paths -----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace ferry {

std::string toolDirectory() {
  std::error_code EC;
  std::filesystem::path Self =
      std::filesystem::read_symlink("/proc/self/exe", EC);
  return Self.parent_path().string();
}

std::string findProgram(const std::string &Program) {
  if (Program.find('/') != std::string::npos)
    return access(Program.c_str(), X_OK) == 0 ? Program : "";
  std::istringstream Path(environment("PATH"));
  for (std::string Directory; std::getline(Path, Directory, ':');) {
    std::string File = (Directory.empty() ? "." : Directory) + "/" + Program;
    if (access(File.c_str(), X_OK) == 0)
      return File;
  }
  return "";
}

std::string environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

void setEnvironment(const char *Name, const std::string &Value) {
  setenv(Name, Value.c_str(), /*overwrite=*/1);
}

static std::vector<char *> pointers(const std::string &Program,
                                    const Arguments &Args) {
  std::vector<char *> Result{const_cast<char *>(Program.c_str())};
  for (const std::string &Arg : Args)
    Result.push_back(const_cast<char *>(Arg.c_str()));
  Result.push_back(nullptr);
  return Result;
}

void execute(const std::string &Program, const Arguments &Args) {
  execvp(Program.c_str(), pointers(Program, Args).data());
}

int capture(const std::string &Program, const Arguments &Args,
            std::string &Output) {
  int Ends[2];
  if (pipe(Ends) != 0)
    return -1;
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&Actions, Ends[0]);
  posix_spawn_file_actions_addclose(&Actions, Ends[1]);
  pid_t Child;
  int Failed = posix_spawnp(&Child, Program.c_str(), &Actions, nullptr,
                            pointers(Program, Args).data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Ends[1]);
  if (Failed) {
    close(Ends[0]);
    errno = Failed;
    return -1;
  }
  char Buffer[4096];
  for (ssize_t N; (N = read(Ends[0], Buffer, sizeof Buffer)) != 0;) {
    if (N > 0)
      Output.append(Buffer, N);
    else if (errno != EINTR)
      break;
  }
  close(Ends[0]);
  int Status;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

} // namespace ferry
