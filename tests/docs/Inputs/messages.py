#!/usr/bin/env python3
"""Checks that every message in docs/errors.md is one that the sources can print.

    messages.py SOURCE-DIRECTORY

A message is what stands in backticks in the first column of a table there, with
`…` for what is filled in. The sources' string literals are joined where the
language would join them, and where `<<` and the like put texts together; the
fixed pieces of the message have to be in there.
"""

import pathlib
import re
import sys

SOURCES = ["compiler", "runtime", "frontends", "tools"]
KINDS = {".cpp", ".h", ".rs", ".c", ".in"}


def joined_literals(text):
    text = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    text = re.sub(r'"\s*\n\s*"', "", text)        # C++: "a" "b"
    text = re.sub(r"\\\n\s*", "", text)           # Rust: a line that goes on
    return re.sub(r"\s+", " ", text.replace('\\"', '"'))


def main():
    root = pathlib.Path(sys.argv[1])
    files = [f for folder in SOURCES for f in sorted((root / folder).rglob("*"))
             if f.suffix in KINDS and "target" not in f.parts]
    sources = "\n".join(joined_literals(f.read_text(encoding="utf-8")) for f in files)
    checked, missing = 0, []
    for line in (root / "docs" / "errors.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("| `"):
            continue
        for message in re.findall(r"`([^`]+)`", line.split(" | ")[0]):
            checked += 1
            pieces = [p.strip(" ';:,") for p in message.split("…")]
            missing += [(message, p) for p in pieces if len(p) > 3 and p not in sources]
    for message, piece in missing:
        print(f"docs/errors.md: '{message}': no source has '{piece}'")
    print(f"{checked} messages checked")
    sys.exit(1 if missing or checked < 50 else 0)


if __name__ == "__main__":
    main()
