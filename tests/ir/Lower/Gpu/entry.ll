; The entry that libomptarget starts: its own pointer, the slots, the hidden
; arguments. Buffers are global memory, and what the launch promises about them
; are attributes. No trace of the host's processor stays.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,NVPTX
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,AMDGPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_idx(i32)

; NVPTX: target triple = "nvptx64-nvidia-cuda"
; AMDGPU: target triple = "amdgcn-amd-amdhsa"

; NVPTX: define protected ptx_kernel void @{{[^ ]*}}(
; AMDGPU: define protected amdgpu_kernel void @{{[^ ]*}}(
; CHECK-SAME: ptr {{[^,]*}},
; CHECK-SAME: i64 noundef %{{[^,]*}},
; CHECK-SAME: ptr addrspace(1) noalias noundef readonly captures(none) %{{[^,]*}},
; CHECK-SAME: ptr addrspace(1) noundef {{(writeonly )?}}captures(none) %{{[^,]*}},
; CHECK-SAME: i64 noundef range(i64 1, 4294967297) %extent.x, i64 {{.*}} %extent.y, i64 {{.*}} %extent.z,
; CHECK-SAME: i64 noundef range(i64 1, 257) %block.x, i64 {{.*}} %block.y, i64 {{.*}} %block.z, i64 {{.*}} %dynamic.shared, ptr {{[^,]*}}) {{.*}}#[[ATTRIBUTES:[0-9]+]]

; An OVER launch is rounded up to whole blocks: threads past the extent leave.
; CHECK-DAG: trunc i64 %extent.x to i32
; CHECK-DAG: trunc i64 %extent.y to i32
; CHECK-DAG: trunc i64 %extent.z to i32
; CHECK: icmp
; CHECK: icmp
; CHECK: icmp
; CHECK: br i1

; CHECK-NOT: alloca
; CHECK: load float, ptr addrspace(1)
; CHECK: store float {{.*}}, ptr addrspace(1)

; NVPTX: attributes #[[ATTRIBUTES]] = {{.*}}"nvvm.maxntid"="256"
; AMDGPU: attributes #[[ATTRIBUTES]] = {{.*}}"amdgpu-flat-work-group-size"="1,256"
; CHECK-NOT: target-cpu
; CHECK-NOT: stack-protector
; AMDGPU: !{i32 1, !"amdhsa_code_object_version", i32 500}

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) noinline optnone "target-cpu"="x86-64" "stack-protector-buffer-size"="8" {
  %a = load float, ptr %block
  %p1 = getelementptr i8, ptr %block, i64 8
  %x = load ptr, ptr %p1
  %p2 = getelementptr i8, ptr %block, i64 16
  %y = load ptr, ptr %p2
  %i = call i64 @__ferry_global_idx(i32 0)
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %m = fmul float %a, %vx
  %py = getelementptr float, ptr %y, i64 %i
  store float %m, ptr %py
  ret void
}

define void @host(ptr %a, ptr %x, ptr %y, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 %n, i64 %n, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 0, ptr %a, i64 4, i64 81, ptr %x, i64 64, i64 49, ptr %y, i64 64)
  ret void
}
