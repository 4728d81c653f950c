#!/usr/bin/env python3
"""Counts what one program moves, written with Ferry in C++ and Rust and with
clang's OpenMP in two ways, and compares.

    transfers.py --ferry-c++ F --cargo-ferry F --crate DIR --cache DIR --clang++ C --library DIR

Works in the current folder on ferry.cpp, main.rs and openmp.cpp, of which the last
holds two programs: what one writes without much thought (naive), and, with -DEXPERT,
what an expert writes by hand. Where main.rs or openmp.cpp is missing it goes without.

All programs must print the same on the virtual device, and Ferry's also on cpu.
They run a first time with a pattern in device memory, so that a copy that was needed
and left out shows in what they print, and a second time with LIBOMPTARGET_INFO=-1,
from whose log the copies are counted (in cxx.log; cxx-eager.log is of a run where every
launch moves its data there and back). Prints one line a program, for FileCheck:

    expert  to 1 copies 4000 bytes, from 1 copies 4000 bytes
    c++     to 1 copies 4000 bytes, from 1 copies 4000 bytes

and fails unless Ferry copies no more than the expert: neither in number nor in bytes,
in each direction; with --bytes the number doesn't matter. A report of a panic, at most 64 bytes from the device, is Ferry's
own and is not counted; the line ends in ", 1 reports" then.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
from copies import copies  # noqa: E402


def fail(what, result=None):
    print(f"transfers: {what}", file=sys.stderr)
    if result:
        print(f"exit status {result.returncode}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr[-4000:]}---",
              file=sys.stderr)
    sys.exit(1)


def run(command, **environment):
    return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace", timeout=300,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))


def build(command, **environment):
    result = run(command, **environment)
    if result.returncode:
        fail(" ".join(command), result)


def build_rust(options):
    name = "transfers-" + os.path.basename(os.getcwd()).split(".")[0]
    os.makedirs("crate", exist_ok=True)
    with open("crate/Cargo.toml", "w") as manifest:
        manifest.write(f"""[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
[[bin]]
name = "{name}"
path = "{os.path.abspath("main.rs")}"
[dependencies]
ferry = {{ path = "{options.crate}" }}
[workspace]
""")
    build([options.cargo_ferry, "build", "--offline", "--release", "--manifest-path", "crate/Cargo.toml"],
          CARGO_TARGET_DIR=options.cache, CARGO_TERM_COLOR="never")
    return os.path.join(options.cache, "release", name)


def output(program, **environment):
    result = run([program], **environment)
    if result.returncode:
        fail(program, result)
    return result.stdout


class Moved:
    """What one program moved, from its log."""

    def __init__(self, log):
        self.count, self.bytes, self.reports = {"to": 0, "from": 0}, {"to": 0, "from": 0}, 0
        for direction, size, name in copies(log):
            if name.startswith("ferry_panic_records") and direction == "from" and size <= 64:
                self.reports += 1
                continue
            self.count[direction] += 1
            self.bytes[direction] += size

    def __str__(self):
        text = ", ".join(f"{d} {self.count[d]} copies {self.bytes[d]} bytes" for d in ("to", "from"))
        return text + (f", {self.reports} reports" if self.reports else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ferry-c++", dest="cxx", required=True)
    parser.add_argument("--cargo-ferry", required=True)
    parser.add_argument("--crate", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--clang++", dest="clang", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--bytes", action="store_true", help="compare bytes alone")
    options = parser.parse_args()

    programs = {}
    if os.path.exists("openmp.cpp"):
        for name, flags in ("naive", []), ("expert", ["-DEXPERT"]):
            build([options.clang, "-O2", "-g", "-std=c++20", "-fopenmp",
                   "-fopenmp-targets=x86_64-unknown-linux-gnu", "openmp.cpp", "-o", name, *flags])
            programs[name] = os.path.abspath(name)
    build([options.cxx, "-O2", "ferry.cpp", "-o", "ferry"])
    programs["c++"] = os.path.abspath("ferry")
    if os.path.exists("main.rs"):
        programs["rust"] = build_rust(options)

    answer, moved = None, {}
    for name, program in programs.items():
        ferry = name in ("c++", "rust")
        virtual = {"LD_LIBRARY_PATH": options.library, "OMP_TARGET_OFFLOAD": "MANDATORY"}
        if ferry:
            virtual["FERRY_DEVICE"] = "virtual"
        runs = {"virtual": output(program, FERRY_CHECK="coherence", **virtual)}
        log = name.replace("+", "x") + ".log"
        result = run([program], LIBOMPTARGET_INFO="-1", **virtual)
        with open(log, "w") as file:
            file.write(result.stderr)
        if result.returncode:
            fail(program, result)
        runs["virtual, logged"] = result.stdout
        if ferry:
            # Without residency, for the names of what each launch maps.
            result = run([program], LIBOMPTARGET_INFO="-1", FERRY_EAGER="1", **virtual)
            with open(name.replace("+", "x") + "-eager.log", "w") as file:
                file.write(result.stderr)
            runs["virtual, eager"] = result.stdout
        if ferry:
            runs["cpu"] = output(program, FERRY_DEVICE="cpu")
        for way, text in runs.items():
            if answer is None:
                answer = text
            if text != answer:
                fail(f"{name} on {way} prints\n{text}instead of\n{answer}")
        moved[name] = Moved(log)
        print(f"{name:7} {moved[name]}")

    for name in ("c++", "rust"):
        if name not in moved or "expert" not in moved:
            continue
        for direction in ("to", "from"):
            ours, theirs = moved[name], moved["expert"]
            more = ours.count[direction] > theirs.count[direction] and not options.bytes
            if more or ours.bytes[direction] > theirs.bytes[direction]:
                fail(f"{name} copies more {direction} the device than the expert")


if __name__ == "__main__":
    main()
