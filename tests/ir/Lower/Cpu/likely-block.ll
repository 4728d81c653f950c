; A block whose size host code makes of constants: the kernel has a second version for
; that size, which the entry takes when the block is that. At -O0, too, where nothing
; is inlined, and although a call sees the shape's address.
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK:     define internal {{.*}} @[[LIKELY:ferry_likely_[0-9a-f]+]].loops(
; CHECK:     define internal {{.*}} @[[LIKELY]].loops.[[N:[0-9]+]](
; A row is a whole number of registers: nothing remains to do for single threads.
; CHECK:       store <4 x float>
; CHECK-NOT:   store float
; CHECK:     define void @[[LIKELY]].cpu(
; CHECK:       icmp eq i32 {{.*}}, 16
; CHECK:       icmp eq i32 {{.*}}, 2{{$}}
; CHECK:     likely:
; CHECK-NEXT:  {{.*}}call {{.*}} @[[LIKELY]].loops.[[N]](
; CHECK:     any:
; CHECK-NEXT:  {{.*}}call {{.*}} @[[LIKELY]].loops(

; All launches say so themselves: nothing is left to test.
; CHECK:     define internal {{.*}} @[[KNOWN:ferry_known_[0-9a-f]+]].loops(
; CHECK:       store <4 x float>
; CHECK-NOT:   store float
; CHECK:     define void @[[KNOWN]].cpu(
; CHECK-NOT:   icmp

; A size that comes from outside says nothing.
; CHECK:     define internal {{.*}} @[[OPEN:ferry_open_[0-9a-f]+]].loops(
; CHECK:       store float
; CHECK:     define void @[[OPEN]].cpu(
; CHECK-NOT:   icmp
; CHECK:       ret void

; Of two sizes, the first.
; CHECK:     define void @ferry_two_{{[0-9a-f]+}}.cpu(
; CHECK:       icmp eq i32 {{.*}}, 8
; CHECK:       icmp eq i32 {{.*}}, 4
; CHECK:     likely:

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()
declare void @look(ptr)
@likely.name = private constant [6 x i8] c"likely"
@known.name = private constant [5 x i8] c"known"
@two.name = private constant [3 x i8] c"two"
@open.name = private constant [4 x i8] c"open"
@file = private constant [5 x i8] c"a.cpp"
@tile = internal global i8 0

define internal void @likely(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @turn(ptr %x)
  ret void
}
define internal void @known(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @turn(ptr %x)
  ret void
}
define internal void @open(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @turn(ptr %x)
  ret void
}
define internal void @two(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @turn(ptr %x)
  ret void
}
define internal void @turn(ptr %x) {
  %tile = call ptr @__ferry_shared(ptr @tile, ptr null, i64 4096, i64 4)
  %tx = call i32 @__ferry_thread_idx(i32 0)
  %tx64 = zext i32 %tx to i64
  %ty = call i32 @__ferry_thread_idx(i32 1)
  %ty64 = zext i32 %ty to i64
  %row = shl i64 %ty64, 4
  %i = add i64 %row, %tx64
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %xp
  %sp = getelementptr float, ptr %tile, i64 %i
  store float %v, ptr %sp
  call void @__ferry_sync_threads()
  %j = xor i64 %i, 16
  %op = getelementptr float, ptr %tile, i64 %j
  %o = load float, ptr %op
  store float %o, ptr %xp
  ret void
}

define internal void @sides(ptr %shape, i64 %x, i64 %y) noinline optnone {
  store i64 %x, ptr %shape
  %py = getelementptr i8, ptr %shape, i64 8
  store i64 %y, ptr %py
  ret void
}
define internal void @mark(ptr %shape, ptr %x) noinline optnone {
  call void @look(ptr %shape)
  %bx = load i64, ptr %shape
  %py = getelementptr i8, ptr %shape, i64 8
  %by = load i64, ptr %py
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @likely, ptr @likely.name, i64 6, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 %bx, i64 %by, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  ret void
}
define void @run(ptr %x, i64 %n) noinline optnone {
  %shape = alloca [16 x i8], align 8
  call void @sides(ptr %shape, i64 16, i64 2)
  call void @mark(ptr %shape, ptr %x)
  %r1 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @known, ptr @known.name, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 16, i64 2, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  %r2 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @open, ptr @open.name, i64 4, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 %n, i64 2, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  %r3 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @two, ptr @two.name, i64 3, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 8, i64 4, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  %r4 = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @two, ptr @two.name, i64 3, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 9, i64 1, i64 1, i64 16, i64 4, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 4096)
  ret void
}
