#!/usr/bin/env python3
"""Turns a GPU module into one that the host can run, one thread at a time.

    opt -passes='ferry-lower<sm_90>' ... | gpu-on-cpu.py > host.ll

Address spaces become one, registers become the functions thread_x() .. block_z()
and exit_thread(), and kernels ordinary functions under the user's name. A
conversion to an integer saturates, as GPUs' does. What each thread computes
stays as it was, so that tests can check it without a GPU.
"""

import re
import sys

DATA_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

module = sys.stdin.read()
for pattern, replacement in [
    (r'target datalayout = ".*"', f'target datalayout = "{DATA_LAYOUT}"'),
    (r'target triple = ".*"', 'target triple = "x86_64-pc-linux-gnu"'),
    (r" ?addrspace\(\d+\)", ""),
    (r"\baddrspacecast\b", "bitcast"),
    (r"\b(ptx|amdgpu)_kernel ", ""),
    (r"@llvm\.(nvvm\.read\.ptx\.sreg\.tid|amdgcn\.workitem\.id)\.([xyz])", r"@thread_\2"),
    (r"@llvm\.(nvvm\.read\.ptx\.sreg\.ctaid|amdgcn\.workgroup\.id)\.([xyz])", r"@block_\2"),
    (r"@llvm\.nvvm\.exit\b", "@exit_thread"),
    (r"\bferry_panic_records_[0-9a-f]{16}\b", "panic_records"),
    (r"\bferry_(\w+)_[0-9a-f]{16}\b", r"\1"),
]:
    module = re.sub(pattern, replacement, module)

declarations = set()


def saturating(match):
    sign, source, value, target = match.groups()
    suffix = {"half": "f16", "float": "f32", "double": "f64"}[source]
    name = f"@llvm.fpto{sign}i.sat.{target}.{suffix}"
    declarations.add(f"declare {target} {name}({source})\n")
    return f"call {target} {name}({source} {value})"


module = re.sub(r"\bfpto([su])i (half|float|double) (\S+) to (i\d+)", saturating, module)
sys.stdout.write(module + "".join(sorted(declarations)))
