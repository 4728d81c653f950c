; The launch may stand in an optnone function, more than once, with operands that
; are no constants; the allocas it needs do not grow the stack in a loop.
;
; RUN: env FERRY_TARGETS=cpu %opt -passes=ferry,verify -S %s | FileCheck %s --implicit-check-not='{{call|invoke}} {{.*}}@__ferry_launch'

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i64 @__ferry_global_id()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"

define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  %py = getelementptr i8, ptr %block, i64 8
  %y = load ptr, ptr %py, align 8
  %pn = getelementptr i8, ptr %block, i64 16
  %n = load i64, ptr %pn, align 8
  call void @kernel(ptr %x, ptr %y, i64 %n)
  ret void
}

define void @kernel(ptr %x, ptr %y, i64 %n) {
  %i = call i64 @__ferry_global_id()
  %yp = getelementptr float, ptr %y, i64 %i
  store float 1.0, ptr %yp
  ret void
}
; CHECK: define void @run(
; CHECK: loop:
; CHECK-NOT: alloca
; CHECK: call i32 @__ferry_run(
; CHECK-NOT: alloca
; CHECK: call i32 @__ferry_run(
; CHECK: br
define void @run(ptr %x, ptr %y, ptr %n, i64 %count, i64 %line, i64 %device) noinline optnone {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %bytes = mul i64 %k, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 %line, i64 3, i64 0,
      i64 %k, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 %device, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  %s = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 %line, i64 3, i64 1,
      i64 %k, i64 1, i64 1, i64 %count, i64 1, i64 1, i64 0, i64 %device, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}
