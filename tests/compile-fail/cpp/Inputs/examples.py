"""Collects the \\code blocks of the headers below a folder into one C++ file.

Each block becomes a namespace of its own, with a #line directive so that a
compiler error points at the comment.
"""

import pathlib
import sys

headers, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
lines = ["#include <ferry/ferry.h>", "#include <bit>", "#include <cstdio>", "#include <functional>", "#include <memory>", "#include <vector>"]
count = 0
for header in sorted(headers.rglob("*.h")):
    inside = False
    for number, line in enumerate(header.read_text().splitlines(), 1):
        text = line.strip().removeprefix("///").removeprefix(" ")
        if text == "\\code":
            inside, count = True, count + 1
            lines += [f"namespace example{count} {{", f'#line {number + 1} "{header}"']
        elif text == "\\endcode":
            inside = False
            lines.append("}")
        elif inside:
            lines.append(text)
output.write_text("\n".join(lines) + "\n")
