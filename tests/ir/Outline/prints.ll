; A printed line becomes a number and the values; format and kinds stay in a table,
; one row for lines that are alike. A format that is unknown or does not fit its
; values is refused where it stands.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s --implicit-check-not='@__ferry_print('
; RUN: env FERRY_TARGETS=cpu %opt -passes=ferry,verify -S %s | FileCheck %s --check-prefix=HOST
; RUN: sed 's/i64 14, i64 2, i64 1, i64 %i/i64 14, i64 2, i64 4, i64 %i/' %s > %t.ll && not %opt -passes=ferry-outline -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=MISFIT
; RUN: sed 's/ptr @format, i64 14/ptr %x, i64 14/' %s > %t.ll && not %opt -passes=ferry-outline -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare void @__ferry_print(ptr, i64, i64, ...)
declare i64 @__ferry_global_id()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@format = private constant [14 x i8] c"{:+} of {:x} \0A"
@text = private constant [5 x i8] c"done\0A"

define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @kernel(ptr %x)
  ret void
}

; CHECK: define void @ferry_kernel_
; CHECK: call void @__ferry_print.2(i32 0, i64 %{{.*}}, i64 7)
; CHECK: call void @__ferry_print.0(i32 1)
; CHECK: call void @__ferry_print.2(i32 0, i64 1, i64 2)
; HOST-DAG: c"{:+} of {:x} \0A\00"
; HOST-DAG: define internal {{.*}}void @ferry.print(
; HOST-DAG: call void @__ferry_print_line(ptr
; MISFIT: kernel 'kernel' cannot run on a device: prints with the format "{:+} of {:x} \n": a sign, '#' or '0' is for numbers
; UNKNOWN: kernel 'kernel' cannot run on a device: prints with a format that is not known when it is compiled
define void @kernel(ptr %x) {
  %i = call i64 @__ferry_global_id()
  call void (ptr, i64, i64, ...) @__ferry_print(ptr @format, i64 14, i64 2, i64 1, i64 %i, i64 0, i64 7)
  call void (ptr, i64, i64, ...) @__ferry_print(ptr @text, i64 5, i64 0)
  call void (ptr, i64, i64, ...) @__ferry_print(ptr @format, i64 14, i64 2, i64 1, i64 1, i64 0, i64 2)
  ret void
}
define i32 @run(ptr %x) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 8, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 81, ptr %x, i64 32)
  ret i32 %r
}
