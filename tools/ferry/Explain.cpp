//===- Explain.cpp - ferry explain ----------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler leaves what it has found out about kernels in a section of the
// object file (compiler/Transfer/Explain.h), a line of JSON a module, which
// linkers put together. This turns it into sentences by the rules that libferry
// follows (runtime/Ranges.cpp): in goes what is read, and what is written but
// perhaps not all overwritten; back comes what is written.
//
//===----------------------------------------------------------------------===//

#include "../LastBuild.h"
#include "Commands.h"
#include "Section.h"
#include "trace/Totals.h"
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <tuple>

using nlohmann::json;

namespace ferry {

static constexpr const char *Section = ".ferry.explain";

namespace {
/// What a run copied, by kernel, argument and direction.
class Measured {
public:
  Measured() = default;
  explicit Measured(const std::string &Path) {
    std::ifstream In(Path);
    if (!In)
      throw std::runtime_error(Path + " cannot be read");
    json Trace = json::parse(In, nullptr, /*allow_exceptions=*/false);
    json::json_pointer Place("/otherData/totals/arguments");
    if (Trace.is_discarded() || !Trace.contains(Place))
      throw std::runtime_error(Path + " is no trace of ferry trace");
    for (const json &Row : Trace[Place])
      Rows[{Row.at("kernel"), Row.at("argument"), Row.at("direction")}] =
          fmt::format("{} bytes in {}", trace::countText(Row.at("bytes")),
                      trace::plural(Row.at("copies"), "copy", "copies"));
    Exists = true;
  }

  /// "; measured: ...", or nothing when nothing was.
  std::string of(const std::string &Kernel, const std::string &Argument,
                 const char *Direction) const {
    if (!Exists)
      return "";
    std::string Text = "; measured: " + row(Kernel, Argument, Direction);
    // Data that stays on a device comes home when the host wants it.
    std::string Between = row("", Argument, Direction);
    return Between == Nothing ? Text : Text + ", between launches " + Between;
  }

private:
  static constexpr const char *Nothing = "nothing";

  std::string row(const std::string &Kernel, const std::string &Argument,
                  const char *Direction) const {
    auto Found = Rows.find({Kernel, Argument, Direction});
    return Found == Rows.end() ? Nothing : Found->second;
  }

