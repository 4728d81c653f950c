#!/usr/bin/env python3
"""Builds one Rust file as a crate with cargo ferry, runs it on every device, and
wants one answer.

    run-rust-everywhere.py --output DIR FILE.rs

Makes a package in DIR whose program is FILE.rs, builds it in the dev and release
profiles, runs it on cpu and virtual, and fails unless every run exits with 0 and
prints the same on stdout, which is printed once, for FileCheck. With
--refused the build must fail, and its messages are printed instead.

All packages share one target directory, so that the ferry crate is built once;
cargo's own lock keeps concurrent tests apart.
"""

import argparse
import os
import subprocess
import sys

PROFILES = {"dev": [], "release": ["--release"]}


def fail(what, result=None):
    print(f"run-rust-everywhere: {what}", file=sys.stderr)
    if result:
        print(f"exit status {result.returncode}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}---",
              file=sys.stderr)
    sys.exit(1)


def run(command, timeout, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="backslashreplace",
                              timeout=timeout, stdin=subprocess.DEVNULL, **more)
    except subprocess.TimeoutExpired as late:
        fail(f"no end: {late}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cargo-ferry", required=True)
    parser.add_argument("--crate", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--profiles", default="dev,release")
    parser.add_argument("--devices", default=os.environ.get("FERRY_TEST_DEVICES", "cpu,virtual"))
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--cargo-flag", action="append", default=[])
    parser.add_argument("--refused", action="store_true")
    parser.add_argument("source")
    options = parser.parse_args()

    name = os.path.splitext(os.path.basename(options.source))[0].replace(".", "-")
    # Programs of different folders may share a name, and a target directory
    # keeps one program of a name.
    folder = os.path.basename(os.path.dirname(os.path.abspath(options.source)))
    name = f"{folder}-{name}"
    os.makedirs(options.output, exist_ok=True)
    with open(os.path.join(options.output, "Cargo.toml"), "w") as manifest:
        manifest.write(f"""[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
[[bin]]
name = "{name}"
path = "{os.path.abspath(options.source)}"
[dependencies]
ferry = {{ path = "{options.crate}" }}
[workspace]
""")

    answer = None
    for profile in options.profiles.split(","):
        command = [options.cargo_ferry, "build", "--offline", *PROFILES[profile], *options.cargo_flag]
        built = run(command, 300, cwd=options.output,
                    env=dict(os.environ, CARGO_TARGET_DIR=options.cache, CARGO_TERM_COLOR="never"))
        if options.refused:
            if built.returncode == 0:
                fail(f"profile {profile}: the build should have failed", built)
            answer = (answer or "") + built.stderr
            continue
        if built.returncode:
            fail(f"profile {profile}: the build failed: {' '.join(command)} in {options.output}", built)
        program = os.path.join(options.cache, "debug" if profile == "dev" else profile, name)
        for device in options.devices.split(","):
            env = dict(os.environ, FERRY_DEVICE=device)
            env.update(e.split("=", 1) for e in options.env)
            result = run([program], 120, env=env)
            where = f"profile {profile} on {device} ({program})"
            if result.returncode:
                fail(f"{where}: the run failed", result)
            if answer is None:
                answer, first = result.stdout, where
            elif result.stdout != answer:
                fail(f"{where}: the output differs from that of {first}:\n{answer}\nIt is so", result)
    sys.stdout.write(answer)


if __name__ == "__main__":
    main()
