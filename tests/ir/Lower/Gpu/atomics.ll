; Atomic operations are seen by the device alone, those on shared memory by the
; block. Each order that the program asks for is kept; float and double are
; added by an instruction where there is one.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s > %t.nvptx.ll
; RUN: FileCheck %s --check-prefix=NVPTX < %t.nvptx.ll
; RUN: llc -mcpu=sm_90 %t.nvptx.ll -o - | FileCheck %s --check-prefix=PTX
; RUN: %opt -passes='ferry-lower<sm_60>' -disable-output %s | llc -mcpu=sm_60 | FileCheck %s --check-prefix=OLD
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s > %t.amdgpu.ll
; RUN: FileCheck %s --check-prefix=AMDGPU < %t.amdgpu.ll
; RUN: llc -mcpu=gfx90a %t.amdgpu.ll -o - | FileCheck %s --check-prefix=GCN

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)

; NVPTX: fence syncscope("device") seq_cst
; NVPTX-NEXT: atomicrmw add ptr addrspace(1) {{.*}} syncscope("device") monotonic
; NVPTX-NEXT: fence syncscope("device") acquire
; NVPTX: atomicrmw fadd ptr addrspace(1) {{.*}} syncscope("device") monotonic
; NVPTX-NOT: fence
; NVPTX: atomicrmw fadd ptr addrspace(1) {{.*}} syncscope("device") monotonic
; NVPTX: atomicrmw fmax ptr addrspace(1) {{.*}} syncscope("device") monotonic
; NVPTX: cmpxchg weak ptr addrspace(1) {{.*}} syncscope("device") acq_rel monotonic
; NVPTX: atomicrmw umin ptr addrspace(3) {{.*}} syncscope("block") monotonic
; NVPTX: fence syncscope("block") release
; NVPTX-NEXT: atomicrmw xor ptr addrspace(3) {{.*}} syncscope("block") monotonic
; NVPTX: fence syncscope("device") acquire

; PTX: fence.sc.gpu
; PTX-NEXT: atom.global.add.u32
; PTX-NEXT: fence.acq_rel.gpu
; PTX: atom.global.add.f32
; PTX: atom.global.add.f64
; PTX: atom.relaxed.gpu.global.cas.b32
; PTX: atom.acq_rel.gpu.global.cas.b32
; PTX: atom.shared.min.u32
; PTX: fence.acq_rel.cta
; PTX: atom.shared.xor.b32
; PTX: st.release.gpu.global.b32

; OLD: membar.gl
; OLD: atom.global.add.u32
; OLD: membar.gl
; OLD: atom{{.*}}cas.b32

; AMDGPU: atomicrmw add ptr addrspace(1) {{.*}} syncscope("agent") seq_cst
; AMDGPU: atomicrmw fadd ptr addrspace(1) {{.*}} syncscope("agent") monotonic
; AMDGPU: atomicrmw umin ptr addrspace(3) {{.*}} syncscope("workgroup") monotonic
; AMDGPU: fence syncscope("agent") acquire

; GCN: global_atomic_add
; GCN: global_atomic_add_f32
; GCN: global_atomic_add_f64
; GCN: ds_min{{.*}}_u32
; GCN: ds_xor{{.*}}_b32
define internal void @shim(ptr %block) {
  %p = load ptr, ptr %block
  %np = getelementptr i8, ptr %block, i64 8
  %n = load i64, ptr %np
  %i = trunc i64 %n to i32
  %f = uitofp i64 %n to float
  %d = uitofp i64 %n to double
  %p1 = getelementptr i8, ptr %p, i64 8
  %p2 = getelementptr i8, ptr %p, i64 16
  %p3 = getelementptr i8, ptr %p, i64 24
  %p4 = getelementptr i8, ptr %p, i64 32
  %p5 = getelementptr i8, ptr %p, i64 40
  %s = call ptr @__ferry_shared(ptr @name, ptr null, i64 256, i64 8)
  %a = atomicrmw add ptr %p, i32 %i seq_cst
  %b = atomicrmw fadd ptr %p1, float %f monotonic
  %c = atomicrmw fadd ptr %p2, double %d monotonic
  %e = atomicrmw fmax ptr %p3, float %f monotonic
  %g = cmpxchg weak ptr %p4, i32 %i, i32 7 acq_rel monotonic
  %h = atomicrmw umin ptr %s, i32 %i monotonic
  %j = atomicrmw xor ptr %s, i32 %i release
  fence acquire
  %k = add i32 %h, %j
  store atomic i32 %k, ptr %p5 release, align 8
  ret void
}

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define void @host(ptr %p, ptr %n) {
  %a = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 1024, i64 0, ptr %n, i64 8)
  ret void
}
