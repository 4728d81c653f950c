//===- main.cpp - The ferry command ---------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string_view>

static int run(int Argc, char **Argv) {
  CLI::App App("Looks after Ferry's devices and installation.", "ferry");
  App.set_version_flag("--version", "ferry " FERRY_VERSION);
  App.require_subcommand(1);
  App.footer(
      "Exit codes: 0 all is well, 1 something does not work, 2 bad usage.");

  int Code = 0;
  App.add_subcommand("devices",
                     "List the devices of this machine, numbered as in every "
                     "program built with Ferry")
      ->callback([&] { Code = ferry::listDevices(); });
  App.add_subcommand("doctor",
                     "Check the compilers, libraries and drivers that "
                     "Ferry needs, and say how to mend what is wrong")
      ->callback([&] { Code = ferry::examine(); });

  std::string TraceName;
  CLI::App *Trace = App.add_subcommand(
      "trace", "Run a program built with Ferry and write when it launched, "
               "copied and worked on the host");
  Trace
      ->add_option("-o", TraceName,
                   "Write NAME.json, for Perfetto and Chrome, and NAME.html, "
                   "which any browser shows; otherwise NAME is the program's "
                   "with .trace")
      ->option_text("NAME");
  Trace->footer("The program goes after --:\n"
                "  ferry trace [-o NAME] -- PROGRAM [ARGUMENTS...]\n"
                "The exit code is the program's, 128 and the signal's number "
                "where one ended it, or 1 if there is no trace.");
  // The program and its own options.
  char **Rest = std::find(Argv, Argv + Argc, std::string_view("--"));
  std::vector<std::string> Command;
  if (Argc > 1 && Argv[1] == std::string_view("trace") && Rest != Argv + Argc) {
    Command.assign(Rest + 1, Argv + Argc);
    Argc = Rest - Argv;
  }
  Trace->callback([&] {
    if (Command.empty())
      throw CLI::ValidationError("trace", "name the program after --: ferry "
                                          "trace -- ./app");
    Code = ferry::traceProgram(TraceName, Command);
  });

  std::string ExplainFile, ExplainTrace;
  bool OfLastBuild = false;
  CLI::App *Explain = App.add_subcommand(
      "explain", "Say what the launches of a program move to devices and back, "
                 "and why");
  Explain->add_option("FILE", ExplainFile,
                      "A program, library or object file built with Ferry");
  Explain->add_flag("--last-build", OfLastBuild,
                    "Instead of FILE: what ferry-c++ or cargo ferry has linked "
                    "last");
  Explain
      ->add_option("--measured", ExplainTrace,
                   "Show beside it what a run moved, from the JSON of ferry "
                   "trace")
      ->option_text("TRACE");
  Explain->callback([&] {
    if (ExplainFile.empty() != OfLastBuild)
      throw CLI::ValidationError("explain", "name a file, or --last-build");
    Code = ferry::explainFile(ExplainFile, ExplainTrace);
  });

  // CLI11 only says that a command is missing.
  if (Argc > 1 && *Argv[1] != '-' &&
      std::ranges::none_of(App.get_subcommands({}), [&](CLI::App *Command) {
        return Command->get_name() == Argv[1];
      })) {
    fmt::print(stderr,
               "ferry: error: there is no command '{}'; ferry --help lists "
               "those that there are\n",
               Argv[1]);
    return 2;
  }
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &E) {
    // CLI11 has a code for each mistake; a shell wants one for all.
    return App.exit(E) ? 2 : 0;
  }
  return Code;
}

int main(int Argc, char **Argv) {
  try {
    return run(Argc, Argv);
  } catch (const std::exception &E) {
    std::fprintf(stderr, "ferry: error: %s\n", E.what());
    return 1;
  }
}
