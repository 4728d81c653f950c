#!/usr/bin/env python3
"""Writes the device images inside a program to files, and lists them.

    list-images.py PROGRAM DIR

An image is an ELF file or LLVM bitcode that starts inside the program's own data;
its kind and architecture come from its header. Prints one line an image: kind,
architecture and file, sorted.
"""

import os
import struct
import sys

MACHINES = {62: "x86-64", 190: "nvptx", 224: "amdgcn"}


def elf_size(data, at):
    section_table, = struct.unpack_from("<Q", data, at + 40)
    entry, count = struct.unpack_from("<HH", data, at + 58)
    return section_table + entry * count


def bitcode_size(data, at):
    """Walks the top-level blocks: a word with the block's id, a word with its length."""
    end = at + 4
    while end + 8 <= len(data):
        head, words = struct.unpack_from("<II", data, end)
        if head & 3 != 1 or head >> 2 & 0xff not in (8, 13, 23, 25):  # module, identification, strtab, symtab
            break
        end += 8 + 4 * words
    return end - at


def arch(machine, flags):
    if machine == 190:  # CUDA 13 moved the SM from the lowest byte to the second
        return f"sm_{flags >> 8 & 0xff if (flags >> 8 & 0xff) >= 50 else flags & 0xff}"
    if machine == 224:  # EF_AMDGPU_MACH
        names = {0x3f: "gfx90a", 0x4c: "gfx942", 0x41: "gfx1100"}
        return names.get(flags & 0xff, hex(flags & 0xff))
    return ""


def main():
    program, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(program, "rb") as file:
        data = file.read()
    found = []
    at = 1
    while (at := data.find(b"\x7fELF\x02\x01", at)) >= 0:
        machine, = struct.unpack_from("<H", data, at + 18)
        if machine in MACHINES:
            size = elf_size(data, at)
            flags, = struct.unpack_from("<I", data, at + 48)
            found.append((MACHINES[machine], arch(machine, flags), data[at:at + size]))
            at += size
        else:
            at += 4
    at = 1
    # The magic and the head of the identification block; libferry knows the magic too.
    while (at := data.find(b"BC\xc0\xde\x35\x14\0\0", at)) >= 0:
        found.append(("bitcode", "", data[at:at + bitcode_size(data, at)]))
        at += 4
    for number, (kind, name, content) in enumerate(sorted(found)):
        path = os.path.join(folder, f"{kind}-{name or number}")
        with open(path, "wb") as file:
            file.write(content)
        print(kind, name, path)


if __name__ == "__main__":
    main()
