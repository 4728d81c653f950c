; A counter of 32 bits stays one in the neutral module: on a GPU a wider one takes
; two registers. On a CPU it becomes as wide as an address where that saves a
; conversion.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s --check-prefix=CPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_thread_idx(i32)

; CHECK-NOT: phi i64
; CHECK:     phi i32
; CHECK-NOT: phi i64
; CPU:       %indvars.iv{{.*}} = phi i64
define internal void @shim(ptr %block) {
entry:
  %t = call i32 @__ferry_thread_idx(i32 0)
  %p = load ptr, ptr %block
  %np = getelementptr i8, ptr %block, i64 8
  %n = load i32, ptr %np
  %some = icmp ne i32 %n, 0
  br i1 %some, label %loop, label %out

loop:
  %c = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %place = mul i32 %c, 40
  %wide = zext i32 %place to i64
  %a = getelementptr float, ptr %p, i64 %wide
  %v = load float, ptr %a
  %sum = fadd float %s, %v
  %next = add nuw i32 %c, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %store

store:
  %w = zext i32 %t to i64
  %o = getelementptr float, ptr %p, i64 %w
  store float %sum, ptr %o
  br label %out

out:
  ret void
}

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define void @host(ptr %p, ptr %n) {
  %a = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 1024, i64 0, ptr %n, i64 4)
  ret void
}
