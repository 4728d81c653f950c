#!/usr/bin/env python3
"""Lists the copies that libomptarget logged, or compares two logs.

    copies.py LOG                        prints "to 4000 y" and "from 4000 y", in order
    copies.py FERRY_LOG OPENMP_LOG       fails unless count, bytes and direction agree
      --report                           allows Ferry one more copy of at most 64 bytes
                                         from the device: a kernel's report of a panic
      --at-most                          fails only if Ferry makes more copies, or copies
                                         more bytes, in either direction

The logs come from LIBOMPTARGET_INFO=-1. Order does not matter for a comparison:
libomptarget walks its arguments forwards on the way in and backwards on the way
out, and clang's order of arguments is its own.
"""

import argparse
import re
import sys

COPY = re.compile(r"Copying data from (host to device|device to host),.* Size=(\d+), Name=(.*)$")


def copies(path):
    found = []
    with open(path, errors="replace") as log:
        lines = log.read().splitlines()
    if not any("Entering OpenMP kernel" in line for line in lines):
        sys.exit(f"copies.py: {path} has no kernel: was LIBOMPTARGET_INFO=-1 set?")
    for line in lines:
        if match := COPY.search(line):
            direction = "to" if match[1] == "host to device" else "from"
            found.append((direction, int(match[2]), match[3]))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--at-most", action="store_true")
    parser.add_argument("ferry")
    parser.add_argument("openmp", nargs="?")
    options = parser.parse_args()
    ours = copies(options.ferry)
    for direction, size, name in ours:
        print(direction, size, name)
    if not options.openmp:
        return
    theirs = copies(options.openmp)
    if options.at_most:
        for way in "to", "from":
            mine, yours = ([size for direction, size, _ in log if direction == way] for log in (ours, theirs))
            if len(mine) > len(yours) or sum(mine) > sum(yours):
                sys.exit(f"copies.py: Ferry copies more {way} the device\nFerry: {ours}\nOpenMP: {theirs}")
        return
    left = sorted(c[:2] for c in ours)
    for copy in theirs:
        if copy[:2] not in left:
            sys.exit(f"copies.py: OpenMP copies {copy}, Ferry does not\nFerry: {ours}\nOpenMP: {theirs}")
        left.remove(copy[:2])
    if options.report and len(left) == 1 and left[0][0] == "from" and left[0][1] <= 64:
        left = []
    if left:
        sys.exit(f"copies.py: Ferry copies {left} more than OpenMP\nFerry: {ours}\nOpenMP: {theirs}")


if __name__ == "__main__":
    main()
