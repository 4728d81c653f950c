# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random kernels whose result is defined, as C++ source.

A seed is the only input. What makes a result defined:

Arrays that threads share (static, 2-D, dynamic shared memory, and a block's part
of a global buffer) are each in one mode at a time:

    own      every thread touches the one element that belongs to it
    read     every thread reads any element
    atomic   every thread does one and the same integer operation on any element,
             whose order doesn't matter, and looks at no result
    single   one certain thread alone touches any element

Only a barrier changes modes. A loop or branch that holds barriers ends in the
modes that it began with, so that every way through the kernel agrees on them.

Barriers stand where control is uniform: under conditions and trip counts made
of constants, arguments, the block's index, uniform variables and elements of
arrays in mode `read`. Warp operations stand there too, or under a condition that
is the same for a warp. Arithmetic is that of Operations.h, where nothing is
undefined.

Every other kernel is launched with a block whose size the compiler doesn't see.

Threads other than 0 may return early anywhere in the kernel's own body; a warp
operation that needs a certain lane is left out then.
"""

import random

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]
TYPES = INTEGERS + ["f32", "f64"]
BINARY = ["add", "sub", "mul", "quotient", "remainder", "least", "most", "both", "either", "left", "right"]
ATOMICS = ["add", "min", "max", "and", "or", "xor"]
INPUTS = 64  # elements of the `in` buffer
COUNTERS = 16  # elements of the buffers for global atomics


class Array:
    """One that threads share. `element(i)` is the source of its i-th element."""

    def __init__(self, name, type, size, atomic, kind, slot):
        self.name, self.type, self.size, self.atomic, self.kind = name, type, size, atomic, kind
        self.slot = slot  # where a thread's own element is, as a source

    def element(self, index):
        if self.kind == "2d":
            return f"{self.name}()[({index}) / {self.width}][({index}) % {self.width}]"
        if self.kind == "global":
            return f"part[{index}]"
        return f"{self.name}()[{index}]"


class Kernel:
    def __init__(self, seed):
        self.seed, self.r = seed, random.Random(seed)
        self.over = seed % 8 == 7  # a kernel without blocks
        self.lines, self.depth, self.fresh, self.budget = [], 1, 0, self.r.choice([5, 7, 9, 12, 20])
        self.counters = []  # uniform loop counters in scope
        self.locals_in_scope = []
        self.helpers = []   # (call, modes at entry)
        self.functions = []  # sources of helper functions
        self.inside_function = False
        self.shape()
        self.may_return = not self.over and self.r.random() < 0.35

    # -- the launch ---------------------------------------------------------

    def shape(self):
        r = self.r
        dims = r.choice([1, 1, 1, 2, 2, 3])
        if self.over:
            extent = [r.randrange(1, 200)] if dims == 1 else [r.randrange(1, 20) for _ in range(dims)]
            self.grid, self.threads = (extent + [1, 1])[:3], [1, 1, 1]
            return
        if dims == 1:
            threads = [r.choice([1, 2, 7, 16, 31, 32, 33, 40, 63, 64, 65, 96, 100, 128])]
        elif dims == 2:
            threads = [r.randrange(1, 17), r.randrange(1, 8)]
        else:
            threads = [r.randrange(1, 7), r.randrange(1, 6), r.randrange(1, 4)]
        self.threads = (threads + [1, 1])[:3]
        self.grid = r.choice([[1, 1, 1], [2, 1, 1], [3, 1, 1], [5, 1, 1], [2, 2, 1], [1, 3, 1], [2, 1, 2]])

    @property
    def count(self):
        x, y, z = self.threads
        return x * y * z

    @property
    def blocks(self):
        x, y, z = self.grid
        return x * y * z

    # -- writing ------------------------------------------------------------

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.emit(text + " {")
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.emit(text)

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    # -- expressions --------------------------------------------------------

    def literal(self, type):
        r = self.r
        if type in ("f32", "f64"):
            return f"{type}({r.choice([0.0, 1.0, -1.5, 0.1, 3.25, -1000.0, 1e-3, 77.7])})"
        return f"{type}({r.choice([0, 1, 2, 3, 5, 7, 13, 31, 100, 127])})"

    def convert(self, type, text, source):
        return text if type == source else f"as<{type}>({text})"

    def readable(self):
        return [a for a in self.arrays if self.modes[a.name] == "read"]

    def owned(self):
        return [a for a in self.arrays if self.modes[a.name] == "own"]

    def uniform(self, depth=2):
        """A u32, the same on all threads of a block."""
        r = self.r
        if depth and r.random() < 0.5:
            return f"{r.choice(BINARY)}<u32>({self.uniform(depth - 1)}, {self.uniform(depth - 1)})"
        choices = [lambda: self.literal("u32"), lambda: "p0", lambda: "as<u32>(p1)", lambda: "u0",
                   lambda: f"in[{r.randrange(INPUTS)}]"]
        if not self.over:
            choices += [lambda: "bid", lambda: "u1", lambda: "ferry::block_dim().x"]
        choices += [lambda c=c: c for c in self.counters]
        for a in self.readable():
            choices.append(lambda a=a: self.convert(
                "u32", a.element(f"({self.uniform(0) if depth else 'u32(0)'}) % {a.size}"), a.type))
        return r.choice(choices)()

    def places(self):
        """Where a thread is, as u32."""
        return ["tid"] if self.over or self.inside_function else ["tid", "tid", "tx", "ty", "tz"]

    def leaf(self, type):
        r = self.r
        where = r.choice(self.places())
        choices = [lambda: self.literal(type), lambda: self.convert(type, where, "u32"),
                   lambda: self.convert(type, f"in[({self.index()}) % {INPUTS}]", "u32"),
                   lambda: self.convert(type, self.uniform(1), "u32")]
        for v, t in self.variables + self.locals_in_scope:
            choices += [lambda v=v, t=t: self.convert(type, v, t)] * 2
        for a, t, n in self.private:
            choices.append(lambda a=a, t=t, n=n: self.convert(type, f"{a}[({self.index()}) % {n}]", t))
        for a in self.readable():
            choices += [lambda a=a: self.convert(type, a.element(f"({self.index()}) % {a.size}"), a.type)] * 3
        for a in self.owned():
            choices.append(lambda a=a: self.convert(type, a.element(a.slot), a.type))
        return r.choice(choices)()

    def index(self):
        """A u32, any."""
        r = self.r
        integers = [v for v, t in self.variables if t in ("u32", "u16", "u8")]
        base = r.choice(self.places() + [f"u32({v})" for v in integers])
        return r.choice([base, base, f"{base} + {r.randrange(1, 40)}", f"{base} * {r.choice([3, 5, 17])}",
                         f"{base} ^ {r.randrange(1, 32)}"])

    def expression(self, type, depth=None):
        r = self.r
        if depth is None:
            depth = r.choice([1, 1, 2])
        if depth == 0 or r.random() < 0.2:
            return self.leaf(type)
        kind = r.random()
        if kind < 0.65:
            return f"{r.choice(BINARY)}<{type}>({self.expression(type, depth - 1)}, {self.expression(type, depth - 1)})"
        if kind < 0.75:
            return f"{r.choice(['inverted', 'rooted'])}<{type}>({self.expression(type, depth - 1)})"
        if kind < 0.87:
            return f"({self.condition(1)} ? {self.expression(type, depth - 1)} : {self.expression(type, depth - 1)})"
        other = r.choice(TYPES)
        return self.convert(type, self.expression(other, depth - 1), other)

    def condition(self, depth=1):
        type = self.r.choice(TYPES)
        compare = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        test = f"({self.expression(type, depth)} {compare} {self.expression(type, depth)})"
        return test if self.r.random() < 0.75 else f"({test} {self.r.choice(['&&', '||'])} tid % 3 != 0)"

    def uniform_condition(self):
        r = self.r
        return f"({self.uniform()} % {r.choice([2, 2, 3, 4])} {r.choice(['==', '!=', '<='])} {r.randrange(3)}u)"

    # -- statements ---------------------------------------------------------

    def spend(self):
        self.budget -= 1
        return self.budget > 0

    def statements(self, uniform, nesting, loop=None):
        for _ in range(self.r.randrange(1, 4)):
            if not self.spend():
                break
            self.statement(uniform, nesting, loop)

    def statement(self, uniform, nesting, loop):
        """`loop`: modes to restore before a break or continue; None outside, or
        "free" where there are no barriers."""
        r = self.r
        plain = [self.assign] * 4 + [self.store_private, self.store_own, self.store_own, self.own_atomic,
                                     self.shared_atomic, self.global_atomic, self.pointer]
        if nesting > 0:
            plain += [lambda: self.branch(nesting, loop), lambda: self.thread_loop(nesting),
                      lambda: self.choice(nesting)]
        if loop == "free":
            plain.append(lambda: self.emit(f"if ({self.condition()}) {r.choice(['break', 'continue'])};"))
        if not uniform or self.over:
            r.choice(plain)()
            return
        together = [self.barrier] * 3 + [self.single, self.single, self.warp, self.warp, self.set_uniform]
        if nesting > 0:
            together += [lambda: self.uniform_loop(nesting)] * 3 + \
                        [lambda: self.uniform_branch(nesting, loop), lambda: self.warp_branch(nesting),
                         lambda: self.function(nesting), lambda: self.function(nesting), self.call]
        if isinstance(loop, dict):
            together.append(lambda: self.leave_loop(loop))
        if self.may_return and not self.inside_function:
            together.append(self.early_return)
        r.choice(plain if r.random() < 0.5 else together)()

    def assign(self):
        v, t = self.r.choice(self.variables)
        if self.r.random() < 0.2:
            new = self.name("t")
            self.emit(f"{t} {new} = {self.expression(t)};")
            self.emit(f"{v} = add<{t}>({v}, {new});")
            return
        self.emit(f"{v} = {self.expression(t)};")

    def set_uniform(self):
        self.emit(f"{self.r.choice(['u0', 'u1'])} = {self.uniform()};")

    def store_private(self):
        if self.private:
            a, t, n = self.r.choice(self.private)
            self.emit(f"{a}[({self.index()}) % {n}] = {self.expression(t)};")

    def store_own(self):
        owned = self.owned()
        if owned:
            a = self.r.choice(owned)
            self.emit(f"{a.element(a.slot)} = {self.expression(a.type)};")

    def own_atomic(self):
        """An atomic on the own element, whose result is defined."""
        owned = [a for a in self.owned() if a.type in ("i32", "u32", "u64", "i64")]
        if not owned:
            return
        a = self.r.choice(owned)
        v, t = self.r.choice(self.variables)
        op = self.r.choice(ATOMICS + ["exchange", "compare_exchange"])
        if op == "compare_exchange":
            call = f"ferry::atomic_compare_exchange({a.element(a.slot)}, {self.leaf(a.type)}, {self.leaf(a.type)})"
        else:
            call = f"ferry::atomic_{op}({a.element(a.slot)}, {self.expression(a.type, 1)})"
        self.emit(f"{v} = {self.convert(t, call, a.type)};")

    def shared_atomic(self):
        atomic = [a for a in self.arrays if self.modes[a.name] == "atomic"]
        if atomic:
            a = self.r.choice(atomic)
            self.emit(f"ferry::atomic_{a.atomic}({a.element(f'({self.index()}) % {a.size}')}, "
                      f"{self.expression(a.type)});")

    def global_atomic(self):
        buffer, type, op = self.r.choice(self.buffers)
        self.emit(f"ferry::atomic_{op}({buffer}[({self.index()}) % {COUNTERS}], {self.expression(type)});")

    def pointer(self):
        """Through a pointer to private or shared memory, whichever."""
        owned = [a for a in self.owned() for _ in self.private]
        for a in owned:
            matching = [(p, n) for p, t, n in self.private if t == a.type]
            if matching:
                p, n = matching[0]
                at = self.name("at")
                self.emit(f"{a.type} *{at} = {self.condition(0)} ? &{a.element(a.slot)} : "
                          f"&{p}[({self.index()}) % {n}];")
                self.emit(f"*{at} = {self.expression(a.type)};")
                return
        self.assign()

    def block_of(self, *arguments):
        scope = list(self.locals_in_scope)
        self.statements(*arguments)
        self.locals_in_scope = scope

    def branch(self, nesting, loop):
        self.open(f"if ({self.condition()})")
        inner = loop if loop == "free" else None
        self.block_of(False, nesting - 1, inner)
        if self.r.random() < 0.4:
            self.close("} else {")
            self.depth += 1
            self.block_of(False, nesting - 1, inner)
        self.close()

    def choice(self, nesting):
        self.open(f"switch (({self.index()}) % {self.r.randrange(3, 6)})")
        for case in range(self.r.randrange(1, 4)):
            self.open(f"case {case}:")
            self.block_of(False, nesting - 1, None)
            if self.r.random() < 0.7:
                self.emit("break;")
            self.close()
        self.open("default:")
        self.assign()
        self.close()
        self.close()

    def thread_loop(self, nesting):
        i = self.name("k")
        self.open(f"for (u32 {i} = 0, {i}e = ({self.expression('u32', 1)}) % {self.r.randrange(2, 9)}; "
                  f"{i} < {i}e; ++{i})")
        self.locals_in_scope.append((i, "u32"))
        self.block_of(False, nesting - 1, "free")
        self.locals_in_scope.pop()
        self.close()

    # -- what threads do together -------------------------------------------

    def barrier(self, to=None):
        self.emit("ferry::sync_threads();")
        for a in self.arrays:
            self.modes[a.name] = to[a.name] if to else self.r.choice(
                ["own", "own", "read", "read", "single"] + (["atomic"] * 2 if a.atomic else []))

    def restore(self, modes):
        if self.modes != modes:
            self.barrier(modes)

    def single(self):
        arrays = [a for a in self.arrays if self.modes[a.name] == "single"]
        if not arrays:
            return self.barrier()
        a = self.r.choice(arrays)
        self.open(f"if (tid == {a.leader})")
        if self.r.random() < 0.5:
            i = self.name("k")
            self.open(f"for (u32 {i} = 0; {i} < {self.r.randrange(1, a.size + 1)}; ++{i})")
            self.emit(f"{a.element(i)} = add<{a.type}>({a.element(f'({i} * 7) % {a.size}')}, "
                      f"{self.convert(a.type, i, 'u32')});")
            self.close()
        self.emit(f"{a.element(f'({self.index()}) % {a.size}')} = {self.expression(a.type)};")
        self.close()

    def uniform_body(self, nesting, modes):
        self.statements(True, nesting - 1, modes)
        if self.r.random() < 0.5:
            self.barrier()
        self.restore(modes)

    def uniform_loop(self, nesting):
        r, modes = self.r, dict(self.modes)
        i, kind = self.name("k"), r.random()
        bound = f"({self.uniform()}) % {r.randrange(2, 6)}"
        if kind < 0.4:
            self.open(f"for (u32 {i} = 0; {i} < {bound}; ++{i})" if r.random() < 0.5 else
                      f"for (u32 {i} = 0, {i}e = {bound}; {i} < {i}e; ++{i})")
        elif kind < 0.7:
            self.emit(f"u32 {i} = 0;")
            self.open(f"while ({i} < {r.randrange(1, 5)} && {self.uniform_condition()})")
            self.emit(f"++{i};")
        else:
            self.emit(f"u32 {i} = 0;")
            self.open("do")
            self.emit(f"++{i};")
        self.counters.append(i)
        self.uniform_body(nesting, modes)
        if kind >= 0.7:
            self.close(f"}} while ({i} < {r.randrange(1, 4)} && {self.uniform_condition()});")
        else:
            self.close()
        self.counters.remove(i)

    def leave_loop(self, modes):
        before = dict(self.modes)
        self.open(f"if ({self.uniform_condition()})")
        self.restore(modes)
        self.emit(self.r.choice(["break;", "continue;"]))
        self.close()
        self.modes = before

    def uniform_branch(self, nesting, loop):
        modes = dict(self.modes)
        self.open(f"if ({self.uniform_condition()})")
        self.statements(True, nesting - 1, loop)
        self.restore(modes)
        if self.r.random() < 0.5:
            self.close("} else {")
            self.depth += 1
            self.statements(True, nesting - 1, loop)
            self.restore(modes)
        self.close()

    def warp(self):
        r, v, t = self.r, *self.r.choice(self.variables)
        kind = r.randrange(7)
        if kind == 0:
            call, source = f"ferry::warp::ballot({self.condition()})", "u64"
        elif kind == 1:
            call, source = f"u32(ferry::warp::{r.choice(['any', 'all'])}({self.condition()}))", "u32"
        elif kind == 2:
            source = r.choice(UNSIGNED)
            call = f"ferry::warp::reduce_{r.choice(['add', 'min', 'max'])}({self.expression(source)})"
        elif kind == 3:
            source = r.choice(["u32", "u64"])
            call = f"ferry::warp::{r.choice(['inclusive', 'exclusive'])}_scan_add({self.expression(source)})"
        elif kind == 4 and not self.may_return:
            source, last = r.choice(TYPES), self.count % 32 or 32
            call = f"ferry::warp::shuffle({self.expression(source)}, ({self.index()}) % {last})"
        elif kind == 5:
            source = r.choice(TYPES)
            call = f"ferry::warp::shuffle({self.expression(source)}, ferry::warp::lane())"
        else:
            source = r.choice(TYPES)
            call = f"ferry::warp::shuffle_{r.choice(['xor', 'up', 'down'])}({self.expression(source)}, " \
                   f"{r.choice([1, 2, 3, 4, 8, 16])})"
        self.emit(f"{v} = add<{t}>({v}, {self.convert(t, call, source)});")

    def warp_branch(self, nesting):
        """Warp operations under a condition, or in a loop, of the warp."""
        if self.r.random() < 0.5:
            self.open(f"if (tid / 32 {self.r.choice(['==', '!=', '<'])} {self.r.choice(['0u', '1u', 'bid', 'p0 % 4'])})")
        else:
            i = self.name("k")
            self.open(f"for (u32 {i} = 0; {i} < tid / 32 + {self.r.randrange(1, 3)}; ++{i})")
        self.warp()
        if self.spend():
            self.statement(False, nesting - 1, None)
            self.warp()
        self.close()

    def function(self, nesting):
        """A lambda or a function that holds some of the kernel's statements."""
        if self.inside_function:
            return
        self.inside_function = True
        outer, counters, scope, modes = self.lines, self.counters, self.locals_in_scope, dict(self.modes)
        name = self.name("f")
        lambda_ = self.r.random() < 0.5
        self.lines, self.counters, self.locals_in_scope, depth = [], [], [], self.depth
        self.depth = 1 if not lambda_ else self.depth + 1
        self.statements(True, nesting, None)
        self.barrier()
        self.statements(True, nesting, None)
        self.restore(modes)
        body, self.lines, self.counters, self.locals_in_scope, self.depth = self.lines, outer, counters, scope, depth
        if lambda_:
            self.emit(f"auto {name} = [&] {{")
            self.lines += body
            self.emit("};")
            self.emit(f"{name}();")
            if self.r.random() < 0.3:
                self.emit(f"{name}();")
        else:
            inline = self.r.choice(["", "inline ", "__attribute__((noinline)) "])
            self.functions.append(f"static {inline}void {name}_{self.seed}({self.parameters()}) {{\n" +
                                  "\n".join(body) + "\n}\n")
            call = f"{name}_{self.seed}({self.arguments()});"
            self.emit(call)
            self.helpers.append((call, modes))
        self.inside_function = False

    def call(self):
        """A function once more, where the modes are what it expects."""
        if self.helpers and not self.inside_function:
            call, modes = self.r.choice(self.helpers)
            self.restore(modes)
            self.emit(call)

    def early_return(self):
        if self.r.random() < 0.6:
            self.open(f"if (tid != 0 && ({self.condition()}))")
        else:
            self.open(f"if ({self.uniform_condition()})")
        self.finish()
        self.emit("return;")
        self.close()

    # -- the kernel ---------------------------------------------------------

    def declare(self):
        r = self.r
        self.variables = [(f"v{i}", r.choice(TYPES)) for i in range(r.randrange(3, 6))]
        self.private = [(f"a{i}", r.choice(TYPES), r.randrange(2, 7)) for i in range(r.randrange(0, 3))]
        self.buffers = [(f"c{i}", r.choice(["u32", "i32", "u64"]), r.choice(ATOMICS)) for i in range(2)]
        self.arrays, self.modes = [], {}
        self.dynamic = None
        if self.over:
            return
        n = self.count
        for i in range(r.randrange(1, 4)):
            type, name = r.choice(TYPES), f"s{i}_{self.seed}"
            atomic = r.choice(ATOMICS) if type in ("i32", "u32", "u64", "i64") else None
            if r.random() < 0.35:
                width = r.randrange(2, 18)
                rows = (n + width - 1) // width + r.randrange(0, 2)
                a = Array(name, type, rows * width, atomic, "2d", self.slot(rows * width))
                a.width, a.rows = width, rows
            else:
                size = n + r.randrange(0, 9)
                a = Array(name, type, size, atomic, "1d", self.slot(size))
            self.arrays.append(a)
        if r.random() < 0.4:
            type, size = r.choice(TYPES), n + r.randrange(0, 5)
            self.dynamic = Array(f"d_{self.seed}", type, size,
                                 r.choice(ATOMICS) if type in ("i32", "u32", "u64") else None, "dynamic",
                                 self.slot(size))
            self.arrays.append(self.dynamic)
        size = n + r.randrange(0, 4)
        self.part = Array("part", r.choice(["u32", "u64", "f32", "i64"]), size, None, "global", self.slot(size))
        if self.part.type in ("u32", "u64"):
            self.part.atomic = r.choice(ATOMICS)
        self.arrays.append(self.part)
        for a in self.arrays:
            self.modes[a.name] = "single"
            a.leader = 0 if self.may_return else r.choice([0, 0, n - 1, n // 2])

    def slot(self, size):
        return self.r.choice(["tid", f"(tid + {self.r.randrange(1, size + 1)}) % {size}",
                              f"({size - 1} - tid)"])

    def shared(self):
        return [("in", "std::span<const u32>"), ("c0", f"std::span<{self.buffers[0][1]}>"),
                ("c1", f"std::span<{self.buffers[1][1]}>"), ("p0", "u32"), ("p1", "i64"), ("p2", "f32"),
                ("tid", "u32"), ("bid", "u32"), ("part", f"std::span<{self.part.type}>")]

    def parameters(self):
        texts = [f"{t} {n}" for n, t in self.shared()] + ["u32 &u0", "u32 &u1"]
        texts += [f"{t} &{v}" for v, t in self.variables]
        texts += [f"{t} (&{a})[{n}]" for a, t, n in self.private]
        return ", ".join(texts)

    def arguments(self):
        names = [n for n, _ in self.shared()] + ["u0", "u1"] + [v for v, _ in self.variables] + \
                [a for a, _, _ in self.private]
        return ", ".join(names)

    def finish(self):
        h = self.name("h")
        self.emit(f"u64 {h} = {self.fresh};")
        for v, _ in self.variables:
            self.emit(f"{h} = mix({h}, bits({v}));")
        for a, _, n in self.private:
            self.emit(f"for (u32 i = 0; i < {n}; ++i) {h} = mix({h}, bits({a}[i]));")
        for a in self.owned():
            self.emit(f"{h} = mix({h}, bits({a.element(a.slot)}));")
        for a in self.readable():
            self.emit(f"{h} = mix({h}, bits({a.element(f'(tid * 3 + 1) % {a.size}')}));")
        self.emit(f"out[ferry::global_id()] = {h};")

    def source(self):
        self.declare()
        r, s = self.r, self.seed
        types = [("in", "std::span<const u32>"), ("out", "std::span<u64>"),
                 ("c0", f"std::span<{self.buffers[0][1]}>"), ("c1", f"std::span<{self.buffers[1][1]}>")]
        if not self.over:
            types.append(("everything", f"std::span<{self.part.type}>"))
        types += [("p0", "u32"), ("p1", "i64"), ("p2", "f32")]
        if self.over:
            self.emit("u32 tid = u32(ferry::global_id());")
            self.emit("u32 u0 = p0 + 1;")
        else:
            self.emit("const auto [tx, ty, tz] = ferry::thread_idx();")
            self.emit("const auto [bx, by, bz] = ferry::block_idx();")
            self.emit("const auto [gx, gy, gz] = ferry::grid_dim();")
            dim = [f"{self.threads[0]}u", f"{self.threads[1]}u"] if r.random() < 0.5 else \
                  ["ferry::block_dim().x", "ferry::block_dim().y"]
            self.emit(f"const u32 tid = (tz * {dim[1]} + ty) * {dim[0]} + tx;")
            self.emit("const u32 bid = (bz * gy + by) * gx + bx;")
            self.emit(f"std::span<{self.part.type}> part = everything.subspan(bid * {self.part.size}, {self.part.size});")
            self.emit("u32 u0 = p0 + 1, u1 = bid;")
        for i, (v, t) in enumerate(self.variables):
            self.emit(f"{t} {v} = {self.convert(t, f'in[(tid * {2 * i + 1}) % {INPUTS}]', 'u32')};")
        for a, t, n in self.private:
            self.emit(f"{t} {a}[{n}];")
            self.emit(f"for (u32 i = 0; i < {n}; ++i) {a}[i] = {self.convert(t, 'u32(i + tid)', 'u32')};")
        if self.arrays:
            self.start_arrays()
        while self.spend():
            self.statement(True, 3, None)
        self.finish()
        parameters = ", ".join(f"{t} {n}" for n, t in types)
        text = f"// Seed {s}\n"
        for a in self.arrays:
            if a.kind == "2d":
                text += f"static auto &{a.name}() {{ return ferry::shared<{a.type}[{a.rows}][{a.width}]>(); }}\n"
            elif a.kind == "1d":
                text += f"static auto &{a.name}() {{ return ferry::shared<{a.type}[{a.size}]>(); }}\n"
            elif a.kind == "dynamic":
                text += f"static auto {a.name}() {{ return ferry::dynamic_shared<{a.type}>(); }}\n"
        text += "".join(self.functions)
        text += f"static void kernel_{s}({parameters}) {{\n" + "\n".join(self.lines) + "\n}\n"
        return text + self.launch()

    def start_arrays(self):
        """Every element gets a value before anybody reads one."""
        if self.may_return or self.r.random() < 0.3:
            self.open("if (tid == 0)")
            first, step = "0", "1"
        else:
            self.open("")
            first, step = "tid", str(self.count)
        for a in self.arrays:
            value = self.convert(a.type, f"u32(i * {self.r.randrange(1, 50)} + 3)", "u32")
            self.emit(f"for (u32 i = {first}; i < {a.size}; i += {step}) {a.element('i')} = {value};")
        self.close()
        self.barrier()

    def launch(self):
        s, total = self.seed, self.count * self.blocks
        lines = [f"static void run_{s}(Report &report) {{",
                 f"  std::vector<u32> in = filled<u32>({INPUTS}, {s});",
                 f"  std::vector<u64> out({total}, 5);"]
        names = ["in", "out", "c0", "c1"]
        for b, t, _ in self.buffers:
            lines.append(f"  std::vector<{t}> {b} = filled<{t}>({COUNTERS}, {s + 1});")
        shape = f"ferry::over({', '.join(map(str, self.grid))})"
        if not self.over:
            lines.append(f"  std::vector<{self.part.type}> part({self.part.size * self.blocks}, 9);")
            names.append("part")
            sides = list(map(str, self.threads))
            if s % 2:
                lines.append(f"  volatile u32 sides[] = {{{', '.join(sides)}}};")
                sides = ["sides[0]", "sides[1]", "sides[2]"]
            shape = f"ferry::blocks({', '.join(map(str, self.grid))}).threads({', '.join(sides)})"
            if self.dynamic:
                shape += f".shared({self.dynamic.size} * sizeof({self.dynamic.type}))"
        r = self.r
        lines.append(f"  u32 p0 = {r.randrange(1000)}; i64 p1 = {r.randrange(-10**12, 10**12)}; f32 p2 = {r.randrange(100)};")
        lines.append(f"  ferry::launch<kernel_{s}>({shape}, {', '.join(names)}, p0, p1, p2);")
        for name in names[1:]:
            lines.append(f"  report(\"{name}\", std::span<const typename decltype({name})::value_type>({name}));")
        return "\n".join(lines) + "\n}\n"


def program(seeds):
    """The source of a program that runs these seeds' kernels."""
    text = "#ifdef FUZZ_REFERENCE\n#include \"Reference.h\"\n#else\n#include <ferry/ferry.h>\n#endif\n" \
           "#include \"Operations.h\"\n\n"
    text += "\n".join(Kernel(s).source() for s in seeds)
    text += "\nstatic const Case Cases[] = {" + ", ".join(f"{{{s}, run_{s}}}" for s in seeds) + "};\n"
    return text + "int main(int argc, char **argv) { return runCases(Cases, argc, argv); }\n"


if __name__ == "__main__":
    import sys
    print(program([int(s) for s in sys.argv[1:]]))
