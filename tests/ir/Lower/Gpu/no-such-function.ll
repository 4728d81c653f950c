; Bessel functions are in CUDA's libdevice but not in libclc.
;
; RUN: not %opt -passes='ferry-lower<gfx90a>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: kernel 'bessel' calls j0, which no device library for gfx90a has

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare double @j0(double)

@name = private constant [6 x i8] c"bessel"
@file = private constant [5 x i8] c"k.cpp"

define internal void @deep(ptr %u) {
  %d = load double, ptr %u
  %j = call double @j0(double %d)
  store double %j, ptr %u
  ret void
}

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  call void @deep(ptr %u)
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
