; What a marker says about its kernel and its fields, and that launches share a
; kernel only where shim, shape and fields agree.
;
; RUN: %opt -passes=ferry-discover -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
@saxpy = private constant [5 x i8] c"saxpy"
@file = private constant [5 x i8] c"a.cpp"
define internal void @shim(ptr %block) {
  ret void
}

; CHECK: kernel saxpy shim @shim over, block of 560 bytes, 9 slots
; CHECK-NEXT: +0 bytes 4
; CHECK-NEXT: +8 buffer read unique
; CHECK-NEXT: +16 buffer read write unique
; A struct of 20 bytes is three slots of eight; one of 512 a buffer of its own; an
; empty one takes no room.
; CHECK-NEXT: +24 bytes 20
; CHECK-NEXT: +48 bytes 0
; CHECK-NEXT: +48 bytes 496 large
; CHECK-NEXT: +544 buffer write
; CHECK-NEXT: +552 buffer scratch
; CHECK-NEXT: kernel saxpy shim @shim blocks
; CHECK-NEXT: kernel saxpy shim @shim over, block of 8 bytes, 1 slots
; CHECK-NEXT: +0 buffer read
; CHECK: launch of saxpy in @run
; CHECK: launch of saxpy in @run
; CHECK: launch of saxpy in @run
; CHECK: launch of saxpy in @again
; CHECK-NOT: kernel
define void @run(ptr %p, i64 %n) {
  %a = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @saxpy, i64 5, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 8,
      i64 0, ptr %p, i64 4, i64 81, ptr %p, i64 %n, i64 113, ptr %p, i64 %n, i64 0, ptr %p, i64 20,
      i64 0, ptr %p, i64 0, i64 0, ptr %p, i64 496, i64 33, ptr %p, i64 %n, i64 129, ptr %p, i64 %n)
  %b = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @saxpy, i64 5, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 %n, i64 1, i64 1, i64 32, i64 1, i64 1, i64 0, i64 -1, i64 0)
  %c = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @saxpy, i64 5, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 17, ptr %p, i64 %n)
  ret void
}
define void @again(ptr %p, i64 %n) {
  %a = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @saxpy, i64 5, ptr @file, i64 5, i64 9, i64 3, i64 0,
      i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 2, i64 1, i64 17, ptr %p, i64 16)
  ret void
}
