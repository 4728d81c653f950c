; A barrier in a loop: regions joined by plain branches, the tile's index
; computed again behind the barrier, the sum kept in the thread's context.
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s | FileCheck %s

; One room for the sum, four bytes a thread; the loop's counter needs none.
; CHECK: define internal {{.*}}void @[[K:ferry_kernel_[0-9a-f]+]].loops(
; CHECK-NOT: states
; CHECK-NOT: __ferry_
; CHECK-NOT: cmpxchg
; The counter in shared memory is bumped without a lock.
; CHECK-NOT: atomicrmw
; CHECK: define {{.*}}void @[[K]].cpu({{.*}} #[[CPU:[0-9]+]]
; CHECK: attributes #[[CPU]] = {{{.*}}"ferry-thread-bytes"="4"

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare i32 @__ferry_thread_idx(i32)
declare void @__ferry_sync_threads()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@tile = internal global i8 0
@count = internal global i8 0

define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  %pn = getelementptr i8, ptr %block, i64 8
  %n = load i32, ptr %pn, align 8
  %t = call i32 @__ferry_thread_idx(i32 0)
  %tile = call ptr @__ferry_shared(ptr @tile, ptr null, i64 256, i64 4)
  %count = call ptr @__ferry_shared(ptr @count, ptr null, i64 4, i64 4)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum1, %loop ]
  %at = add i32 %k, %t
  %i = zext i32 %at to i64
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %xp
  %t64 = zext i32 %t to i64
  %sp = getelementptr float, ptr %tile, i64 %t64
  store float %v, ptr %sp
  %old = atomicrmw add ptr %count, i32 1 monotonic
  call void @__ferry_sync_threads()
  %other = xor i64 %t64, 1
  %op = getelementptr float, ptr %tile, i64 %other
  %o = load float, ptr %op
  %sum1 = fadd float %sum, %o
  call void @__ferry_sync_threads()
  %k1 = add i32 %k, 64
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %yp = getelementptr float, ptr %x, i64 %t64
  store float %sum1, ptr %yp
  ret void
}

define i32 @run(ptr %x, ptr %n) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 1,
      i64 1, i64 1, i64 1, i64 64, i64 1, i64 1, i64 0, i64 -1, i64 2,
      i64 49, ptr %x, i64 4096, i64 0, ptr %n, i64 4)
  ret i32 %r
}
