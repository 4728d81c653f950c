; The marker becomes one call of libferry; module and kernel records are written and
; registered; nothing of the marker, the shim's body or the queries is left. A module
; without markers stays as it is.
;
; RUN: env FERRY_TARGETS=cpu %opt -passes=ferry,verify -S %s | FileCheck %s --implicit-check-not='{{call|invoke}} {{.*}}@__ferry_{{launch|global_id}}'
; RUN: opt -S %S/../Inputs/no-launch.ll -o %t.before && %opt -passes=ferry -S %S/../Inputs/no-launch.ll -o %t.after && cmp %t.before %t.after

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

; CHECK-DAG: @llvm.global_ctors = appending global
; CHECK-DAG: @{{.*}} = {{.*}}c"kernel\00"
; CHECK: define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count)
; CHECK: %[[R:.*]] = call i32 @__ferry_run(ptr
; CHECK-NEXT: ret i32 %[[R]]
; CHECK: define internal void @ferry_kernel_{{[0-9a-f]+}}.cpu(
; CHECK: call void @__ferry_register_module(ptr
; CHECK: call void @__ferry_unregister_module(ptr
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

