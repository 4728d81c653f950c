# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random host programs that launch, as C++ source.

A seed is the only input, and becomes one function with helpers of its own. Kernels
are a fixed few (Inputs/Coherence.h), what is random is the host code around them:
buffers of every kind, launches on the whole or a part, reads and writes of elements,
loops and branches on what was read, aliases, helpers, exceptions, escapes.

What makes a result defined: every element is set before it can be read; indices are
taken modulo the size at run time; sizes are never 0. A buffer has roots, the
allocations in which its memory may lie. A parallel kernel gets two buffers only if
they have no root in common, or the same range twice. While somebody else has an
alias, the roots are frozen: what they own is neither freed, nor moved, nor swapped.
Parameters of a helper have roots of their own, so that callers pass distinct ones; of
a member function the object is one of them.

Every statement is numbered; program(…, without) leaves statements out, which is what
run --reduce uses. The rest stays as it was.
"""

from writer import Buffer, Object, Scope, Writer

# Of one buffer; of two, where the same range may be both; of two that are apart.
ONE = ["fill", "fill", "backwards", "add", "add", "scale", "every", "lower", "maybe", "few", "later"]
SAME = ["copy", "copy", "axpy", "where"]
APART = SAME + ["blur", "inner", "gather", "count"]
SERIAL = ["shift", "firstOf", "untilOdd"]
MOST_LAUNCHES = 400  # that a seed makes, loops and calls counted


class Helper:
    def __init__(self, name, kinds, throws, of=None):
        self.name, self.kinds, self.throws, self.cost, self.of = name, kinds, throws, 0, of


class Class:
    def __init__(self, name, members):
        self.name, self.members = name, members


class Seed(Writer):
    def __init__(self, seed, without=()):
        super().__init__(seed, without)
        self.seed, self.globals, self.helpers, self.cost, self.places = seed, [], [], 0, 0
        self.classes = []
        # Every other seed shows its buffers to nobody but itself.
        self.seen = self.chance(0.5)

    # -- statements: each takes the scope and may find that it can't be here ------

    def spend(self, s):
        if self.cost + s.times > MOST_LAUNCHES:
            return False
        self.cost += s.times
        return True

    def launch(self, s):
        mine = self.writable(s)
        if not mine or not self.spend(s):
            return False
        y = self.r.choice(mine)
        if self.chance(0.5):
            with self.block(""):
                to, n = self.range(s, y, "y")
                self.emit(f"ferry::launch<{self.r.choice(ONE)}>(ferry::over({n}), {to}, {self.value(s)});")
            return True
        others = [b for b in s.buffers if not b.roots & y.roots]
        with self.block(""):
            to, n = self.range(s, y, "y")
            if others and self.chance(0.8):
                x = self.r.choice(others)
                source, m = self.range(s, x, "x")
                kernel = self.r.choice(APART)
                n = m if kernel == "count" else f"std::min<Size>({m}, {n})"
                self.emit(f"ferry::launch<{kernel}>(ferry::over({n}), {source}, {to}, {self.value(s)});")
            elif self.chance(0.5):
                self.emit(f"ferry::launch<{self.r.choice(SAME)}>(ferry::over({n}), {to}, {to}, {self.value(s)});")
            else:
                x = self.r.choice(s.buffers)
                source, _ = self.range(s, x, "x")
                self.emit(f"ferry::launch<{self.r.choice(SERIAL)}>(ferry::over(1), {source}, {to}, {self.value(s)});")
        return True

    def launch_scalar(self, s):
        if not self.spend(s):
            return False
        x = self.r.choice(s.buffers)
        with self.block(""):
            source, n = self.range(s, x, "x")
            way = self.r.randrange(5)
            mine = [b for b in self.writable(s) if not b.roots & x.roots]
            if way < 2:
                self.emit("u32 result = h;")
                self.emit(f"ferry::launch<{self.r.choice(['sum', 'addSum'])}>(ferry::over(1), {source}, result);")
                self.emit("h = mix(h, result);")
            elif way == 2 and mine:
                y = self.r.choice(mine)
                self.emit(f"ferry::launch<sum>(ferry::over(1), {source}, {y.element(self.index(s, y))});")
            elif way == 3:
                self.emit(f"h += ferry::parallel_reduce(ferry::over({n}), 0u, [](u32 A, u32 B) {{ return A + B; }},"
                          f" [](Size I, In X) {{ return X[I]; }}, {source});")
            else:
                self.emit(f"h += bool(ferry::try_launch<check>(ferry::over(1), {source}, {self.value(s)}));")
        return True

    def parallel_for(self, s):
        mine = self.writable(s)
        if not mine or not self.spend(s):
            return False
        y = self.r.choice(mine)
        with self.block(""):
            to, n = self.range(s, y, "y")
            body = self.r.choice(["Y[I] += K", "Y[I] = u32(I) ^ K", "if (I % 3 == K % 3) Y[I] = K"])
            self.emit(f"ferry::parallel_for(ferry::over({n}), [](Size I, Out Y, u32 K) {{ {body}; }}, {to},"
                      f" {self.value(s)});")
        return True

    def read(self, s):
        b = self.r.choice(s.buffers)
        at = self.index(s, b)
        self.emit(self.r.choice([f"h = mix(h, {b.element(at)});", f"h += {b.element(at)};",
                                 f"if ({b.element(at)} % 2) h += {self.r.randrange(9)};"]))
        return True

    def write(self, s):
        mine = self.writable(s)
        if not mine:
            return False
        b = self.r.choice(mine)
        at = b.element(self.index(s, b))
        self.emit(self.r.choice([f"{at} = {self.value(s)};", f"{at} += {self.value(s)};", f"{at} = h;", f"++{at};"]))
        return True

    def host_loop(self, s):
        r, mine = self.r, self.writable(s)
        b = r.choice(s.buffers)
        i = self.name("i")
        start, step = r.choice([("0", "1"), ("0", "1"), (f"{r.randrange(20)}", str(r.randrange(1, 4)))])
        head = f"for (Size {i} = {start}; {i} < {b.size}; {i} += {step})"
        if mine and self.chance(0.6):
            y = r.choice(mine)
            here = f"{y.pointer}[{i}]" if y is b else y.element(i)
            self.emit(f"{head} {here} " + r.choice([f"= u32({i}) * {r.randrange(9)};", f"+= {b.pointer}[{i}];",
                                                    f"= {b.pointer}[{i}] + h;", "^= h;"]))
        else:
            self.emit(f"{head} " + r.choice([f"h = mix(h, {b.pointer}[{i}]);", f"h += {b.pointer}[{i}];",
                                             f"if ({b.pointer}[{i}] % 7 == 3) {{ h ^= u32({i}); break; }}"]))
        return True

    def library(self, s):
        r, mine = self.r, self.writable(s)
        b = r.choice(s.buffers)
        way = r.randrange(8)
        if not mine and way < 6:
            return False
        y = r.choice(mine) if mine else None
        with self.block(""):
            if way == 0:
                to, _ = self.range(s, y, "y")
                value = r.choice(["0", "0", "1", "255"])
                self.emit(f"auto Y = Out({to}); std::memset(Y.data(), {value}, Y.size_bytes() - {r.randrange(4)});")
            elif way == 1:
                self.emit(f"std::memmove({y.pointer}, {b.pointer}, 4 * std::min<Size>({y.size}, {b.size}));")
            elif way == 2 and not b.roots & y.roots:
                self.emit(f"std::memcpy({y.pointer}, {b.pointer}, 4 * std::min<Size>({y.size}, {b.size}));")
            elif way == 3:
                to, _ = self.range(s, y, "y")
                self.emit(f"auto Y = Out({to}); std::fill(Y.begin(), Y.end(), {r.choice(['0u', 'h', '7u'])});")
            elif way == 4:
                to, _ = self.range(s, y, "y")
                self.emit(f"auto Y = Out({to}); std::{r.choice(['sort', 'reverse'])}(Y.begin(), Y.end());")
            elif way == 5:
                self.emit(f"std::iota({y.pointer}, {y.pointer} + {y.size}, h);")
            elif way == 6:
                self.emit(f"h += std::accumulate({b.pointer}, {b.pointer} + {b.size}, 0u);")
            else:
                other = r.choice(s.buffers)
                self.emit(f"h += std::memcmp({b.pointer}, {other.pointer},"
                          f" 4 * std::min<Size>({b.size}, {other.size})) == 0;")
        return True

    def note(self, s):
        b = self.r.choice(s.buffers)
        self.places += 1
        how = [f"hashOf({b.pointer}, {b.size})", b.element(self.index(s, b)), "h"]
        if b.vector:
            how.append(f"hashOfVector({b.vector})")
        if not self.seen:
            how.append(f"hashElsewhere({b.pointer}, {b.size})")
            how.append(f"hashVectorElsewhere({b.vector})" if b.vector else "h")
        self.emit(f"note({self.places}, {self.r.choice(how)});")
        return True

    def escape(self, s):
        mine = self.writable(s)
        way = self.r.randrange(4)
        if way == 0 or not mine or self.seen:
            self.emit("nothing();")
        elif way == 1:
            y = self.r.choice(mine)
            self.emit(f"writeElsewhere({y.pointer}, {y.size}, {self.value(s)});")
        elif way == 2:
            b = self.r.choice(s.buffers)
            self.emit(f"h += hashElsewhere({b.pointer}, {b.size});")
        else:
            y = self.r.choice(mine)
            self.emit(f"{{ volatile u32 *V = {y.pointer}; h += V[({self.index(s, y)}) % {y.size}];"
                      f" V[({self.index(s, y)}) % {y.size}] = h; }}")
        return True

    # Control. Bodies are blocks of further statements.

    def body(self, s, most=3):
        for _ in range(self.r.randrange(1, most + 1)):
            self.statement(s)

    def branch(self, s):
        with self.block(f"if ({self.condition(s)})"):
            self.body(s.inside())
            if s.loop and self.chance(0.15):
                self.emit(self.r.choice(["break;", "continue;"]))
            elif s.helper and self.chance(0.15):
                self.emit("return h;")
        if self.chance(0.5):
            with self.block("else"):
                self.body(s.inside())
        return True

    def switch(self, s):
        with self.block(f"switch ({self.value(s)} % 4)"):
            for case in range(self.r.randrange(2, 5)):
                with self.block(f"case {case}:"):
                    self.body(s.inside(loop=False), 2)
                if self.chance(0.8):
                    self.emit("break;")
        return True

    def loop(self, s):
        trips = self.r.randrange(2, 7)
        if self.cost + s.times * trips > MOST_LAUNCHES:
            return False
        k = self.name("k")
        inside = s.inside(times=s.times * trips, loop=True, counters=s.counters + [k])
        way = self.r.randrange(4)
        if way == 0:
            self.emit(f"u32 {k} = 0;")
            with self.block("do", f"}} while (++{k} < {trips});"):
                self.body(inside)
        elif way == 1:
            # It ends sooner if the data says so.
            b = self.r.choice(s.buffers)
            test = f"{b.element(self.index(s, b))} % 5 != 0"
            with self.block(f"for (u32 {k} = 0; {k} < {trips} && {test}; ++{k})"):
                self.body(inside)
        else:
            bound = trips if way == 2 else f"number({trips})"
            with self.block(f"for (u32 {k} = 0; {k} < {bound}; ++{k})"):
                self.body(inside, 5)
        return True

    def catching(self, s):
        with self.block("try"):
            inside = s.inside(throws=True)
            if self.chance(0.4):
                self.local(inside)
            self.body(inside)
            self.emit(self.r.choice([f"throwIfOdd({self.value(s)});", f"if ({self.condition(s)}) throw h;"]))
            self.body(inside, 2)
        with self.block("catch (u32 what)"):
            self.emit("h ^= what;")
            self.body(s.inside(), 2)
        if self.chance(0.2):
            x = self.r.choice(s.buffers)
            self.emit(f"try {{ ferry::launch<check>(ferry::over(1), {x.span()}, {self.value(s)}); }}"
                      " catch (const ferry::error &) { ++h; }")
        return True

    def lambda_(self, s):
        if s.times > 10:
            return False
        f, k = self.name("f"), self.name("k")
        calls = self.r.randrange(1, 4)
        with self.block(f"auto {f} = [&](u32 {k})", "};"):
            self.body(s.inside(times=s.times * calls, throws=False, loop=False, helper=None, counters=s.counters + [k]))
        for _ in range(calls):
            self.emit(f"{f}({self.value(s)});")
        return True

    def thread(self, s):
        if s.times > 3 or self.seen:
            return False
        with self.block("std::thread([&]", "}).join();"):
            self.body(s.inside(throws=False, loop=False, helper=None), 3)
        return True

    # Buffers.

    def local(self, s):
        """A buffer of this block's own."""
        r = self.r
        v = self.name("v")
        n, a = f"{r.randrange(1, 200)} + {self.value(s)} % {r.randrange(1, 60)}", self.value(s)
        way = r.randrange(6)
        if self.classes and self.chance(0.3):
            self.object(s, v)
            return True
        if way == 0:
            self.emit(f"std::unique_ptr<u32[]> {v}(new u32[{n}]());".replace(n, f"{v}n"))
            self.lines.insert(-1, "  " * self.depth + f"Size {v}n = {n};")
            new = Buffer(f"{v}.get()", f"{v}n", [v], loose=True, kind="unique")
        elif way == 1:
            size = r.randrange(1, 100)
            self.emit(f"u32 {v}[{size}] = {{}};")
            new = Buffer(f"{v}", f"{size}u", [v], kind="array")
        elif way == 2 and self.spend(s):
            self.emit(f"Vector {v} = made({n}, {a});")
            new = Buffer(f"{v}.data()", f"{v}.size()", [v], v, True)
        else:
            self.emit(f"Vector {v}({n}" + r.choice(["", f", {a}"]) + ");")
            new = Buffer(f"{v}.data()", f"{v}.size()", [v], v, True)
        s.buffers.append(new)

    def object(self, s, name):
        kind, how = self.r.choice(self.classes), self.r.randrange(4)
        arguments = f"{self.r.randrange(1, 200)} + {self.value(s)} % {self.r.randrange(1, 60)}, {self.value(s)}"
        new = Object(name if how else f"(*{name})", kind)
        if how == 0:
            self.emit(f"auto {name} = std::make_unique<{kind.name}>({arguments});")
        elif how == 1:
            self.emit(f"auto {name} = {kind.name}::make({arguments});")
        else:
            self.emit(f"{kind.name} {name}({arguments});")
        s.objects.append(new)
        s.buffers += new.buffers()

    def assign(self, s):
        """One object to another of its class."""
        able = [o for o in s.objects if not o.roots & s.frozen]
        pairs = [(a, b) for a in able for b in able if a is not b and a.kind is b.kind and not a.roots & b.roots]
        if not pairs:
            return False
        a, b = (o.source for o in self.r.choice(pairs))
        self.emit(self.r.choice([f"{a} = {b};", f"std::swap({a}, {b});", f"{{ auto T = {b}; {a} = std::move(T); }}"]))
        return True

    def scratch(self, s):
        with self.block(""):
            inside = s.inside()
            self.local(inside)
            if self.chance(0.3):
                self.local(inside)
            self.body(inside, 6)
        return True

    def alias(self, s):
        """Another way to a buffer, or to one of two."""
        r, mine = self.r, self.writable(s)
        if not mine:
            return False
        b = r.choice(mine)
        q, shift = self.name("q"), self.name("o")
        with self.block(""):
            self.emit(f"Size {shift} = {self.value(s)} % {b.size}, {q}n = {b.size} - {shift};")
            p, roots = f"{b.pointer} + {shift}", b.roots
            way = r.randrange(6)
            if way == 0:
                p = f"same({p})"
            elif way == 1:
                p = f"reinterpret_cast<u32 *>(reinterpret_cast<std::uintptr_t>({p}))"
            elif way == 2:
                c = r.choice(mine)
                p, roots = f"{self.condition(s)} ? {p} : {c.pointer}", b.roots | c.roots
                self.emit(f"{q}n = std::min<Size>({q}n, {c.size});")
            new = Buffer(q, f"{q}n", roots)
            if way == 3:
                self.emit(f"Holder {q}{{{p}, {q}n}};")
                new = Buffer(f"{q}.P", f"{q}.N", roots)
            elif way == 4:
                self.globals.append(f"static u32 *{q}; static Size {q}n;")
                self.globals.append(f"[[gnu::noinline]] static u32 look_{q}(u32 I) {{ return {q}[I % {q}n]; }}")
                self.globals.append(f"[[gnu::noinline]] static void change_{q}(u32 I, u32 A) {{ {q}[I % {q}n] += A; }}")
                self.lines[-1] = self.lines[-1].replace(f", {q}n", f"; {q}n")
                self.emit(f"{q} = {p};")
            else:
                self.emit(f"u32 *{q} = {p};")
            inside = s.inside(buffers=s.buffers + [new, new], frozen=s.frozen | roots)
            for _ in range(r.randrange(2, 6)):
                self.statement(inside)
                if way == 3 and self.chance(0.5):
                    self.emit(r.choice([f"h += look({q}, {self.value(s)});", f"change({q}, {self.value(s)}, h);"]))
                if way == 4 and self.chance(0.5):
                    self.emit(r.choice([f"h += look_{q}({self.value(s)});", f"change_{q}({self.value(s)}, h);"]))
        return True

    def kept(self, s):
        """The other translation unit has the address for a while."""
        mine = self.writable(s)
        if not mine or self.seen:
            return False
        b, slot = self.r.choice(mine), self.name("")
        inside = s.inside(frozen=s.frozen | b.roots)
        with self.block(""):
            self.emit(f"keep({slot}, {b.pointer}, {b.size});")
            for _ in range(self.r.randrange(2, 6)):
                self.statement(inside)
                if self.chance(0.5):
                    self.emit(self.r.choice([f"h += lookKept({slot}, {self.value(s)});",
                                             f"changeKept({slot}, {self.value(s)}, h);"]))
            self.emit(f"forget({slot});")
        return True

    def movable(self, s):
        return [b for b in s.buffers if b.loose and not b.roots & s.frozen]

    def swap(self, s):
        r = self.r
        groups = {}
        for b in self.movable(s):
            groups.setdefault("vector" if b.vector else b.kind, []).append(b)
        for group in r.sample(list(groups.values()), len(groups)):
            if len(group) < 2:
                continue
            a, b = r.sample(group, 2)
            if not a.vector:
                mine, other = (x.pointer.removesuffix(".get()") for x in (a, b))
                self.emit(f"std::swap({mine}, {other}); std::swap({a.size}, {b.size});")
            else:
                self.emit(r.choice([f"std::swap({a.vector}, {b.vector});", f"{a.vector}.swap({b.vector});",
                                    f"{{ Vector T = std::move({a.vector}); {a.vector} = std::move({b.vector});"
                                    f" {b.vector} = std::move(T); }}"]))
            return True
        return False

    def reallocate(self, s):
        r, mine = self.r, self.movable(s)
        if not mine:
            return False
        b = r.choice(mine)
        n, a = f"{r.randrange(1, 200)} + {self.value(s)} % {r.randrange(1, 60)}", self.value(s)
        if not b.vector:
            t = self.name("t")
            self.emit(f"Size {t} = {n};")
            if b.kind == "unique":
                self.emit(f"{b.pointer.removesuffix('.get()')}.reset(new u32[{t}]());")
            elif b.kind == "malloc":
                self.emit(r.choice([
                    f"{b.pointer} = static_cast<u32 *>(std::realloc({b.pointer}, 4 * {t}));"
                    f" for (Size i = {b.size}; i < {t}; ++i) {b.pointer}[i] = {a};",
                    f"std::free({b.pointer}); {b.pointer} = static_cast<u32 *>(std::calloc({t}, 4));",
                    f"std::free({b.pointer}); {b.pointer} = static_cast<u32 *>(std::malloc(4 * {t}));"
                    f" std::iota({b.pointer}, {b.pointer} + {t}, {a});"]))
            else:
                self.emit(f"delete[] {b.pointer}; {b.pointer} = new u32[{t}]"
                          + r.choice(["();", f"; std::fill_n({b.pointer}, {t}, {a});"]))
            self.emit(f"{b.size} = {t};")
            return True
        v = b.vector
        self.emit(r.choice([f"{v}.resize({n});", f"{v}.resize({n}, {a});", f"{v}.assign({n}, {a});",
                            f"{v}.push_back({a});",
                            f"{v} = Vector({n}, {a});", f"{v}.shrink_to_fit();", f"{v}.insert({v}.begin(), {a});",
                            f"{v}.reserve({n} + {v}.size());", f"{{ Vector T = {v}; {v} = T; }}",
                            f"{v}.clear(); {v}.resize({n});"]))
        if self.chance(0.2) and self.spend(s):
            self.emit(f"{v} = through(std::move({v}), {a});")
        elif self.chance(0.2):
            self.emit(f"element({v}, {a}) = h;")
        return True

    def call(self, s):
        fitting = [f for f in self.helpers
                   if (s.throws or not f.throws) and self.cost + f.cost * s.times <= MOST_LAUNCHES]
        self.r.shuffle(fitting)
        for f in fitting:
            arguments, used, before = [], frozenset(), ""
            if f.of:
                able = [o for o in s.objects if o.kind is f.of and not o.roots & s.frozen]
                if not able:
                    continue
                o = self.r.choice(able)
                used, before = o.roots, self.r.choice([f"{o.source}.", f"{o.source}.", f"itself({o.source})."])
            for kind in f.kinds:
                able = [b for b in s.buffers if not b.roots & used and self.fits(b, kind, s)]
                if not able:
                    break
                b = self.r.choice(able)
                used |= b.roots
                arguments.append(f"{b.pointer}, {b.size}" if kind == "raw" else
                                 b.vector if kind in ("vector", "const") else b.span())
            else:
                self.cost += f.cost * s.times
                self.emit(f"h {self.r.choice(['+=', '^='])} {before}{f.name}({', '.join(arguments + [self.value(s)])});")
                return True
        return False

    @staticmethod
    def fits(b, kind, s):
        if kind == "const":
            return b.vector
        if b.const:
            return kind == "in"
        return kind != "vector" or (b.vector and b.loose and not b.roots & s.frozen)

    # -- putting together ---------------------------------------------------

    KINDS = [(launch, 30), (launch_scalar, 5), (parallel_for, 3), (read, 14), (write, 12), (host_loop, 10),
             (library, 6), (note, 4), (escape, 3), (branch, 10), (switch, 2), (loop, 8), (catching, 3),
             (lambda_, 2), (thread, 1), (scratch, 3), (alias, 4), (kept, 2), (swap, 8), (reallocate, 6), (call, 10),
             (assign, 2)]
    SIMPLE = ("launch", "launch_scalar", "parallel_for", "read", "write", "host_loop", "library", "note", "escape",
              "swap", "reallocate", "call", "assign")

    def statement(self, s):
        self.statements += 1
        number, first = self.statements, len(self.lines)
        able = [k for k in self.KINDS if s.depth < 3 or k[0].__name__ in self.SIMPLE]
        for kind in self.r.choices([k for k, _ in able], [w for _, w in able], k=8):
            if kind(self, s):
                break
            del self.lines[first:]
        self.ranges.append((number, first, len(self.lines)))

    def helper(self, of=None):
        """A function, or a member function of the class."""
        r = self.r
        name = self.name("helper")
        kinds = [r.choice(["raw", "raw", "vector", "vector", "const", "out", "in"])
                 for _ in range(r.choice([0, 0, 1, 2] if of else [1, 1, 2, 2, 3]))]
        f = Helper(name, kinds, self.chance(0.15), of)
        buffers, parameters = [], []
        if of:
            buffers = Object("(*this)", of).buffers()
        for i, kind in enumerate(kinds):
            p = f"p{i}"
            parameters.append({"raw": f"u32 *{p}, Size {p}n", "vector": f"Vector &{p}", "const": f"const Vector &{p}",
                               "out": f"Out {p}", "in": f"In {p}"}[kind])
            if kind == "raw":
                buffers.append(Buffer(p, f"{p}n", [p]))
            else:
                vector = p if kind in ("vector", "const") else None
                buffers.append(Buffer(f"{p}.data()", f"{p}.size()", [p], vector, kind == "vector",
                                      kind in ("const", "in")))
        spent, self.cost = self.cost, MOST_LAUNCHES * 3 // 4
        inline = r.choice(["[[gnu::noinline]] ", "[[gnu::noinline]] ", ""])
        # Other modules can call some, and replace the body of some of these.
        inline += r.choice(["virtual ", "", "", ""]) if of else r.choice(["static ", "static ", "inline ", ""])
        recursive = self.chance(0.15)
        with self.block(f"{inline}u32 {name}({', '.join(parameters + ['u32 a'])})"):
            self.emit("u32 h = a;")
            scope = Scope(buffers, throws=f.throws, helper=f, objects=[Object("(*this)", of)] if of else [])
            for _ in range(r.randrange(2, 6)):
                self.statement(scope)
            f.cost = self.cost - MOST_LAUNCHES * 3 // 4 + 1
            if recursive:
                again = ", ".join(f"p{i}, p{i}n" if k == "raw" else f"p{i}" for i, k in enumerate(kinds))
                again += ", " if kinds else ""
                self.emit(f"if (a % 4 != 0) h += {name}({again}a % 4 - 1);")
                self.statement(scope)
                f.cost *= 4
            self.emit("return h;")
        self.cost = spent
        self.helpers.append(f)

    def class_(self):
        r = self.r
        kind = Class(self.name("Class"), [f"m{i}" for i in range(r.randrange(1, 4))])
        members = kind.members
        hidden = self.chance(0.3)
        if hidden:
            self.emit("namespace {")
        with self.block(f"struct {kind.name}", "};"):
            self.emit(f"Vector {', '.join(members)};")
            starts = ", ".join(f"{m}(n + {i}" + r.choice([")", ", a)"]) for i, m in enumerate(members))
            with self.block(f"{kind.name}(u32 n, u32 a) : {starts}"):
                if self.chance(0.5):
                    self.emit(f"ferry::launch<fill>(ferry::over({members[0]}.size()), {members[0]}, a);")
            with self.block(f"{r.choice(['', '[[gnu::noinline]] '])}static {kind.name} make(u32 n, u32 a)"):
                self.emit(f"{kind.name} made(n, a + 1);")
                self.emit(r.choice([f"made.{members[-1]}[n / 2] += a;",
                                    f"ferry::launch<add>(ferry::over(n), made.{members[0]}, a);"]))
                self.emit("return made;")
            for _ in range(r.randrange(1, 4)):
                self.helper(kind)
        if hidden:
            self.emit("}")
        self.classes.append(kind)

    def main(self):
        r = self.r
        buffers, end = [], []
        with self.block("static void run()"):
            self.emit(f"u32 h = number({r.randrange(1000)});")
            for i in range(r.randrange(2, 6)):
                b = f"b{i}"
                n = r.choice([f"{r.randrange(1, 300)}", f"number({r.randrange(1, 300)})"])
                way = r.randrange(8)
                if way < 3:
                    self.emit(f"Vector {b}({n}" + r.choice([");", f", {r.randrange(9)});"]))
                    buffers.append(Buffer(f"{b}.data()", f"{b}.size()", [b], b, True))
                elif way == 3:
                    self.emit(f"Size {b}n = {n}; u32 *{b} = new u32[{b}n]"
                              + r.choice(["();", f"; std::iota({b}, {b} + {b}n, {i}u);"]))
                    buffers.append(Buffer(b, f"{b}n", [b], loose=True))
                    end.append(f"delete[] {b};")
                elif way == 4:
                    self.emit(f"Size {b}n = {n}; u32 *{b} = static_cast<u32 *>(std::calloc({b}n, 4));")
                    buffers.append(Buffer(b, f"{b}n", [b], loose=True, kind="malloc"))
                    end.append(f"std::free({b});")
                elif way == 5:
                    self.emit(f"Size {b}n = {n}; auto {b} = std::make_unique<u32[]>({b}n);")
                    buffers.append(Buffer(f"{b}.get()", f"{b}n", [b], loose=True, kind="unique"))
                elif way == 6:
                    self.emit(f"std::vector<Vector> {b}(3, Vector({n}, {i}u));")
                    for row in range(2):
                        v = f"{b}[{row}]" if self.chance(0.5) else f"{b}[number({row})]"
                        buffers.append(Buffer(f"{v}.data()", f"{v}.size()", [b], v, True, kind="row"))
                else:
                    size = r.randrange(1, 200)
                    self.globals.append(f"static u32 {b}[{size}];")
                    self.emit(f"std::fill_n({b}, {size}, 0u);")
                    buffers.append(Buffer(b, f"{size}u", [b], kind="array"))
            scope = Scope(buffers)
            if self.classes:
                for _ in range(r.randrange(1, 3)):
                    self.object(scope, self.name("o"))
            for _ in range(r.randrange(7, 16)):
                self.statement(scope)
            buffers = scope.buffers
            for b in r.sample(buffers, len(buffers)):
                self.places += 1
                how = [f"hashOf({b.pointer}, {b.size})"] * 3
                how.append(how[0] if self.seen else f"hashElsewhere({b.pointer}, {b.size})")
                self.emit(f"note({self.places}, {r.choice(how)});")
            self.emit("note(0, h);")
            for line in end:
                self.emit(line)

    def source(self):
        functions = []
        for _ in range(self.r.randrange(0, 4)):
            self.helper()
            functions += self.finish()
        for _ in range(self.r.randrange(0, 3)):
            self.class_()
            functions += self.finish()
        self.cost = 0
        self.main()
        functions += self.finish()
        return "\n".join([f"namespace case{self.seed} {{", *self.globals, *functions, "}", ""])


def program(seeds, without=()):
    """A whole translation unit. Of the seeds, and of the statements but some."""
    parts = [Seed(n, without).source() for n in seeds]
    table = ", ".join(f"{{{n}, case{n}::run}}" for n in seeds)
    return "\n".join(['#include "Coherence.h"', *parts, f"static const Seed All[] = {{{table}}};",
                      "int main(int Count, char **Arguments) { return runSeeds(All, Count, Arguments); }", ""])


def statements(seed):
    """How many statements the seed has."""
    s = Seed(seed)
    s.source()
    return s.statements


if __name__ == "__main__":
    import sys
    print(program([int(n) for n in sys.argv[1:]]))
