; A variable in the section ferry.device is each image's own: it starts as zeros,
; whatever the host's says, and is no global that launches copy. Code for a kind of
; device that it is not lowered for goes, and a warp's size is known before a kernel
; is cut.
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s --check-prefix=CPU
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s --check-prefix=GPU

; CHECK-NOT: ferry_global_
; CHECK: @counter = internal {{.*}}global [4 x i64] zeroinitializer
; CHECK-NOT: ferry_global_
; CPU-NOT: __ferry_
; CPU-NOT: store i64 111
; CPU: store i64 32
; CPU-NOT: store i64 111
; GPU-NOT: store i64 {{32|64}}
; GPU: store i64 111

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i32 @__ferry_on_gpu()
declare i32 @__ferry_warp_size()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@counter = linkonce_odr global [4 x i64] [i64 9, i64 9, i64 9, i64 9], section "ferry.device"

define internal void @shim(ptr %block) {
  %out = load ptr, ptr %block, align 8
  %at = getelementptr i64, ptr @counter, i64 2
  %old = atomicrmw add ptr %at, i64 1 monotonic
  %gpu = call i32 @__ferry_on_gpu()
  %is = icmp ne i32 %gpu, 0
  br i1 %is, label %there, label %here
there:
  store i64 111, ptr %out
  ret void
here:
  %size = call i32 @__ferry_warp_size()
  %wide = zext i32 %size to i64
  store i64 %wide, ptr %out
  ret void
}

define i32 @run(ptr %out) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 1, i64 1, i64 1, i64 16, i64 1, i64 1, i64 0, i64 -1, i64 1,
      i64 49, ptr %out, i64 8)
  ret i32 %r
}
