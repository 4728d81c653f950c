//===- main.cpp - cargo ferry build, run, test, bench ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cargo ferry is cargo with a wrapper around rustc (Rustc.cpp). It checks that
// the compiler fits, passes the choice of targets on, and becomes cargo.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Toolchain.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace ferry;

static int fail(const std::string &Message) {
  fprintf(stderr, "cargo-ferry: error: %s\n", Message.c_str());
  return 1;
}

/// Size and time of a tool stand for its contents.
static std::string identity(const std::string &Tool) {
  std::error_code EC;
  std::filesystem::path File = toolDirectory() + "/" + Tool;
  auto Size = std::filesystem::file_size(File, EC);
  auto Time = std::filesystem::last_write_time(File, EC);
  return std::to_string(Size) + "-" +
         std::to_string(Time.time_since_epoch().count());
}

static void prepareEnvironment(const std::string &Targets) {
  if (!Targets.empty())
    setEnvironment("FERRY_TARGETS", Targets);
  // The ferry crate reads these two, so that a program is linked anew when they
  // change.
  else if (environment("FERRY_TARGETS").empty())
    setEnvironment("FERRY_TARGETS", "native");
  setEnvironment("FERRY_TOOLS", identity("ferry-ld"));

  std::string Wrapper = toolDirectory() + "/ferry-rustc";
  std::string Rustdoc = toolDirectory() + "/ferry-rustdoc";
  // Inside a build that cargo ferry runs already, the wrapper is our own.
  if (std::string Users = environment("RUSTC_WRAPPER"); Users != Wrapper)
    setEnvironment("FERRY_REAL_WRAPPER", Users);
  if (std::string Users = environment("RUSTDOC"); Users != Rustdoc)
    setEnvironment("FERRY_REAL_RUSTDOC", Users);
  setEnvironment("RUSTC_WRAPPER", Wrapper);
  setEnvironment("RUSTDOC", Rustdoc);
}

int main(int Argc, char **Argv) {
  Arguments Args(Argv + 1, Argv + Argc);
  // cargo calls `cargo-ferry ferry build ...`.
  if (!Args.empty() && Args.front() == "ferry")
    Args.erase(Args.begin());
  // What follows `--` is the program's and goes by unread.
  auto Separator = std::find(Args.begin(), Args.end(), "--");
  Arguments Rest(Separator, Args.end());
  Args.erase(Separator, Args.end());

  CLI::App App("Builds and runs Rust programs whose functions run on devices",
               "cargo ferry");
  App.require_subcommand(1);
  App.set_version_flag("-V,--version", "cargo-ferry " FERRY_VERSION);
  App.footer(
      "Every other argument is cargo's. FERRY_DEVICE=cpu|virtual|gpu|<number> "
      "chooses the device when\nthe program runs.");
  std::string Targets;
  const struct {
    const char *Name, *Alias, *Description;
  } Commands[] = {
      {"build", "b", "As cargo build, with device code in the program"},
      {"run", "r", "As cargo run"},
      {"test", "t", "As cargo test"},
      {"bench", nullptr, "As cargo bench"}};
  for (auto [Name, Alias, Description] : Commands) {
    CLI::App *Command = App.add_subcommand(Name, Description);
    if (Alias)
      Command->alias(Alias);
    Command->allow_extras();
    Command->add_option(
        "--targets", Targets,
        "Devices to carry code for: cpu, native, sm_80, sm_90, "
        "gfx90a, gfx942, gfx1100, separated by commas\n"
        "(default: FERRY_TARGETS, else native: cpu and the GPUs "
        "of this machine)");
  }
  bool IsKnown =
      Args.empty() || Args.front()[0] == '-' ||
      std::any_of(std::begin(Commands), std::end(Commands), [&](auto &C) {
        return Args.front() == C.Name || (C.Alias && Args.front() == C.Alias);
      });
  if (!IsKnown) {
    fail("no command '" + Args.front() +
         "': cargo ferry knows build, run, test and bench; everything else is "
         "plain cargo's");
    return 2;
  }
  Arguments Reversed(Args.rbegin(), Args.rend());
  try {
    App.parse(Reversed);
  } catch (const CLI::ParseError &E) {
    return App.exit(E) == 0 ? 0 : 2;
  }

  std::string Cargo = environment("CARGO");
  if (Cargo.empty())
    Cargo = "cargo";
  if (std::string Wrong = checkToolchain(Cargo); !Wrong.empty())
    return fail(Wrong);
  prepareEnvironment(Targets);

  CLI::App *Command = App.get_subcommands().front();
  Arguments CargoArgs{Command->get_name()};
  for (const std::string &Arg : Command->remaining())
    CargoArgs.push_back(Arg);
  CargoArgs.insert(CargoArgs.end(), Rest.begin(), Rest.end());
  execute(Cargo, CargoArgs);
  return fail("cannot run " + Cargo + ": " + strerror(errno));
}
