; A front end that asks which function a call stands in gets one answer in each
; function: two instances of a template have shared memory of their own, two calls
; of one instance the same.
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s

; CHECK: @ferry.shared.0 = external global [64 x i8], align 4
; CHECK: @ferry.shared.1 = external global [64 x i8], align 4
; CHECK-NOT: @ferry.shared.2
; CHECK-NOT: __ferry_instance

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_instance()
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@site = internal global i8 0, section "ferry.device"

define internal ptr @instance_of_int() {
  %which = call ptr @__ferry_instance()
  %p = call ptr @__ferry_shared(ptr @site, ptr %which, i64 64, i64 4)
  ret ptr %p
}
define internal ptr @instance_of_float() {
  %which = call ptr @__ferry_instance()
  %p = call ptr @__ferry_shared(ptr @site, ptr %which, i64 64, i64 4)
  ret ptr %p
}

define internal void @shim(ptr %block) {
  %out = load ptr, ptr %block, align 8
  %i = call i32 @__ferry_thread_idx(i32 0)
  %a = call ptr @instance_of_int()
  %again = call ptr @instance_of_int()
  %b = call ptr @instance_of_float()
  %at = getelementptr i32, ptr %a, i32 %i
  store i32 %i, ptr %at
  %bt = getelementptr i32, ptr %b, i32 %i
  store i32 %i, ptr %bt
  call void @__ferry_sync_threads()
  %at2 = getelementptr i32, ptr %again, i32 3
  %v = load i32, ptr %at2
  %bt2 = getelementptr i32, ptr %b, i32 3
  %w = load i32, ptr %bt2
  %s = add i32 %v, %w
  store i32 %s, ptr %out
  ret void
}

define i32 @run(ptr %out) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 1, i64 1, i64 1, i64 16, i64 1, i64 1, i64 0, i64 -1, i64 1,
      i64 49, ptr %out, i64 4)
  ret i32 %r
}
