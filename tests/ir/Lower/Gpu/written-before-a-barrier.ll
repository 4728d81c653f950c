; What another thread writes before a barrier is read after it, though the
; launch promises that no other argument leads to the same memory. Data that is
; only read keeps the promise.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()

; CHECK: define {{.*}}_kernel void @ferry_k{{.*}}(ptr {{[^,]*}}, ptr addrspace(1) noundef captures(none) [[P:%[^,]*]], ptr addrspace(1) noalias noundef readonly
; CHECK: store i32 {{.*}}, ptr addrspace(1)
; CHECK: barrier
; CHECK: load i32, ptr addrspace(1) [[P]]
; CHECK: barrier
; CHECK: store i32 {{.*}}, ptr addrspace(1)
define internal void @shim(ptr %block) {
  %t = call i32 @__ferry_thread_idx(i32 0)
  %w = zext i32 %t to i64
  %p = load ptr, ptr %block
  %qp = getelementptr i8, ptr %block, i64 8
  %q = load ptr, ptr %qp
  %r = load i32, ptr %q
  %o = getelementptr i32, ptr %p, i64 %w
  %old = load i32, ptr %p
  %new = add i32 %old, %r
  store i32 %new, ptr %o
  call void @__ferry_sync_threads()
  %first = load i32, ptr %p
  call void @__ferry_sync_threads()
  %sum = mul i32 %first, %new
  store i32 %sum, ptr %o
  ret void
}

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define void @host(ptr %p, ptr %q) {
  %a = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 1024, i64 81, ptr %q, i64 4)
  ret void
}
