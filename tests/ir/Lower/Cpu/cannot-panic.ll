; A kernel that cannot panic never looks at the panic record: the geometry is not
; even an argument of the loops.
;
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s --implicit-check-not=cmpxchg --implicit-check-not=ferry_panic

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

; The record's address is the geometry's field at byte 40.
; CHECK: define {{.*}}void @ferry_kernel_{{[0-9a-f]+}}.cpu(ptr {{.*}}%0, ptr {{.*}}%1, ptr {{.*}}%2, ptr {{.*}}%3, ptr {{.*}}%4)
; CHECK-NOT: ptr %1, i64 40
; CHECK: ret void
define void @kernel(ptr %x, ptr %y, i64 %n) {
  %i = call i64 @__ferry_global_id()
  %yp = getelementptr float, ptr %y, i64 %i
  store float 1.0, ptr %yp
  ret void
}
define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count) {
  %bytes = mul i64 %count, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  ret i32 %r
}

