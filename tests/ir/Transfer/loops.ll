; Turns of loops count like threads.
;
; RUN: %opt -passes=ferry-access -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i64 @__ferry_global_id()
declare i64 @__ferry_global_idx(i32)
declare i32 @__ferry_thread_idx(i32)
declare i32 @__ferry_block_idx(i32)
declare i32 @__ferry_block_dim(i32)
declare i32 @__ferry_grid_dim(i32)

@name.counted = private constant [7 x i8] c"counted"
; A loop whose count is known: all turns run.
; CHECK-LABEL: kernel counted{{$}}
; CHECK-NEXT: turn.0 < (u64((-1 + slot1)) + 1){{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * (4 * slot1)) * global.z + (extent.x * (4 * slot1)) * global.y + (4 * slot1) * global.x + 4 * turn.0, when slot1 != u64(0){{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * (4 * slot1)) * global.z + (extent.x * (4 * slot1)) * global.y + (4 * slot1) * global.x + 4 * turn.0, when slot1 != u64(0), all of turn.0{{$}}
define internal void @counted(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %some = icmp ne i64 %a1, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %row = mul i64 %i, %a1
  %at = add i64 %row, %k
  %p = getelementptr i32, ptr %a0, i64 %at
  store i32 1, ptr %p
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %a1
  br i1 %more, label %loop, label %end
end:
  ret void
}

@name.strided = private constant [7 x i8] c"strided"
; One that starts at the thread and steps over all: as long as it stays below n.
; CHECK-LABEL: kernel strided{{$}}
; CHECK-NEXT: turn.0 < ?{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at (i32(blockdim.x) * 4) * block.x + 4 * thread.x + (4 * u32((blockdim.x * griddim.x))) * turn.0, when i32(blockdim.x) * block.x + thread.x <u u64(slot1), i32(blockdim.x) * block.x + thread.x fits u32, i32(blockdim.x) * block.x + thread.x fits u32{{$}}
; CHECK-NEXT: overwrite 4 bytes at (i32(blockdim.x) * 4) * block.x + 4 * thread.x + (4 * u32((blockdim.x * griddim.x))) * turn.0, when i32(blockdim.x) * block.x + thread.x <u u64(slot1), i32(blockdim.x) * block.x + thread.x fits u32, while i32(blockdim.x) * block.x + thread.x + u32((blockdim.x * griddim.x)) * turn.0 + (u32((blockdim.x * griddim.x)) + (u32((blockdim.x * griddim.x)) * -1)) <u u64(slot1), i32(blockdim.x) * block.x + thread.x fits u32{{$}}
define internal void @strided(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %t = call i32 @__ferry_thread_idx(i32 0)
  %b = call i32 @__ferry_block_idx(i32 0)
  %d = call i32 @__ferry_block_dim(i32 0)
  %g = call i32 @__ferry_grid_dim(i32 0)
  %from = mul i32 %b, %d
  %first = add i32 %from, %t
  %all = mul i32 %d, %g
  %start = zext i32 %first to i64
  %step = zext i32 %all to i64
  br label %head
head:
  %k = phi i64 [ %start, %0 ], [ %next, %body ]
  %more = icmp ult i64 %k, %a1
  br i1 %more, label %body, label %end
body:
  %p = getelementptr i32, ptr %a0, i64 %k
  store i32 1, ptr %p
  %next = add i64 %k, %step
  br label %head
end:
  ret void
}

@name.triangle = private constant [8 x i8] c"triangle"
; Each thread has another number of turns: what they read has ends, what they write
; is no rectangle.
; CHECK-LABEL: kernel triangle{{$}}
; CHECK-NEXT: turn.0 < (u64((-1 + (((any global.z * (extent.y * extent.x)) + (any global.y * extent.x)) + any global.x))) + 1){{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at 4 * turn.0, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x != u64(0){{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at 4 * turn.0, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x != u64(0){{$}}
; CHECK-NEXT: overwrite 4 bytes at 4 * turn.0, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x != u64(0), ((extent.y * extent.x) * -1) * global.z + (extent.x * -1) * global.y + -1 * global.x + turn.0 <s 0{{$}}
define internal void @triangle(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %some = icmp ne i64 %i, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a0, i64 %k
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %a1, i64 %k
  store i32 %v, ptr %q
  %next = add nuw i64 %k, 1
  %more = icmp ult i64 %next, %i
  br i1 %more, label %loop, label %end
end:
  ret void
}

@name.leaves = private constant [6 x i8] c"leaves"
; A loop that data may end has turns that may not come.
; CHECK-LABEL: kernel leaves{{$}}
; CHECK-NEXT: turn.0 < (u64((-1 + slot2)) + 1){{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at 4 * turn.0, when slot2 != u64(0){{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at 4 * turn.0, when slot2 != u64(0){{$}}
define internal void @leaves(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %a2 = load i64, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  %some = icmp ne i64 %a2, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %latch ]
  %p = getelementptr i32, ptr %a0, i64 %k
  %v = load i32, ptr %p
  %stop = icmp eq i32 %v, 7
  br i1 %stop, label %end, label %latch
latch:
  %q = getelementptr i32, ptr %a1, i64 %k
  store i32 1, ptr %q
  %next = add nuw i64 %k, 1
  %more = icmp ult i64 %next, %a2
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @run(ptr %x, ptr %v, i64 %n) {
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @counted, ptr @name.counted, i64 7, ptr @name.counted, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @strided, ptr @name.strided, i64 7, ptr @name.strided, i64 1, i64 1, i64 1,
      i64 1, i64 %n, i64 1, i64 1, i64 32, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @triangle, ptr @name.triangle, i64 8, ptr @name.triangle, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @leaves, ptr @name.leaves, i64 6, ptr @name.leaves, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  ret void
}
