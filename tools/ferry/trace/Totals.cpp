//===- Totals.cpp - Sums over a timeline ----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch counts when it is called, whatever becomes of it; a kernel when it
// runs. Times of kernels that run beside each other add up, so a share is that
// of all kernels' time, not of the program's.
//
//===----------------------------------------------------------------------===//

#include "Totals.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace ferry::trace {

/// Rows of a table on the terminal.
static constexpr size_t MostRows = 20;
/// C++ names of kernels can fill pages.
static constexpr size_t MostName = 48;

namespace {
class Summer {
public:
  explicit Summer(const Timeline &T) : T(T) {}

  Totals sum() {
    for (const Process &P : T.Processes)
      for (const Lane &L : P.Lanes)
        for (const Event &E : L.Events)
          add(E);
    for (auto &[Kernel, Row] : Kernels)
      Sum.Kernels.push_back(std::move(Row));
    for (auto &[Key, Row] : Arguments)
      Sum.Arguments.push_back(std::move(Row));
    std::ranges::sort(Sum.Kernels, [](const auto &A, const auto &B) {
      return std::tie(B.RunTime, A.Kernel) < std::tie(A.RunTime, B.Kernel);
    });
    std::ranges::sort(Sum.Arguments, [](const auto &A, const auto &B) {
      return std::tie(B.Bytes, A.Kernel, A.Argument, B.ToDevice) <
             std::tie(A.Bytes, B.Kernel, B.Argument, A.ToDevice);
    });
    return std::move(Sum);
  }

private:
  void add(const Event &E) {
    uint64_t Time = E.End - E.Start;
    switch (E.Kind) {
    case EventKind::Host:
      Sum.HostTime += Time;
      break;
    case EventKind::Launch:
      addLaunch(E, Time);
      break;
    case EventKind::Prepare:
      Sum.PrepareTime += Time;
      break;
    case EventKind::Allocate:
      ++Sum.Allocations;
      Sum.AllocatedBytes += E.Bytes;
      Sum.AllocationTime += Time;
      break;
    case EventKind::ToDevice:
      addCopy(E, Time, Sum.ToDevice);
      break;
    case EventKind::ToHost:
      addCopy(E, Time, Sum.ToHost);
      break;
    case EventKind::Kernel: {
      KernelTotals &Row = rowOf(E);
      ++Row.Runs;
      Row.RunTime += Time;
      Sum.RunTime += Time;
      break;
    }
    }
  }

  void addLaunch(const Event &E, uint64_t Time) {
    KernelTotals &Row = rowOf(E);
    ++Row.Launches;
    ++Sum.Launches;
    Row.LaunchTime += Time;
    Sum.Unfinished += E.Unfinished;
    if (T.Launches[E.Launch].Error) {
      ++Row.Errors;
      ++Sum.Errors;
    }
  }

  void addCopy(const Event &E, uint64_t Time, CopyTotals &All) {
    ++All.Copies;
    All.Bytes += E.Bytes;
    All.Time += Time;
    bool ToDevice = E.Kind == EventKind::ToDevice;
    ArgumentTotals &Row = Arguments[{kernelOf(E), *E.Name, ToDevice}];
    Row.Kernel = kernelOf(E);
    Row.Argument = *E.Name;
    Row.ToDevice = ToDevice;
    ++Row.Copies;
    Row.Bytes += E.Bytes;
    Row.Time += Time;
  }

  /// Empty for what is done outside of launches.
  std::string kernelOf(const Event &E) const {
    return E.Launch == Event::NoLaunch ? "" : *T.Launches[E.Launch].Kernel;
  }

  KernelTotals &rowOf(const Event &E) {
    KernelTotals &Row = Kernels[*E.Name];
    Row.Kernel = *E.Name;
    return Row;
  }

  const Timeline &T;
  Totals Sum;
  std::map<std::string, KernelTotals> Kernels;
  std::map<std::tuple<std::string, std::string, bool>, ArgumentTotals>
      Arguments;
};
} // namespace

Totals sumUp(const Timeline &T) { return Summer(T).sum(); }

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string timeText(uint64_t Nanoseconds) {
  double N = double(Nanoseconds);
  if (N >= 1e9)
    return fmt::format("{:.2f} s", N / 1e9);
  if (N >= 1e6)
    return fmt::format("{:.2f} ms", N / 1e6);
  if (N >= 1e3)
    return fmt::format("{:.2f} us", N / 1e3);
  return fmt::format("{} ns", Nanoseconds);
}

