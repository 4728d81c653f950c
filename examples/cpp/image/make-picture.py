#!/usr/bin/env python3
# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws harbour.png: a ferry on a hazy day, in far too few shades of grey.

It has what the demo's filters are for: edges in all directions, gradients,
lettering, fine ripples, sensor noise, and so little contrast that only
equalisation shows half of it. Deterministic, and needs nothing but Python.
"""

import math
import random
import struct
import sys
import zlib

SIZE = 512
HORIZON = 290

FONT = {
    "F": "11111 10000 10000 11110 10000 10000 10000",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "R": "11110 10001 10001 11110 10100 10010 10001",
    "Y": "10001 10001 01010 00100 00100 00100 00100",
}


def ridge(rng, roughness, height, base):
    """A mountain line by midpoint displacement: one height per column."""
    line = [0.0] * (SIZE + 1)
    step, amplitude = SIZE, height
    while step > 1:
        for left in range(0, SIZE, step):
            middle = (line[left] + line[left + step]) / 2
            line[left + step // 2] = middle + rng.uniform(-amplitude, amplitude)
        step, amplitude = step // 2, amplitude * roughness
    return [base - abs(h) for h in line]


def draw():
    """The scene in full contrast: 0 is black, 1 is white."""
    rng = random.Random(22)
    picture = [[0.0] * SIZE for _ in range(SIZE)]

    far, near = ridge(rng, 0.55, 90, 265), ridge(rng, 0.5, 60, 292)
    for y in range(HORIZON):
        for x in range(SIZE):
            shade = 0.55 + 0.4 * y / HORIZON  # the sky brightens downwards
            sun = math.hypot(x - 385, y - 95)
            if sun < 34:
                shade = 1.0
            else:
                shade += 0.35 * math.exp(-(sun - 34) / 45)
            if y > far[x]:
                shade = 0.52 - 0.1 * (y - far[x]) / 120
            if y > near[x]:
                shade = 0.3 + 0.06 * math.sin(x * 0.9) * math.sin(y * 1.3)
            picture[y][x] = shade

    # The lake mirrors what is above it, broken by ripples that grow towards us.
    for y in range(HORIZON, SIZE):
        depth = y - HORIZON
        for x in range(SIZE):
            wave = math.sin(depth * 40 / (8 + depth) * 2.5 + 0.04 * x)
            shift = int(wave * (1 + depth / 14))
            source = min(max(x + shift, 0), SIZE - 1)
            mirrored = picture[max(HORIZON - 1 - depth, 0)][source]
            picture[y][x] = 0.62 * mirrored + 0.07 * wave + 0.04

    def rectangle(x0, y0, x1, y1, shade):
        for y in range(y0, y1):
            for x in range(x0, x1):
                picture[y][x] = shade

    # A lighthouse with its stripes and windows.
    for y in range(150, 330):
        half = 9 + (y - 150) * 10 // 180
        for x in range(80 - half, 80 + half):
            light = 0.75 + 0.25 * (80 - x) / half
            picture[y][x] = light * (0.95 if (y - 150) // 26 % 2 else 0.35)
    rectangle(68, 132, 92, 150, 0.98)
    for x in range(68, 93, 6):
        rectangle(x, 132, x + 2, 150, 0.15)
    for y in range(118, 132):
        rectangle(80 - (y - 118), y, 80 + (y - 118), y + 1, 0.12)
    for y in (190, 240, 292):
        rectangle(76, y, 84, y + 12, 0.05)
    for y in range(322, 352):
        reach = 34 + (y - 322)
        for x in range(80 - reach, 80 + reach):
            picture[y][x] = 0.2 + 0.1 * rng.random()

    # The ferry: hull, decks, portholes, funnel and her name.
    for y in range(372, 420):
        left, right = 178 + (y - 372) // 2, 452 - (y - 372)
        rectangle(left, y, right, y + 1, 0.1 if y < 412 else 0.3)
    rectangle(205, 340, 420, 372, 0.92)
    rectangle(232, 316, 392, 340, 0.85)
    rectangle(300, 288, 330, 316, 0.18)
    rectangle(300, 294, 330, 300, 0.9)
    for x in range(214, 412, 18):
        rectangle(x, 350, x + 9, 359, 0.25)
    for x in range(240, 386, 14):
        rectangle(x, 323, x + 7, 331, 0.3)
    for index, letter in enumerate("FERRY"):
        for row, bits in enumerate(FONT[letter].split()):
            for column, bit in enumerate(bits):
                if bit == "1":
                    x, y = 236 + index * 30 + column * 5, 378 + row * 4
                    rectangle(x, y, x + 5, y + 4, 0.95)
    for puff in range(9):
        cx, cy, radius = 318 + puff * 17, 278 - puff * 9, 8 + puff * 2.4
        for y in range(int(cy - radius), int(cy + radius) + 1):
            for x in range(int(cx - radius), int(cx + radius) + 1):
                inside = 1 - math.hypot(x - cx, y - cy) / radius
                if inside > 0 and 0 <= x < SIZE and 0 <= y < SIZE:
                    picture[y][x] += (0.25 - picture[y][x]) * 0.6 * inside

    # Haze squeezes all of it into a quarter of the range; the sensor adds noise.
    return [
        bytes(
            min(max(round(108 + 62 * min(shade, 1.0) + rng.gauss(0, 1.3)), 0), 255)
            for shade in line
        )
        for line in picture
    ]


def png(lines):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 0, 0, 0, 0)
    raw = b"".join(b"\0" + line for line in lines)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(raw, 9))
        + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "harbour.png"
    with open(target, "wb") as file:
        file.write(png(draw()))
