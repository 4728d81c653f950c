//===- Write.cpp - A timeline as files ------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chrome's trace has an object per event, written one by one, since there may
// be millions. Host threads and devices are threads of their process to it;
// nothing appears twice.
//
// The page is Page.html with the timeline and the totals as one JSON object.
// There an event is a short array, its texts are numbers, and times are
// nanoseconds.
//
//===----------------------------------------------------------------------===//

#include "Write.h"
#include "Page.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_map>

using nlohmann::json;

namespace ferry::trace {

/// Names come from other people's programs: what isn't UTF-8 is replaced.
static std::string dump(const json &Value) {
  return Value.dump(-1, ' ', /*ensure_ascii=*/false,
                    json::error_handler_t::replace);
}

static json asJson(const CopyTotals &C) {
  return {{"copies", C.Copies}, {"bytes", C.Bytes}, {"time_ns", C.Time}};
}

static json asJson(const Totals &Sum) {
  json Kernels = json::array(), Arguments = json::array();
  for (const KernelTotals &K : Sum.Kernels)
    Kernels.push_back({{"kernel", K.Kernel},
                       {"launches", K.Launches},
                       {"errors", K.Errors},
                       {"launch_time_ns", K.LaunchTime},
                       {"runs", K.Runs},
                       {"run_time_ns", K.RunTime}});
  for (const ArgumentTotals &A : Sum.Arguments)
    Arguments.push_back({{"kernel", A.Kernel},
                         {"argument", A.Argument},
                         {"direction", A.ToDevice ? "to-device" : "to-host"},
                         {"copies", A.Copies},
                         {"bytes", A.Bytes},
                         {"time_ns", A.Time}});
  return {{"launches", Sum.Launches},
          {"errors", Sum.Errors},
          {"unfinished", Sum.Unfinished},
          {"run_time_ns", Sum.RunTime},
          {"host_time_ns", Sum.HostTime},
          {"prepare_time_ns", Sum.PrepareTime},
          {"allocations", Sum.Allocations},
          {"allocated_bytes", Sum.AllocatedBytes},
          {"allocation_time_ns", Sum.AllocationTime},
          {"to_device", asJson(Sum.ToDevice)},
          {"to_host", asJson(Sum.ToHost)},
          {"kernels", Kernels},
          {"arguments", Arguments}};
}

//===----------------------------------------------------------------------===//
// Chrome's trace
//===----------------------------------------------------------------------===//

static std::string title(const Event &E) {
  switch (E.Kind) {
  case EventKind::Host:
  case EventKind::Launch:
  case EventKind::Kernel:
    return *E.Name;
  case EventKind::Prepare:
    return "prepare " + *E.Name;
  case EventKind::Allocate:
    return "allocate for " + *E.Name;
  case EventKind::ToDevice:
    return *E.Name + " to device";
  case EventKind::ToHost:
    return *E.Name + " to host";
  }
  return {};
}

static json launchArgs(const LaunchInfo &L, uint32_t Number) {
  json Args{{"launch", Number},
            {"source", L.place()},
            {"shape", L.shape()},
            {"bytes_to_device", L.BytesToDevice},
            {"bytes_to_host", L.BytesToHost}};
  if (L.Device)
    Args["device"] = *L.Device;
  if (L.Error)
    Args["error"] = *L.Error;
  return Args;
}

static json argsOf(const Timeline &T, const Event &E) {
  json Args = json::object();
  if (E.Kind == EventKind::Launch) {
    Args = launchArgs(T.Launches[E.Launch], E.Launch);
  } else if (E.Kind != EventKind::Host) {
    if (E.Device && !E.Device->empty())
      Args["device"] = *E.Device;
    if (E.Launch != Event::NoLaunch) {
      Args["launch"] = E.Launch;
      Args["kernel"] = *T.Launches[E.Launch].Kernel;
      Args["source"] = T.Launches[E.Launch].place();
    }
  }
  if (E.Kind == EventKind::Allocate || E.Kind == EventKind::ToDevice ||
      E.Kind == EventKind::ToHost) {
    Args["argument"] = *E.Name;
    Args["bytes"] = E.Bytes;
  }
  if (E.Unfinished)
    Args["unfinished"] = true;
  return Args;
}

/// Microseconds, exact to the nanosecond.
static double microseconds(uint64_t Nanoseconds) {
  return double(Nanoseconds) / 1000;
}

static json metadata(const char *What, uint32_t Process, int64_t Thread,
                     json Args) {
  return {{"ph", "M"},
          {"name", What},
          {"pid", Process},
          {"tid", Thread},
          {"args", std::move(Args)}};
}

void writeJson(std::ostream &Out, const Timeline &T, const Totals &Sum,
               const Run &R) {
  Out << "{\"displayTimeUnit\":\"ns\",\n\"otherData\":"
      << dump({{"command", R.Command},
               {"ended", R.Ended},
               {"time_ns", T.End},
               {"complete", T.Stopped == 0},
               {"totals", asJson(Sum)}})
      << ",\n\"traceEvents\":[";
  const char *Separator = "\n";
  auto Write = [&](const json &Event) {
    Out << Separator << dump(Event);
    Separator = ",\n";
  };
  for (const Process &P : T.Processes) {
    int64_t Main = P.Lanes.front().Thread;
    Write(metadata("process_name", P.Number, Main, {{"name", P.name()}}));
    for (size_t I = 0; I < P.Lanes.size(); ++I) {
      const Lane &L = P.Lanes[I];
      Write(metadata("thread_name", P.Number, L.Thread, {{"name", L.Name}}));
      Write(metadata("thread_sort_index", P.Number, L.Thread,
                     {{"sort_index", I}}));
      for (const Event &E : L.Events)
        Write({{"ph", "X"},
               {"cat", nameOf(E.Kind)},
               {"name", title(E)},
               {"pid", P.Number},
               {"tid", L.Thread},
               {"ts", microseconds(E.Start)},
               {"dur", microseconds(E.End - E.Start)},
               {"args", argsOf(T, E)}});
    }
  }
  Out << "\n]}\n";
}

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

namespace {
class PageData {
public:
  PageData(const Timeline &T, const Totals &Sum, const Run &R)
      : T(T), Sum(Sum), R(R) {}

