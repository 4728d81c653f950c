; A buffer of a resident that is known by its handle is another field than one
; without, and its flag is in the launch's record, as is that of raw bytes that have
; no room in slots, which streams copy.
;
; RUN: %opt -passes=ferry-discover -disable-output %s | FileCheck %s
; RUN: env FERRY_TARGETS=cpu %opt -passes=ferry -S %s | FileCheck %s --check-prefix=RECORDS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"a.cpp"
define internal void @shim(ptr %block) {
  ret void
}

; CHECK: kernel k shim @shim over
; CHECK-NEXT: +0 buffer read write unique resident
; CHECK-NEXT: +8 bytes 496 large
; CHECK: kernel k shim @shim over
; CHECK-NEXT: +0 buffer read write unique
; CHECK-NOT: resident
; RECORDS: @ferry.slots{{.*}} i32 368, i32 0, {{.*}} i32 4112, i32 0,
; RECORDS: @ferry.slots{{.*}} i32 112, i32 0, {{.*}} i32 4112, i32 0,
define void @run(ptr %p, i64 %n, ptr %large) {
  %a = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2,
      i64 369, ptr %p, i64 %n, i64 0, ptr %large, i64 496)
  %b = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 4294967295, i64 2,
      i64 113, ptr %p, i64 %n, i64 0, ptr %large, i64 496)
  ret void
}
