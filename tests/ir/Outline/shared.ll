; Each place in the source is one object. Rust's places are constants whose
; address means nothing, of which each file has a copy.
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s

; CHECK: @ferry.dynamic_shared = external global [0 x i8], align 16
; CHECK: @ferry.shared.0 = external global [64 x i8], align 4
; CHECK: @ferry.shared.1 = external global [64 x i8], align 4
; CHECK: @ferry.shared.2 = external global [64 x i8], align 4
; CHECK-NOT: @ferry.shared.3
; CHECK-NOT: call {{.*}}@__ferry_shared
; CHECK: declare void @__ferry_sync_threads() {{.*}}#[[SYNC:[0-9]+]]
; CHECK: attributes #[[SYNC]] = {{{.*}}convergent

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare ptr @__ferry_dynamic_shared()
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@a = internal global i8 0
@b = internal global i8 0
@text1 = private unnamed_addr constant [4 x i8] c"a.rs"
@text2 = private unnamed_addr constant [4 x i8] c"a.rs"
@place1 = private unnamed_addr constant { ptr, i64 } { ptr @text1, i64 7 }
@place2 = private unnamed_addr constant { ptr, i64 } { ptr @text2, i64 7 }

define internal void @shim(ptr %block) {
  %out = load ptr, ptr %block, align 8
  %i = call i32 @__ferry_thread_idx(i32 0)
  %a1 = call ptr @shared(ptr @a)
  %a2 = call ptr @shared(ptr @a)
  %b1 = call ptr @shared(ptr @b)
  %r1 = call ptr @shared(ptr @place1)
  %r2 = call ptr @shared(ptr @place2)
  %d = call ptr @__ferry_dynamic_shared()
  store i32 1, ptr %d
  %at = getelementptr i32, ptr %a1, i32 %i
  store i32 %i, ptr %at
  %bt = getelementptr i32, ptr %b1, i32 %i
  store i32 %i, ptr %bt
  %rt = getelementptr i32, ptr %r1, i32 %i
  store i32 %i, ptr %rt
  call void @__ferry_sync_threads()
  %at2 = getelementptr i32, ptr %a2, i32 3
  %v = load i32, ptr %at2
  %rt2 = getelementptr i32, ptr %r2, i32 3
  %w = load i32, ptr %rt2
  %x = load i32, ptr %d
  %y = load i32, ptr %bt
  %s = add i32 %v, %w
  %t = add i32 %s, %x
  %u = add i32 %t, %y
  store i32 %u, ptr %out
  ret void
}

define internal ptr @shared(ptr %site) {
  %p = call ptr @__ferry_shared(ptr %site, ptr null, i64 64, i64 4)
  ret ptr %p
}

define i32 @run(ptr %out) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 1, i64 1, i64 1, i64 64, i64 1, i64 1, i64 0, i64 -1, i64 1,
      i64 49, ptr %out, i64 4)
  ret i32 %r
}
