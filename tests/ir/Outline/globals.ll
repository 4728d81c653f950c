; Constants come along with their values; a mutable global is one of the launch's,
; named only where a kernel uses it.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s
; RUN: %opt -passes=ferry-outline -disable-output %s | opt -passes=verify -disable-output

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

; CHECK-DAG: @{{.*}}table{{.*}} = internal {{.*}}constant [4 x float] [float 1.0
; CHECK-DAG: @{{.*}}counter{{.*}} = {{.*}}global i32
; CHECK-NOT: unused
@table = internal constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]
@counter = global i32 5
@unused = global i32 6
define void @kernel(ptr %x, ptr %y, i64 %n) {
  %i = call i64 @__ferry_global_id()
  %j = and i64 %i, 3
  %tp = getelementptr float, ptr @table, i64 %j
  %t = load float, ptr %tp
  %yp = getelementptr float, ptr %y, i64 %i
  store float %t, ptr %yp
  %c = load i32, ptr @counter
  %d = add i32 %c, 1
  store i32 %d, ptr @counter
  ret void
}
define i32 @host() {
  %v = load i32, ptr @unused
  ret i32 %v
}
define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count) {
  %bytes = mul i64 %count, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  ret i32 %r
}

