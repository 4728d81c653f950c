; An index of 32 bits, block * 3 + thread, may wrap around between two threads: where
; it doesn't, which is tested, neighbours are loaded as a vector.
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: define internal {{.*}}.loops(
; CHECK: call <4 x float> @llvm.masked.gather{{.*}} %xp
; CHECK: load <4 x float>, ptr %xp
; CHECK: define void {{.*}}.cpu(

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare i32 @__ferry_thread_idx(i32)
declare i32 @__ferry_block_idx(i32)
declare void @__ferry_sync_threads()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@tile = internal global i8 0

define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  %t = call i32 @__ferry_thread_idx(i32 0)
  %b = call i32 @__ferry_block_idx(i32 0)
  %tile = call ptr @__ferry_shared(ptr @tile, ptr null, i64 4096, i64 4)
  %first = mul i32 %b, 3
  %at = add i32 %first, %t
  %i = zext i32 %at to i64
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %xp
  %t64 = zext i32 %t to i64
  %sp = getelementptr float, ptr %tile, i64 %t64
  store float %v, ptr %sp
  call void @__ferry_sync_threads()
  %other = xor i64 %t64, 1
  %op = getelementptr float, ptr %tile, i64 %other
  %o = load float, ptr %op
  store float %o, ptr %x
  ret void
}

define void @run(ptr %x, i64 %n) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 %n, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  ret void
}
