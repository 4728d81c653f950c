#!/usr/bin/env python3
"""Compiles files with ferry-c++ and with clang and wants the same object bytes.

    compare-objects.py --ferry ferry-c++ --llvm BINDIR --output DIR FILE...

C++ goes to clang++, C to clang by way of -x c. Both commands get the same name for
the object, since debug info may record it.
"""

import argparse
import os
import subprocess
import sys

WAYS = ["-O0", "-O2", "-O3", "-O2 -g", "-O0 -g", "-O2 -gline-tables-only",
        "-O2 -fPIC -ffunction-sections", "-Os -march=native -DNDEBUG", "-O2 -S", "-O1 -S -emit-llvm", "-E"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ferry", required=True)
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    wrong = 0
    for path in options.files:
        language = ["-x", "c"] if path.endswith(".c") else []
        for way in options.ways.split(","):
            results = []
            for compiler in (options.ferry, os.path.join(options.llvm, "clang++")):
                out = os.path.join(options.output, "object")
                stop = [] if "-S" in way or "-E" in way else ["-c"]
                command = [compiler, *way.split(), *stop, *language, path, "-o", out]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"compare-objects: {' '.join(command)}\n{done.stdout}{done.stderr}")
                with open(out, "rb") as made:
                    results.append((made.read(), done.stdout, done.stderr))
                os.remove(out)
            if results[0] != results[1]:
                wrong += 1
                sizes = [len(r[0]) for r in results]
                print(f"compare-objects: {path} with {way}: {sizes[0]} bytes by ferry-c++, {sizes[1]} by clang++"
                      f" {results[0][1:]} {results[1][1:]}")
            else:
                print(f"same: {os.path.basename(path)} {way}")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
