#!/usr/bin/env python3
"""Checks a trace that ferry trace wrote, and prints what is in it.

    check-trace.py TRACE.json

The JSON has to be what viewers read: complete events of known kinds, with times,
in named lanes, where they nest and are in order. A host thread's lane has no gap
between its first and its last event. What belongs to a launch lies within its
time. Sums over the events are the totals that the file names. Prints, sorted, how
many events of each kind and name there are, with their bytes, a line each.

  --stats FILE    a line "stats LAUNCHES COPIES BYTES COPIES BYTES" in it, from the
                  program's ferry_get_stats, has to agree
  --copies LOG    so have the copies that LIBOMPTARGET_INFO=-1 logged, but for
                  Ferry's own records of panics
"""

import argparse
import collections
import json
import re
import sys

KINDS = {"host", "launch", "prepare", "allocate", "to-device", "to-host", "kernel"}
ON_DEVICE = {"to-device", "to-host", "kernel"}
COPY = re.compile(r"Copying data from (host to device|device to host),.* Size=(\d+), Name=(.*)$")


def fail(what):
    sys.exit(f"check-trace.py: {what}")


def want(holds, what, event):
    if not holds:
        fail(f"{what}: {event}")


def nanoseconds(microseconds):
    exact = round(microseconds * 1000)
    want(abs(exact - microseconds * 1000) < 1e-3, "a time is finer than a nanosecond", microseconds)
    return exact


def check_lanes(events):
    names = collections.Counter((e["pid"], e["tid"], e["name"]) for e in events if e["ph"] == "M")
    want(all(n == 1 for n in names.values()), "something is named twice", names)
    lanes = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "M":
            want(event["name"] in ("process_name", "thread_name", "thread_sort_index"), "unknown metadata", event)
            continue
        want(event["ph"] == "X" and event["cat"] in KINDS, "no complete event", event)
        start = nanoseconds(event["ts"])
        event["interval"] = (start, start + nanoseconds(event["dur"]))
        want(0 <= event["interval"][0] <= event["interval"][1], "time runs backwards", event)
        lanes[event["pid"], event["tid"]].append(event)
    for (pid, tid), lane in lanes.items():
        want((pid, tid, "thread_name") in names, "a lane has no name", (pid, tid))
        want(any(p == pid and n == "process_name" for p, _, n in names), "a process has no name", pid)
        check_lane(lane)


def check_lane(lane):
    device = lane[0]["cat"] in ON_DEVICE
    around, done = [], lane[0]["interval"][0]
    for event in lane:
        start, end = event["interval"]
        want((event["cat"] in ON_DEVICE) == device, "a lane is a host thread's or a device's", event)
        while around and around[-1] <= start:
            around.pop()
        if around:
            want(end <= around[-1] and not device, "events overlap", event)
        elif not device:
            want(start == done, "a host thread has a gap before", event)
        else:
            want(start >= done, "the order is not that of time", event)
        done = max(done, end)
        around.append(end)


def check_launches(events):
    launches = {}
    for event in events:
        if event["cat"] == "launch":
            number = event["args"]["launch"]
            want(number not in launches, "two launches have a number", event)
            launches[number] = event
            event["moved"] = collections.Counter()
    for event in events:
        if event["cat"] not in ("launch", "host") and "launch" in event["args"]:
            launch = launches[event["args"]["launch"]]
            inside = launch["interval"][0] <= event["interval"][0] and event["interval"][1] <= launch["interval"][1]
            want(inside and event["pid"] == launch["pid"], "what a launch does is outside of it", event)
            want(event["args"]["kernel"] == launch["name"], "the kernel is another", event)
            launch["moved"][event["cat"]] += event["args"].get("bytes", 0)
    for launch in launches.values():
        want(launch["moved"]["to-device"] == launch["args"]["bytes_to_device"]
             and launch["moved"]["to-host"] == launch["args"]["bytes_to_host"], "bytes differ", launch)


