; Calls that never return end the thread with a report: a site in the table, the
; values of a bounds check, no trace of the host's panic machinery.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s --implicit-check-not=__assert_fail --implicit-check-not=panic_bounds_check
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

@text = private constant [6 x i8] c"x < y\00"
@path = private constant [8 x i8] c"dir/a.c\00"
@function = private constant [7 x i8] c"kernel\00"
@rust.path = private constant [8 x i8] c"src/k.rs"
@place = private constant <{ ptr, [16 x i8] }> <{ ptr @rust.path, [16 x i8] c"\08\00\00\00\00\00\00\00\07\00\00\00\05\00\00\00" }>

; CHECK-DAG: ; site {{[0-9]+}}: assertion 'x < y' failed at dir/a.c:12:
; CHECK-DAG: ; site {{[0-9]+}}: index {0:u} out of bounds (len {1:u}) at src/k.rs:7:5
; CHECK: define void @ferry_kernel_
; CHECK: call void @__ferry_panic(i32 {{[0-9]+}}, i64 {{.*}}, i64 {{.*}}, i64 {{.*}}, i64 {{.*}})
; CHECK-NEXT: unreachable
; CHECK: call void @__ferry_panic(i32 {{[0-9]+}},
; CHECK-NEXT: unreachable
define void @kernel(ptr %x, ptr %y, i64 %n) {
  %i = call i64 @__ferry_global_id()
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %good, label %bad
good:
  %p = getelementptr float, ptr %y, i64 %i
  %v = load float, ptr %p
  %small = fcmp olt float %v, 5.0
  br i1 %small, label %done, label %failed
done:
  store float 1.0, ptr %p
  ret void
bad:
  call void @_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE(i64 %i, i64 %n, ptr @place)
  unreachable
failed:
  call void @__assert_fail(ptr @text, ptr @path, i32 12, ptr @function)
  unreachable
}
declare void @_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE(i64, i64, ptr) cold noreturn
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn
define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count) {
  %bytes = mul i64 %count, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  ret i32 %r
}

