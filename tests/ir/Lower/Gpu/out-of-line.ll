; A recursive function cannot be inlined, so its kernel leaves the launch's facts
; in shared memory. To end a thread in it, NVIDIA's GPUs exit; on AMD's the
; thread's flag is set and every caller returns.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s --check-prefix=NVPTX
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s --check-prefix=AMDGPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_block_dim(i32)
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn

; NVPTX: [[FACTS:@ferry.launch.*]] = internal {{.*}}addrspace(3) global
; NVPTX-NOT: @ferry.ended
; NVPTX: define internal {{.*}}i32 @recurse(
; NVPTX: load i{{.*}}, ptr addrspace(3) @ferry.launch
; NVPTX: call void @llvm.nvvm.exit()
; NVPTX-NEXT: unreachable
; NVPTX: define protected ptx_kernel void
; NVPTX: store i{{.*}}, ptr addrspace(3) @ferry.launch
; NVPTX: call {{.*}} @recurse(

; AMDGPU: @ferry.ended = internal {{.*}}addrspace(3) global [1024 x i8]
; AMDGPU: define internal {{.*}}i32 @recurse(
; AMDGPU: call {{.*}} @recurse(
; AMDGPU: load i8, ptr addrspace(3)
; AMDGPU: store i8 1, ptr addrspace(3)
; AMDGPU: define protected amdgpu_kernel void
; AMDGPU: store i8 0, ptr addrspace(3)
; AMDGPU: call {{.*}} @recurse(
; AMDGPU: [[FLAG:%.*]] = load i8, ptr addrspace(3)
; AMDGPU: icmp eq i8 [[FLAG]], 0

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"
@text = private constant [6 x i8] c"n < 9\00"

define internal i32 @recurse(i32 %n) {
  switch i32 %n, label %more [ i32 0, label %done
                               i32 9, label %bad ]
done:
  %b = call i32 @__ferry_block_dim(i32 1)
  ret i32 %b
bad:
  call void @__assert_fail(ptr @text, ptr @text, i32 7, ptr @text)
  unreachable
more:
  %a = sub i32 %n, 1
  %x = call i32 @recurse(i32 %a)
  %c = lshr i32 %n, 1
  %y = call i32 @recurse(i32 %c)
  %z = add i32 %x, %y
  ret i32 %z
}

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %n = load i32, ptr %u
  %r = call i32 @recurse(i32 %n)
  store i32 %r, ptr %u
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
