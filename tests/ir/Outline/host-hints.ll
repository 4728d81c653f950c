; Hints for the host's processor and fences for its optimiser mean nothing on a
; device and are dropped; profile counters are the host's.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s --implicit-check-not=asm --implicit-check-not=pause --implicit-check-not=instrprof

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare void @llvm.x86.sse2.pause()
declare void @llvm.instrprof.increment(ptr, i64, i32, i32)
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@counter.name = private constant [6 x i8] c"kernel"

; CHECK: define void @ferry_kernel_
; CHECK: add i32 %{{.*}}, 7
; CHECK: ret void
define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @llvm.instrprof.increment(ptr @counter.name, i64 1, i32 1, i32 0)
  call void @llvm.x86.sse2.pause()
  call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  %v = load i32, ptr %x, align 4
  %kept = call i32 asm sideeffect "", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %v)
  %sum = add i32 %kept, 7
  store i32 %sum, ptr %x, align 4
  ret void
}

define i32 @main(ptr %data) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 9, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1,
      i64 49, ptr %data, i64 4)
  ret i32 %r
}
