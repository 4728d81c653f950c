; What another thread writes before a barrier is read after it: the promise that
; no other argument leads to the same memory must not turn into one that nobody
; else writes there. It stays in kernels whose threads never meet, and for what
; is only read.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()

; CHECK: define void @ferry_m_{{[0-9a-f]+}}(ptr captures(none) %{{[^,]*}}, ptr noalias readonly
; CHECK: store i32
; CHECK: call void @__ferry_sync_threads()
; CHECK: load i32
; CHECK: define void @ferry_a_{{[0-9a-f]+}}(ptr noalias {{[^%]*}}%{{[^,]*}}, ptr noalias readonly
define internal void @wait() {
  call void @__ferry_sync_threads()
  ret void
}

define internal void @meeting(ptr %block) {
  %t = call i32 @__ferry_thread_idx(i32 0)
  %w = zext i32 %t to i64
  %p = load ptr, ptr %block
  %qp = getelementptr i8, ptr %block, i64 8
  %q = load ptr, ptr %qp
  %r = load i32, ptr %q
  %o = getelementptr i32, ptr %p, i64 %w
  store i32 %r, ptr %o
  call void @wait()
  %v = load i32, ptr %o
  %d = mul i32 %v, %v
  store i32 %d, ptr %o
  ret void
}

define internal void @alone(ptr %block) {
  %p = load ptr, ptr %block
  %qp = getelementptr i8, ptr %block, i64 8
  %q = load ptr, ptr %qp
  %r = load i32, ptr %q
  store i32 %r, ptr %p
  ret void
}

@m = private constant [1 x i8] c"m"
@a = private constant [1 x i8] c"a"
@file = private constant [5 x i8] c"k.cpp"

define void @host(ptr %p, ptr %q) {
  %x = call i32 (...) @__ferry_launch(i64 1, ptr @meeting, ptr @m, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 1024, i64 81, ptr %q, i64 4)
  %y = call i32 (...) @__ferry_launch(i64 1, ptr @alone, ptr @a, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 1024, i64 81, ptr %q, i64 4)
  ret void
}
