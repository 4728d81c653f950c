#!/usr/bin/env python3
"""Prints the code blocks of a language in a Markdown file, one after the other.

    blocks.py FILE.md LANGUAGE [HEADING]

With HEADING only those under the headings with that text. It is an error when
there is none, so that a test can't pass by finding nothing.
"""

import sys


def main():
    path, language, *heading = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    inside, wanted, found = None, not heading, []
    for line in text.splitlines():
        if inside is None and line.startswith("```"):
            inside, keep = [], wanted and line[3:] == language
        elif inside is not None and line == "```":
            if keep:
                found.append("\n".join(inside) + "\n")
            inside = None
        elif inside is not None:
            inside.append(line)
        elif line.startswith("#"):
            wanted = not heading or line.lstrip("# ") == heading[0]
    if not found:
        sys.exit(f"{path} has no block of {language}")
    sys.stdout.write("\n".join(found))


if __name__ == "__main__":
    main()