def sums_of(events):
    sums = {}
    for way in "to-device", "to-host":
        copies = [e for e in events if e["cat"] == way]
        sums[way] = (len(copies), sum(e["args"]["bytes"] for e in copies))
    return sums


def check_totals(totals, events, sums):
    of = lambda kind: [e for e in events if e["cat"] == kind]
    time = lambda some: sum(e["interval"][1] - e["interval"][0] for e in some)
    for way, (copies, size) in sums.items():
        theirs = totals[way.replace("-", "_")]
        want((theirs["copies"], theirs["bytes"]) == (copies, size), "totals of copies differ", theirs)
        rows = [a for a in totals["arguments"] if a["direction"] == way]
        want((sum(a["copies"] for a in rows), sum(a["bytes"] for a in rows)) == (copies, size), "rows differ", rows)
    kernels = totals["kernels"]
    errors = sum("error" in e["args"] for e in of("launch"))
    for name, ours in ("launches", len(of("launch"))), ("errors", errors):
        want(totals[name] == ours == sum(k[name] for k in kernels), name + " differ", totals)
    want(totals["run_time_ns"] == time(of("kernel")) == sum(k["run_time_ns"] for k in kernels), "run times", totals)
    want(totals["host_time_ns"] == time(of("host")), "host times", totals)
    want(totals["allocations"] == len(of("allocate")), "allocations", totals)


def check_stats(path, events, sums):
    kernels = sum(e["cat"] == "kernel" and "unfinished" not in e["args"] for e in events)
    ours = [kernels, *sums["to-device"], *sums["to-host"]]
    with open(path) as lines:
        theirs = [[int(n) for n in line.split()[1:]] for line in lines if line.startswith("stats ")]
    total = [sum(column) for column in zip(*theirs)]
    want(total == ours, "the program's own statistics differ", f"{total} {ours}")


def check_copies(path, events):
    ours = sorted((e["cat"], e["args"]["bytes"], e["args"]["argument"]) for e in events
                  if e["cat"] in ("to-device", "to-host") and "panic record" not in e["name"])
    theirs = []
    with open(path, errors="replace") as log:
        for line in log:
            match = COPY.search(line)
            if match and not match[3].startswith("ferry_panic_records"):
                theirs.append(("to-device" if match[1] == "host to device" else "to-host", int(match[2]), match[3]))
    want(theirs and ours == sorted(theirs), "libomptarget's copies differ", f"{sorted(theirs)} {ours}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stats")
    parser.add_argument("--copies")
    parser.add_argument("trace")
    options = parser.parse_args()
    with open(options.trace, encoding="utf-8") as file:
        trace = json.load(file)
    check_lanes(trace["traceEvents"])
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    check_launches(events)
    sums = sums_of(events)
    check_totals(trace["otherData"]["totals"], events, sums)
    if options.stats:
        check_stats(options.stats, events, sums)
    if options.copies:
        check_copies(options.copies, events)

    print("ended:", trace["otherData"]["ended"])
    processes = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
    for name in sorted(re.sub(r"\(\d+\)", "(N)", name) for name in processes.values()):
        print("process:", name)
    lanes = [e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"]
    for name, count in sorted(collections.Counter(re.sub(r"\d\d+$", "N", name) for name in lanes).items()):
        print("lane:", name, "times", count)
    lines = collections.defaultdict(lambda: [0, 0])
    for event in events:
        args = event["args"]
        key = [event["cat"], event["name"]]
        if event["cat"] == "launch":
            key += [re.sub(r"^.*/", "", args["source"]), args["shape"], args.get("device", "no device")]
        elif "device" in args:
            key.append("on " + args["device"])
        if args.get("unfinished"):
            key.append("unfinished")
        if "error" in args:
            key.append("error: " + re.sub(r"/\S*/", "", args["error"]))
        line = lines[" ".join(key)]
        line[0] += 1
        line[1] += args.get("bytes", 0)
    for key in sorted(lines):
        if not key.startswith("host"):
            print(f"{key}: {lines[key][0]} times" + (f", {lines[key][1]} bytes" if lines[key][1] else ""))


if __name__ == "__main__":
    main()
