; What `ferry explain` says about a kernel: which bytes of which argument, as sums of
; products of the arguments' numbers. A condition on the thread's number bounds it;
; the three parts of the thread's number are one.
;
; RUN: %opt -passes=ferry-explain -disable-output %s | %python -m json.tool | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i64 @__ferry_global_id()
declare i64 @__ferry_global_idx(i32)

@name.slice = private constant [5 x i8] c"slice"
; CHECK: "bytes": "4 * min(threads, argument 2 - argument 1)",
; CHECK-NEXT: "from": "4 * argument 1"
; CHECK: "can_panic": false,
; CHECK-NEXT: "kernel": "slice",
define internal void @slice(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %lo = load i64, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %hi = load i64, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  %at = add i64 %lo, %i
  %n = sub i64 %hi, %lo
  %in = icmp ult i64 %i, %n
  br i1 %in, label %then, label %end
then:
  %p = getelementptr i32, ptr %a0, i64 %at
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Column and row of a plane whose rows are longer than what runs.
@name.plane = private constant [5 x i8] c"plane"
; CHECK: "reads": [
; CHECK: "bytes": "4 * threads.x + 4 * argument 1 * threads.y - 4 * argument 1",
; CHECK-NEXT: "from": "0"
; CHECK: "writes": []
; CHECK: "kernel": "plane",
define internal void @plane(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %w = load i64, ptr %p1, align 8
  %x = call i64 @__ferry_global_idx(i32 0)
  %y = call i64 @__ferry_global_idx(i32 1)
  %row = mul i64 %y, %w
  %at = add i64 %row, %x
  %p = getelementptr i32, ptr %a0, i64 %at
  %v = load volatile i32, ptr %p
  ret void
}

; One thread writes, and it alone.
@name.one = private constant [3 x i8] c"one"
; CHECK: "overwrites": true,
; CHECK: "writes": [
; CHECK: "bytes": "4",
; CHECK-NEXT: "from": "12"
; CHECK: "kernel": "one",
define internal void @one(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %i = call i64 @__ferry_global_idx(i32 0)
  %three = icmp eq i64 %i, 3
  br i1 %three, label %then, label %end
then:
  %p = getelementptr i32, ptr %a0, i64 %i
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Where it reads is data, and what it writes it counts down to.
@name.data = private constant [4 x i8] c"data"
; CHECK: "data": true
; CHECK: "writes": [
; CHECK: "bytes": "8 * threads.x",
; CHECK-NEXT: "from": "-8 * threads.x + 8 * argument 2"
; CHECK: "kernel": "data",
define internal void @data(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %n = load i64, ptr %p2, align 8
  %i = call i64 @__ferry_global_idx(i32 0)
  %p = getelementptr i32, ptr %a0, i64 %i
  %k = load i32, ptr %p
  %kk = sext i32 %k to i64
  %q = getelementptr i32, ptr %a0, i64 %kk
  %v = load i32, ptr %q
  %vv = sext i32 %v to i64
  %last = sub i64 %n, 1
  %down = sub i64 %last, %i
  %r = getelementptr i64, ptr %a1, i64 %down
  store i64 %vv, ptr %r
  ret void
}

define void @launch(ptr %x, i64 %n, ptr %v, ptr %w) {
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @slice, ptr @name.slice, i64 5, ptr @name.slice, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8, i64 0, ptr %w, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @plane, ptr @name.plane, i64 5, ptr @name.plane, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 17, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @one, ptr @name.one, i64 3, ptr @name.one, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @data, ptr @name.data, i64 4, ptr @name.data, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 17, ptr %x, i64 %n, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  ret void
}