  bool Exists = false;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> Rows;
};

/// What moves one way, why, and what could be done about it.
struct Answer {
  std::string What, Why, Advice;
};
} // namespace

static std::string rangeText(const json &Range) {
  if (Range.contains("anywhere") || Range.contains("data"))
    return "all of it";
  if (Range.contains("computed"))
    return "a part that is worked out at the launch";
  std::string From = Range.at("from"), Bytes = Range.at("bytes");
  return Bytes + " bytes" + (From == "0" ? "" : " from byte " + From);
}

/// One range, or what reaches from the first to the last of several.
static std::string rangesText(const std::vector<json> &Ranges) {
  std::vector<std::string> Texts;
  for (const json &Range : Ranges) {
    std::string Text = rangeText(Range);
    if (Text == "all of it")
      return Text;
    if (std::ranges::find(Texts, Text) == Texts.end())
      Texts.push_back(Text);
  }
  if (Texts.size() == 1)
    return Texts.front();
  constexpr size_t Most = 4;
  std::string More = Texts.size() > Most
                         ? fmt::format(" and {} more", Texts.size() - Most)
                         : "";
  Texts.resize(std::min(Texts.size(), Most));
  return fmt::format("from the first to the last of: {}{}",
                     fmt::join(Texts, "; "), More);
}

static bool any(const json &Ranges, const char *Kind) {
  return std::ranges::any_of(
      Ranges, [&](const json &Range) { return Range.contains(Kind); });
}

static std::vector<json> both(const json &A, const json &B) {
  std::vector<json> All(A.begin(), A.end());
  All.insert(All.end(), B.begin(), B.end());
  return All;
}

/// Why ranges are no formulas, and what would help.
static void addReasons(Answer &A, const json &Ranges) {
  if (any(Ranges, "anywhere")) {
    A.Why += "; the compiler cannot follow the pointer everywhere";
    A.Advice = "use it directly in the kernel, as a span or slice";
  } else if (any(Ranges, "data")) {
    A.Why += "; where depends on data";
    A.Advice = "pass only the part that can be reached";
  }
}

static Answer wayIn(const json &Argument, bool CanPanic) {
  const json &Reads = Argument.at("reads"), &Writes = Argument.at("writes");
  bool Overwrites = Argument.at("overwrites");
  if (Argument.at("kind") == "scratch")
    return {"nothing", "it is scratch memory", ""};
  if (Argument.at("passed") == "out")
    return {"nothing", "it is passed as output only", ""};
  if (Reads.empty() && Writes.empty())
    return {"nothing", "the kernel does not use it", ""};
  if (Reads.empty() && Overwrites)
    return {"nothing",
            CanPanic ? "the kernel overwrites it; it moves in, though, if "
                       "threads leave gaps or may panic"
                     : "the kernel overwrites it; it moves in, though, if "
                       "threads leave gaps",
            ""};
  Answer A;
  bool Whole =
      Overwrites || std::ranges::all_of(Writes, [&](const json &Range) {
        return std::ranges::find(Reads, Range) != Reads.end();
      });
  A.What = rangesText(Whole ? std::vector<json>(Reads.begin(), Reads.end())
                            : both(Reads, Writes));
  A.Why = Reads.empty() ? "the kernel may leave some of it unwritten"
          : Whole       ? "the kernel reads it"
                        : "the kernel reads it, and may leave some of what it "
                          "writes as it was";
  addReasons(A, Whole ? Reads : json(both(Reads, Writes)));
  if (Reads.empty() && A.Advice.empty() && Argument.at("kind") != "global")
    A.Advice = "where the kernel writes every element, write each without a "
               "condition, or pass it as output only (C++: ferry::out)";
  return A;
}

static Answer wayBack(const json &Argument) {
  const json &Writes = Argument.at("writes");
  if (Argument.at("kind") == "scratch")
    return {"nothing", "it is scratch memory", ""};
  if (Writes.empty())
    return {"nothing", "the kernel does not write it", ""};
  Answer A;
  A.What = rangesText({Writes.begin(), Writes.end()});
  A.Why = "the kernel writes it";
  addReasons(A, Writes);
  return A;
}

static void printAnswer(const std::string &Name, const char *Way,
                        const Answer &A, const std::string &Measured) {
  fmt::print("  {:<12} {:<5} {}: {}{}\n", Name, Way, A.What, A.Why, Measured);
  if (!A.Advice.empty())
    fmt::print("  {:<12} {:<5} to move less: {}\n", "", "", A.Advice);
}

static void printKernel(const json &K, const Measured &Run) {
  std::string Kernel = K.at("kernel");
  std::vector<std::string> Places = K.at("launches");
  fmt::print("kernel {}\n", Kernel);
  for (const std::string &Place : Places)
    fmt::print("  launched at {}\n", Place);
  uint64_t ValueBytes = 0;
  std::vector<std::string> Values;
  for (const json &Argument : K.at("arguments")) {
    std::string Name = Argument.at("name");
    if (Argument.at("kind") == "value") {
      uint64_t Bytes = Argument.at("bytes");
      ValueBytes += Bytes;
      if (Bytes)
        Values.push_back(Name.empty() ? "a value" : Name);
      continue;
    }
    if (Name.empty())
      Name = "an argument";
    printAnswer(Name, "in", wayIn(Argument, K.at("can_panic")),
                Run.of(Kernel, Name, "to-device"));
    printAnswer("", "back", wayBack(Argument), Run.of(Kernel, Name, "to-host"));
  }
  if (!Values.empty())
    fmt::print("  with the launch: {} ({} bytes)\n", fmt::join(Values, ", "),
               ValueBytes);
  if (K.at("can_panic"))
    fmt::print("  threads may panic: a record of 64 bytes comes back\n");
  if (K.at("prints"))
    fmt::print("  it prints: 16 bytes come back, and the lines\n");
}

static std::string lastBuild() {
  std::ifstream In(lastBuildFile());
  std::string Path;
  if (!std::getline(In, Path))
    throw std::runtime_error(
        "no build is remembered: build with ferry-c++ or cargo ferry, or name "
        "the file");
  return Path;
}

int explainFile(const std::string &File, const std::string &Trace) {
  std::string Path = File.empty() ? lastBuild() : File;
  Measured Run = Trace.empty() ? Measured() : Measured(Trace);
  std::istringstream Lines(readSection(Path, Section));
  unsigned Kernels = 0;
  if (File.empty())
    fmt::print("{}\n", Path);
  for (std::string Line; std::getline(Lines, Line);) {
    // Linkers may put zeros between the lines.
    Line.erase(0, Line.find_first_not_of('\0'));
    if (Line.empty())
      continue;
    json Module = json::parse(Line);
    if (Module.at("version") != 1)
      throw std::runtime_error(Path + " was built by another version of Ferry");
    for (const json &K : Module.at("kernels")) {
      fmt::print("{}", Kernels++ ? "\n" : "");
      printKernel(K, Run);
    }
  }
  if (Kernels)
    return 0;
  fmt::print(stderr,
             "ferry: error: {} has no kernels that were built with Ferry\n",
             Path);
  return 1;
}

} // namespace ferry