  json make() {
    uint64_t Limit = limit();
    json Processes = json::array();
    for (const Process &P : T.Processes) {
      json Lanes = json::array();
      for (const Lane &L : P.Lanes)
        Lanes.push_back({{"name", L.Name},
                         {"device", L.IsDevice},
                         {"events", eventsOf(L, Limit)}});
      Processes.push_back({{"name", P.name()}, {"lanes", Lanes}});
    }
    json Kinds = json::array();
    for (unsigned I = 0; I < NumEventKinds; ++I)
      Kinds.push_back(nameOf(EventKind(I)));
    return {{"command", R.Command},
            {"ended", R.Ended},
            {"complete", T.Stopped == 0},
            {"end", T.End},
            {"shown_until", Limit},
            {"totals", asJson(Sum)},
            {"kinds", Kinds},
            {"processes", Processes},
            {"launches", Launches},
            {"texts", Texts}};
  }

private:
  /// The time from which the page shows nothing.
  uint64_t limit() const {
    std::vector<uint64_t> Starts;
    for (const Process &P : T.Processes)
      for (const Lane &L : P.Lanes)
        for (const Event &E : L.Events)
          Starts.push_back(E.Start);
    if (Starts.size() <= MostEventsOnPage)
      return T.End;
    std::ranges::nth_element(Starts, Starts.begin() + MostEventsOnPage);
    return Starts[MostEventsOnPage];
  }

  json eventsOf(const Lane &L, uint64_t Limit) {
    json Events = json::array();
    for (const Event &E : L.Events) {
      if (E.Start >= Limit && Limit != T.End)
        continue;
      Events.push_back({E.Start, E.End - E.Start, unsigned(E.Kind), E.Depth,
                        number(*E.Name),
                        E.Launch == Event::NoLaunch ? -1 : launch(E.Launch),
                        E.Bytes, int(E.Unfinished)});
    }
    return Events;
  }

  int launch(uint32_t Index) {
    auto [Found, IsNew] = LaunchNumbers.try_emplace(Index, Launches.size());
    if (IsNew) {
      const LaunchInfo &L = T.Launches[Index];
      Launches.push_back({Index, number(*L.Kernel), number(L.place()),
                          number(L.shape()), number(L.Device ? *L.Device : ""),
                          L.BytesToDevice, L.BytesToHost,
                          number(L.Error ? *L.Error : "")});
    }
    return Found->second;
  }

  int number(const std::string &Text) {
    auto [Found, IsNew] = TextNumbers.try_emplace(Text, Texts.size());
    if (IsNew)
      Texts.push_back(Text);
    return Found->second;
  }

  const Timeline &T;
  const Totals &Sum;
  const Run &R;
  json Launches = json::array(), Texts = json::array();
  std::unordered_map<uint32_t, int> LaunchNumbers;
  std::unordered_map<std::string, int> TextNumbers;
};
} // namespace

/// JSON that can stand in a script element.
static std::string forScript(const json &Value) {
  std::string Text;
  for (char C : dump(Value))
    if (C == '<')
      Text += "\\u003c";
    else
      Text += C;
  return Text;
}

void writePage(std::ostream &Out, const Timeline &T, const Totals &Sum,
               const Run &R) {
  std::string_view Template = PageTemplate, Mark = "/*TRACE*/";
  size_t At = Template.find(Mark);
  Out << Template.substr(0, At) << forScript(PageData(T, Sum, R).make())
      << Template.substr(At + Mark.size());
}

} // namespace ferry::trace
