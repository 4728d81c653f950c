#!/usr/bin/env python3
"""Builds one C++ program in many ways, runs each on every device, and wants one
answer.

    run-everywhere.py --compiler ferry-c++ SOURCE... [-- FLAG...]

Builds at -O0 to -O3, with -g and with -flto, runs on cpu and virtual, and fails
unless every build succeeds and every run exits with 0 and prints the same. That
output is printed once, for FileCheck. --ways and --devices narrow it down;
--env NAME=VALUE is passed to the runs; --keep-stderr compares stderr as well.
"""

import argparse
import os
import shlex
import subprocess
import sys

WAYS = ["-O0", "-O1 -g", "-O2", "-O3", "-O2 -flto"]


def shown(command):
    return " ".join(shlex.quote(c) for c in command)


def fail(what, command, result, way):
    print(f"run-everywhere: {what} with '{way}'\n  {shown(command)}", file=sys.stderr)
    print(f"exit status {result.returncode}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}---",
          file=sys.stderr)
    sys.exit(1)


def run(command, env=None, timeout=120):
    return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace",
                          env=env, timeout=timeout, stdin=subprocess.DEVNULL)


def main():
    arguments = sys.argv[1:]
    flags = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--output", required=True, help="where the programs go")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--devices", default=os.environ.get("FERRY_TEST_DEVICES", "cpu,virtual"))
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--keep-stderr", action="store_true")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)

    compiler = os.environ.get("FERRY_TEST_CXX", options.compiler).split()
    answer = None
    for number, way in enumerate(options.ways.split(",")):
        program = f"{options.output}.{number}"
        command = compiler + way.split() + options.sources + flags + ["-o", program]
        result = run(command)
        if result.returncode:
            fail("the build failed", command, result, way)
        if result.stderr.strip():
            fail("the build warned", command, result, way)
        for device in options.devices.split(","):
            env = dict(os.environ, FERRY_DEVICE=device)
            env.update(e.split("=", 1) for e in options.env)
            try:
                result = run([program], env)
            except subprocess.TimeoutExpired as late:
                print(f"run-everywhere: no end with '{way}' on {device}: {late}", file=sys.stderr)
                sys.exit(1)
            where = f"{way}' on '{device}"
            if result.returncode:
                fail("the run failed", [f"FERRY_DEVICE={device}", program], result, where)
            output = result.stdout + (result.stderr if options.keep_stderr else "")
            if answer is None:
                answer, first = output, where
            elif output != answer:
                fail(f"the output differs from that of '{first}':\n{answer}\nIt is so",
                     [program], result, where)
    sys.stdout.write(answer)


if __name__ == "__main__":
    main()
