; Functions that clang marks optnone and noinline at -O0 give the same kernel as
; optimised ones, and host-only attributes are gone.
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

; CHECK: define void @ferry_kernel_{{[0-9a-f]+}}(
; CHECK-NOT: alloca
; CHECK-NOT: br
; CHECK: fadd float
; CHECK: ret void
; CHECK-NOT: optnone
; CHECK-NOT: uwtable
; CHECK-NOT: personality
; CHECK-NOT: target-cpu
; CHECK-NOT: probe-stack
define void @kernel(ptr %x, ptr %y, i64 %n) #0 personality ptr @personality {
  %xs = alloca ptr
  %is = alloca i64
  store ptr %x, ptr %xs
  %i = call i64 @__ferry_global_id()
  store i64 %i, ptr %is
  %xr = load ptr, ptr %xs
  %ir = load i64, ptr %is
  call void @callee(ptr %xr, ptr %y, i64 %ir)
  ret void
}
define internal void @callee(ptr %x, ptr %y, i64 %i) #0 {
  %xp = getelementptr float, ptr %x, i64 %i
  %xv = load float, ptr %xp
  %yp = getelementptr float, ptr %y, i64 %i
  %s = fadd float %xv, 1.0
  store float %s, ptr %yp
  ret void
}
declare i32 @personality(...)
define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count) {
  %bytes = mul i64 %count, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  ret i32 %r
}

attributes #0 = { noinline optnone uwtable "target-cpu"="x86-64" "probe-stack"="inline-asm" "frame-pointer"="all" }
