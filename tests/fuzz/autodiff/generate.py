# Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions to differentiate: templates over the type of their numbers.

Values stay in a range where rounding is no matter: products and sums go through
bounded functions now and then. Everything else is as wild as C++ allows: arrays
overwritten in place, loops whose length depends on the values, early exits,
structs, heap blocks, copies of blocks, calls, references, recursion.
"""

import random

UNARY = ["sin({})", "cos({})", "tanh({})", "atan({})", "exp(-fabs({}))", "log(T(1.5) + {} * {})",
         "sqrt(T(0.5) + {} * {})", "fabs({})", "(-{})", "pow(T(0.5) + fabs({}), T(1.5))"]
BINARY = ["({} + {})", "({} - {})", "({} * {})", "({} / (T(1.25) + sin({})))", "fmax({}, {})", "fmin({}, {})",
          "({} * cos({}))", "({} < {} ? T(0.5) : T(1.5))"]


class Function:
    def __init__(self, rng, name, callees, recursive):
        self.rng, self.name, self.callees, self.recursive = rng, name, callees, recursive
        self.lines, self.depth, self.loops, self.fresh = [], 1, [], 0
        self.numbers = ["v0", "v1", "v2", "v3"]

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def index(self, size):
        r = self.rng
        choices = [str(r.randrange(size)), f"pick({r.choice(self.numbers)}, {size})"]
        if self.loops:
            choices += [f"({r.choice(self.loops)} + {r.randrange(size)}) % {size}"] * 3
        return r.choice(choices)

    def place(self):
        r = self.rng
        return r.choice([
            lambda: r.choice(self.numbers), lambda: r.choice(self.numbers),
            lambda: f"a[{self.index(6)}]", lambda: f"h[{self.index(6)}]",
            lambda: f"s.p", lambda: f"s.q[{self.index(4)}]", lambda: f"t[{self.index(2)}].q[{self.index(4)}]",
            lambda: f"x[{self.index(4)}]", lambda: f"link->value",
        ])()

    def value(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.2:
            return self.place() if r.random() < 0.85 else f"T({r.uniform(-2, 2):.3f})"
        if r.random() < 0.4:
            form = r.choice(UNARY)
            inner = self.value(depth - 1)
            return form.replace("{}", inner)
        form = r.choice(BINARY)
        while "{}" in form:
            form = form.replace("{}", self.value(depth - 1), 1)
        return form

    def bounded(self, depth=2):
        return f"{self.rng.choice(['sin', 'tanh', 'atan', 'cos'])}({self.value(depth)})"

    def block(self, budget):
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement(budget)
        self.depth -= 1

    def condition(self):
        r = self.rng
        if self.loops and r.random() < 0.4:
            return f"{r.choice(self.loops)} % {r.randint(2, 3)} == {r.randrange(2)}"
        return f"{self.value(1)} {r.choice('<>')} {self.value(1)}"

    def statement(self, budget):
        r = self.rng
        kinds = ["assign"] * 6 + ["update"] * 4 + ["copy", "clear", "struct", "swap", "link", "vla"]
        if self.callees:
            kinds += ["call"] * 3
        if budget > 0:
            kinds += ["if"] * 3 + ["for"] * 3 + ["while", "switch"]
        if self.loops:
            kinds += ["break", "continue"]
        getattr(self, "do_" + r.choice(kinds))(budget)

    def do_assign(self, _):
        self.emit(f"{self.place()} = {self.bounded()};")

    def do_update(self, _):
        operator = self.rng.choice(["+=", "-=", "*="])
        self.emit(f"{self.place()} {operator} {self.bounded(1)};")

    def do_copy(self, _):
        self.emit(self.rng.choice([
            "std::memcpy(a, h, sizeof a);", "std::memcpy(h, a, sizeof a);",
            "std::memmove(h + 1, h, 4 * sizeof(T));", "std::memmove(a, a + 2, 3 * sizeof(T));",
            f"std::memcpy(x, h + {self.rng.randrange(3)}, 3 * sizeof(T));"]))

    def do_clear(self, _):
        self.emit(self.rng.choice(["std::memset((void *)a, 0, 2 * sizeof(T));", "for (T &e : t[0].q) e = T(0.25);",
                                   "std::memset((void *)(h + 2), 0, 2 * sizeof(T));"]))

    def do_struct(self, _):
        self.emit(self.rng.choice(["t[1] = s;", "s = t[0];", "t[pick(s.p, 2)] = t[1];", "s.k += 1;",
                                   "{ S<T> u = s; u.p = " + self.bounded(1) + "; t[s.k & 1] = u; }"]))

    def do_swap(self, _):
        self.emit(f"{{ T keep = {self.numbers[0]}; {self.numbers[0]} = a[0]; a[0] = keep; }}")

    def do_link(self, _):
        self.emit(self.rng.choice(["link = link->next;", "link->value = " + self.bounded(1) + ";",
                                   "{ Node<T> *n = link->next; n->value += link->value * T(0.5); }"]))

    def do_vla(self, _):
        self.emit("{ T *w = (T *)std::malloc((1 + s.k % 3) * sizeof(T)); w[0] = " + self.bounded(1) +
                  "; " + self.place() + " = sin(w[0] + " + self.place() + "); std::free(w); }")

    def do_call(self, _):
        callee = self.rng.choice(self.callees)
        place = self.place()
        self.emit(f"{place} = {callee}<T>({self.bounded(1)}, {self.rng.choice(['a', 'h', 'x', 's.q'])}, "
                  f"{self.rng.choice(self.numbers)}, {self.rng.randint(0, 3)});")

    def do_if(self, budget):
        self.emit(f"if ({self.condition()}) {{")
        self.block(budget - 1)
        if self.rng.random() < 0.6:
            self.emit("} else {")
            self.block(budget - 1)
        self.emit("}")

    def do_for(self, budget):
        name = f"i{self.fresh}"
        self.fresh += 1
        bound = self.rng.choice([str(self.rng.randint(1, 4)), f"1 + pick({self.place()}, 4)"])
        self.emit(f"for (int {name} = 0, e = {bound}; {name} < e; ++{name}) {{")
        self.loops.append(name)
        self.block(budget - 1)
        self.loops.pop()
        self.emit("}")

    def do_while(self, budget):
        name = f"i{self.fresh}"
        self.fresh += 1
        self.emit(f"for (int {name} = 0; {self.condition()} && {name} < 5; ++{name}) {{")
        self.loops.append(name)
        self.block(budget - 1)
        self.loops.pop()
        self.emit("}")

    def do_switch(self, budget):
        self.emit(f"switch (pick({self.place()}, 4)) {{")
        loops, self.loops = self.loops, []  # break leaves the switch
        for case in range(3):
            self.emit(f"case {case}: {{")
            self.block(budget - 1)
            self.emit("}" + self.rng.choice([" break;", " [[fallthrough]];" if case < 2 else " break;"]))
        self.emit("default: break; }")
        self.loops = loops

    def do_break(self, _):
        self.emit(f"if ({self.condition()}) break;")

    def do_continue(self, _):
        self.emit(f"if ({self.condition()}) continue;")

    def helper(self):
        """T name(T first, T *x, T &second, int n)"""
        self.prologue("v0 = first, v1 = second")
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1)
        if self.recursive:
            self.emit(f"if (n > 0) v2 += {self.name}<T>(sin(v0 + v3), x, v1, n - 1);")
        self.emit("second = sin(v1 * v2);")
        if self.rng.random() < 0.5:
            self.emit(f"if ({self.condition()}) {{ std::free(h); return v0 * v1; }}")
        self.emit("std::free(h);")
        self.emit("return v0 + v3;")
        return f"template <class T> T {self.name}(T first, T *x, T &second, int n) {{\n" + "\n".join(self.lines) + "\n}\n"

    def prologue(self, first):
        self.emit(f"T {first}, v2 = x[0] * T(0.5), v3 = x[1] + T(0.25);")
        self.emit("T a[6] = {v0, v1, v2, v3, T(0.5), x[2]};")
        self.emit("T *h = (T *)std::malloc(6 * sizeof(T));")
        self.emit("for (int i = 0; i < 6; ++i) h[i] = a[5 - i] * T(i);")
        self.emit("S<T> s = {v3, 2, {v2, v1, v0, v3}}, t[2] = {s, s};")
        self.emit("Node<T> ring[3] = {{ring + 1, v0}, {ring + 2, v1}, {ring, v2}}, *link = ring;")

    def main(self):
        self.prologue("v0 = x[0], v1 = x[1]")
        for _ in range(self.rng.randint(5, 10)):
            self.statement(2)
        self.emit("T r = v0 + v1 * v2 - v3 + s.p * link->value;")
        self.emit("for (int i = 0; i < 6; ++i) r += a[i] * T(0.3) + h[i] * x[i % 4];")
        self.emit("for (int i = 0; i < 3; ++i) r += t[0].q[3] * t[0].q[i] * t[1].q[i] + ring[i].value;")
        self.emit("std::free(h);")
        self.emit("return r;")
        return f"template <class T> T {self.name}(T *x) {{\n" + "\n".join(self.lines) + "\n}\n"


PRELUDE = """#include "Dual.h"
template <class T> struct S { T p; int k; T q[4]; };
template <class T> struct Node { Node *next; T value; };
"""


def function(seed):
    """The functions of one seed, and the lines that check them."""
    rng = random.Random(seed)
    recursive = seed % 4 == 3
    text, callees = "", []
    for k in range(rng.randint(0, 2)):
        name = f"g{seed}_{k}"
        text += Function(rng, name, list(callees), recursive and k == 0).helper()
        callees.append(name)
    text += Function(rng, f"f{seed}", callees, False).main()
    check = f"  check<f{seed}<double>, f{seed}<Dual>>({seed});\n"
    check += f"  checkReverse<f{seed}<double>, f{seed}<Dual>>({seed});\n"
    return text, check


def program(seeds):
    parts = [function(s) for s in seeds]
    return PRELUDE + "".join(t for t, _ in parts) + "int main() {\n" + "".join(c for _, c in parts) + "}\n"