std::string countText(uint64_t Number) {
  std::string Digits = std::to_string(Number);
  for (size_t I = Digits.size(); I > 3; I -= 3)
    Digits.insert(I - 3, ",");
  return Digits;
}

std::string shareText(uint64_t Part, uint64_t Whole) {
  return fmt::format("{:.1f} %",
                     Whole ? 100 * double(Part) / double(Whole) : 0);
}

static std::string cutName(const std::string &Name) {
  return Name.size() <= MostName ? Name : Name.substr(0, MostName - 3) + "...";
}

/// Columns as wide as they need to be: the first `Left` to the left, the others
/// to the right.
static std::string table(const std::vector<std::vector<std::string>> &Rows,
                         size_t Left) {
  std::vector<size_t> Widths(Rows.front().size());
  for (const auto &Row : Rows)
    for (size_t I = 0; I < Row.size(); ++I)
      Widths[I] = std::max(Widths[I], Row[I].size());
  std::string Text;
  for (const auto &Row : Rows) {
    for (size_t I = 0; I < Row.size(); ++I)
      Text += I < Left ? fmt::format("  {:<{}}", Row[I], Widths[I])
                       : fmt::format("  {:>{}}", Row[I], Widths[I]);
    Text += '\n';
  }
  return Text;
}

std::string plural(uint64_t N, const char *One, const char *Many) {
  return fmt::format("{} {}", countText(N), N == 1 ? One : Many);
}

static std::string moreRows(size_t Rows) {
  return Rows <= MostRows ? ""
                          : fmt::format("  and {} more in the files below\n",
                                        Rows - MostRows);
}

static std::string kernelTable(const Totals &Sum) {
  std::vector<std::vector<std::string>> Rows{
      {"kernel", "launches", "time", "share", "each", "errors"}};
  for (const KernelTotals &K : Sum.Kernels)
    if (Rows.size() <= MostRows)
      Rows.push_back({cutName(K.Kernel), countText(K.Launches),
                      timeText(K.RunTime), shareText(K.RunTime, Sum.RunTime),
                      timeText(K.Runs ? K.RunTime / K.Runs : 0),
                      K.Errors ? countText(K.Errors) : ""});
  return table(Rows, 1) + moreRows(Sum.Kernels.size());
}

static std::string argumentTable(const Totals &Sum) {
  std::vector<std::vector<std::string>> Rows{
      {"argument", "kernel", "to", "copies", "bytes", "share", "time"}};
  for (const ArgumentTotals &A : Sum.Arguments)
    if (Rows.size() <= MostRows)
      Rows.push_back(
          {cutName(A.Argument),
           A.Kernel.empty() ? "(between launches)" : cutName(A.Kernel),
           A.ToDevice ? "device" : "host", countText(A.Copies),
           countText(A.Bytes),
           shareText(A.Bytes, Sum.ToDevice.Bytes + Sum.ToHost.Bytes),
           timeText(A.Time)});
  return table(Rows, 3) + moreRows(Sum.Arguments.size());
}

std::string totalsText(const Totals &Sum, const Timeline &T) {
  if (!Sum.Launches)
    return T.Processes.empty() ? "no program that was built with Ferry ran\n"
                               : "the program launched no kernel\n";
  std::string Text = fmt::format(
      "{} in {}: kernels {}, {} to devices ({} bytes) {}, {} back ({} bytes) "
      "{}\n",
      plural(Sum.Launches, "launch", "launches"), timeText(T.End),
      timeText(Sum.RunTime), plural(Sum.ToDevice.Copies, "copy", "copies"),
      countText(Sum.ToDevice.Bytes), timeText(Sum.ToDevice.Time),
      plural(Sum.ToHost.Copies, "copy", "copies"), countText(Sum.ToHost.Bytes),
      timeText(Sum.ToHost.Time));
  Text += kernelTable(Sum);
  if (!Sum.Arguments.empty())
    Text += argumentTable(Sum);
  if (Sum.Unfinished)
    Text += plural(Sum.Unfinished, "launch was", "launches were") +
            " not finished when the program ended\n";
  return Text;
}

} // namespace ferry::trace
