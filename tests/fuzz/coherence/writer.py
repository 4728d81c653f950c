# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What statements of random host programs are made of: buffers, what is known of them
at a place, values, and the lines written so far."""

import contextlib
import random


class Buffer:
    """`vector` is its source as a Vector, if it is one; `loose` says that it may be
    reallocated in place; a raw one is two variables, `pointer` and `size`."""

    def __init__(self, pointer, size, roots, vector=None, loose=False, const=False, kind="raw"):
        self.pointer, self.size, self.roots = pointer, size, frozenset(roots)
        self.vector, self.loose, self.const, self.kind = vector, loose, const, kind

    def element(self, index):
        return f"{self.vector or self.pointer}[({index}) % {self.size}]"

    def span(self):
        return self.vector or f"std::span({self.pointer}, {self.size})"


class Object:
    """One of a class; its members are buffers, too."""

    def __init__(self, source, kind):
        self.source, self.kind = source, kind
        self.roots = frozenset(f"{source}.{m}" for m in kind.members)

    def buffers(self):
        return [Buffer(f"{v}.data()", f"{v}.size()", [v], v, True)
                for v in (f"{self.source}.{m}" for m in self.kind.members)]


class Scope:
    """What is known at one place of a function."""

    def __init__(self, buffers, frozen=(), times=1, depth=0, throws=False, loop=False, counters=(), helper=None,
                 objects=()):
        self.buffers, self.frozen, self.times, self.depth = list(buffers), frozenset(frozen), times, depth
        self.throws, self.loop, self.counters, self.helper = throws, loop, list(counters), helper
        self.objects = list(objects)

    def inside(self, **changes):
        new = Scope(self.buffers, self.frozen, self.times, self.depth + 1, self.throws, self.loop, self.counters,
                    self.helper, self.objects)
        for name, value in changes.items():
            setattr(new, name, value)
        return new


class Writer:
    def __init__(self, seed, without=()):
        self.without, self.r = frozenset(without), random.Random(seed)
        self.lines, self.depth, self.fresh, self.statements = [], 0, 0, 0
        self.ranges = []  # (statement, first line, line after the last)

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    @contextlib.contextmanager
    def block(self, head, tail="}"):
        self.emit(head + " {")
        self.depth += 1
        yield
        self.depth -= 1
        self.emit(tail)

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def chance(self, p):
        return self.r.random() < p

    def value(self, s):
        r = self.r
        choices = ["h", "h", f"{r.randrange(100)}u", f"number({r.randrange(100)})", f"h / {r.randrange(2, 9)}u"]
        choices += [f"u32({c})" for c in s.counters] * 2
        return r.choice(choices)

    def index(self, s, b):
        r = self.r
        return r.choice([self.value(s), f"{r.randrange(60)}u", f"{r.randrange(60)}u", "0u", f"{b.size} - 1",
                         f"h + {r.randrange(50)}u"])

    def condition(self, s):
        r = self.r
        b = r.choice(s.buffers)
        choices = [f"h % {r.choice([2, 3, 5])} == {r.randrange(2)}", f"h % 8 < {r.randrange(1, 8)}",
                   f"number({r.randrange(2)})",
                   f"{b.element(self.index(s, b))} % {r.choice([2, 3])} == 0"]
        choices += [f"{c} % {r.choice([2, 3])} == 1" for c in s.counters] * 2
        return r.choice(choices)

    def writable(self, s):
        return [b for b in s.buffers if not b.const]

    def range(self, s, b, name):
        """Emits a variable for a part of the buffer, or returns the whole."""
        if self.chance(0.6):
            return b.span(), b.size
        if self.chance(0.5):
            low, count = self.r.choice([("0", f"{self.r.randrange(100)}u"), (f"{self.r.randrange(100)}u", "4000u")])
        else:
            low, count = self.value(s), self.value(s)
        p = f"const_cast<u32 *>({b.pointer})" if b.const else b.pointer
        self.emit(f"auto {name} = cut({p}, {b.size}, {low}, {count});")
        return name, f"{name}.size()"

    def finish(self):
        """Takes the lines written so far, but for the statements left out."""
        out = {i for n, a, b in self.ranges if n in self.without for i in range(a, b)}
        text = [line for i, line in enumerate(self.lines) if i not in out]
        self.lines, self.ranges = [], []
        return text
