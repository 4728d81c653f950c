#!/usr/bin/env python3
"""Turns a GPU module into one that the host can run.

    opt -passes='ferry-lower<sm_90>' ... | gpu-on-cpu.py > host.ll

Address spaces become one, kernels ordinary functions under the user's name, and
registers the functions thread_x() .. block_z(), lane() and exit_thread(). What
threads do together becomes functions that are also told the place in the code,
a number in its order; gpu-on-cpu.h has them all. A conversion to an integer
saturates, as GPUs' does. What each thread computes stays as it was, so that
tests can check it without a GPU.
"""

import re
import sys

DATA_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

module = sys.stdin.read()
for pattern, replacement in [
    (r'target datalayout = ".*"', f'target datalayout = "{DATA_LAYOUT}"'),
    (r'target triple = ".*"', 'target triple = "x86_64-pc-linux-gnu"'),
    (r",? ?addrspace\(\d+\)", ""),
    (r"\baddrspacecast\b", "bitcast"),
    (r"\b(ptx|amdgpu)_kernel ", ""),
    (r"@llvm\.(nvvm\.read\.ptx\.sreg\.tid|amdgcn\.workitem\.id)\.([xyz])", r"@thread_\2"),
    (r"@llvm\.(nvvm\.read\.ptx\.sreg\.ctaid|amdgcn\.workgroup\.id)\.([xyz])", r"@block_\2"),
    (r"@llvm\.nvvm\.exit\b", "@exit_thread"),
    (r"@llvm\.nvvm\.read\.ptx\.sreg\.laneid", "@lane"),
    # mbcnt counts the lanes below; the lower half starts from 0.
    (r"call (.*)i32 @llvm\.amdgcn\.mbcnt\.lo\(i32 -1, i32 0\)", r"call \1i32 @lane()"),
    (r"declare (.*)@llvm\.amdgcn\.mbcnt\.lo\(i32, i32\)", r"declare \1@lane()"),
    (r"(tail )?call .*i32 @llvm\.amdgcn\.mbcnt\.hi\(i32 -1, i32 (\S+)\)", r"add i32 \2, 0"),
    (r"@llvm\.amdgcn\.wavefrontsize", "@warp_size"),
    (r'syncscope\("[^"]*"\) ', ""),
    (r"\bferry_panic_records_[0-9a-f]{16}\b", "panic_records"),
    (r"\bferry_(\w+)_[0-9a-f]{16}\b", r"\1"),
]:
    module = re.sub(pattern, replacement, module)

declarations = set()

# What threads do together, with the place in the code as first argument.
TOGETHER = {
    "llvm.nvvm.barrier.cta.sync.aligned.all": "warp_barrier",
    "llvm.nvvm.barrier.cta.sync.all": "any_barrier",
    "llvm.nvvm.activemask": "active_mask",
    "llvm.nvvm.vote.ballot.sync": "vote_ballot",
    "llvm.nvvm.shfl.sync.idx.i32": "shuffle",
    "llvm.amdgcn.s.barrier": "warp_barrier",
    "llvm.amdgcn.ballot.i64": "wave_ballot",
    "llvm.amdgcn.ballot.i32": "wave_ballot_32",
    "llvm.amdgcn.readlane.i32": "read_lane",
    "llvm.amdgcn.ds.bpermute": "bpermute",
}
PARAMETERS = {
    "warp_barrier": "void @{}(i32)", "any_barrier": "void @{}(i32)", "active_mask": "i32 @{}(i32)",
    "vote_ballot": "i32 @{}(i32, i32, i1)", "shuffle": "i32 @{}(i32, i32, i32, i32, i32)",
    "wave_ballot": "i64 @{}(i32, i1)", "wave_ballot_32": "i32 @{}(i32, i1)",
    "read_lane": "i32 @{}(i32, i32, i32)", "bpermute": "i32 @{}(i32, i32, i32)",
}
places = 0


def together(match):
    global places
    before, name, arguments = match.groups()
    function = TOGETHER.get(name)
    if not function:
        return match.group()
    declarations.add("declare " + PARAMETERS[function].format(function) + "\n")
    # NVIDIA's barriers have a number, always 0.
    if name.startswith("llvm.nvvm.barrier"):
        arguments = ""
    places += 1
    return f"{before}@{function}(i32 {places}" + (f", {arguments})" if arguments else ")")


module = re.sub(r"(call [^@\n]*)@(llvm\.[\w.]+)\(([^)\n]*)\)", together, module)


# Instructions that libdevice asks for by name: nvvm-on-cpu.h.
module = re.sub(r"@llvm\.nvvm\.([\w.]+)", lambda match: "@nvvm_" + match.group(1).replace(".", "_"), module)

# So is its assembly, known by its instructions.
ASSEMBLY = {
    "rcp.approx.ftz.f32": "nvvm_rcp_approx_ftz_f",
    "rsqrt.approx.ftz.f64": "nvvm_root_approx_ftz_d",
    "sub.rn.f32": "nvvm_sub_rn_f",
    "sub.rn.f64": "nvvm_sub_rn_d",
    "setp.equ.f64": "nvvm_select_equal_d",
    "mad.lo.cc.u32   $0": "nvvm_mad_32",
    "mad.lo.cc.u32   r0": "nvvm_mad_64",
    "mul.lo.u32      r0": "nvvm_mul_64",
    "add.cc.u32      r0": "nvvm_add_128",
    "sub.cc.u32      r0": "nvvm_sub_128",
}


def assembly(match):
    before, text = match.groups()
    name = next(name for instruction, name in ASSEMBLY.items() if instruction in text)
    # Any type: calls say their own.
    declarations.add(f"declare void @{name}()\n")
    return f"{before}@{name}("


module = re.sub(r'(call [^"\n]*?)asm (?:\w+ )*"([^"]*)", "[^"]*"\(', assembly, module)


def saturating(match):
    sign, source, value, target = match.groups()
    suffix = {"half": "f16", "float": "f32", "double": "f64"}[source]
    name = f"@llvm.fpto{sign}i.sat.{target}.{suffix}"
    declarations.add(f"declare {target} {name}({source})\n")
    return f"call {target} {name}({source} {value})"


module = re.sub(r"\bfpto([su])i (half|float|double) (\S+) to (i\d+)", saturating, module)
sys.stdout.write(module + "".join(sorted(declarations)))
