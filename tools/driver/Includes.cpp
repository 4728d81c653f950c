//===- Includes.cpp - Does a source use Ferry? ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Includes.h"

#include <fstream>
#include <set>
#include <string>
#include <string_view>

namespace ferry::driver {

/// What stands after #include, delimiters and all; empty for other lines. In a
/// preprocessed file that is `# 1 "/where/it/is/ferry/ferry.h" 1 3`.
static std::string_view includedName(std::string_view Line) {
  auto SkipBlanks = [&] {
    while (!Line.empty() && (Line[0] == ' ' || Line[0] == '\t'))
      Line.remove_prefix(1);
  };
  SkipBlanks();
  if (!Line.starts_with('#'))
    return {};
  Line.remove_prefix(1);
  SkipBlanks();
  if (Line.starts_with("include"))
    Line.remove_prefix(std::string_view("include").size());
  else if (Line.starts_with("1 "))
    Line.remove_prefix(2);
  else
    return {};
  SkipBlanks();
  if (Line.empty() || (Line[0] != '<' && Line[0] != '"'))
    return {};
  size_t End = Line.find(Line[0] == '<' ? '>' : '"', 1);
  return End == Line.npos ? std::string_view() : Line.substr(0, End + 1);
}

static bool search(const std::filesystem::path &Source,
                   std::set<std::filesystem::path> &Seen) {
  std::error_code Ignored; // of a path that is no file: nothing is in it
  if (!std::filesystem::is_regular_file(Source, Ignored) ||
      !Seen.insert(std::filesystem::weakly_canonical(Source, Ignored)).second)
    return false;
  std::ifstream File(Source);
  for (std::string Line; std::getline(File, Line);) {
    std::string_view Name = includedName(Line);
    if (Name.empty())
      continue;
    if (Name.substr(1).starts_with("ferry/") ||
        Name.ends_with("/ferry/ferry.h\""))
      return true;
    if (Name[0] == '"' &&
        search(Source.parent_path() / Name.substr(1, Name.size() - 2), Seen))
      return true;
  }
  return false;
}

bool includesFerry(const std::filesystem::path &Source) {
  std::set<std::filesystem::path> Seen;
  return search(Source, Seen);
}

} // namespace ferry::driver
