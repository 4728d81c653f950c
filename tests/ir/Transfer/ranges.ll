; The range as a formula of arguments and shape: a slice, rows and columns, blocks, and
; numbers of 32 bits, which are only right as long as they fit.
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

@name.slice = private constant [5 x i8] c"slice"

; CHECK-LABEL: kernel slice{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x + (slot1 * 4), when (extent.y * extent.x) * global.z + extent.x * global.y + global.x + slot1 <u u64(slot2){{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x + (slot1 * 4), when (extent.y * extent.x) * global.z + extent.x * global.y + global.x + slot1 <u u64(slot2){{$}}
define internal void @slice(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %a2 = load i64, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  %k = add i64 %i, %a1
  %in = icmp ult i64 %k, %a2
  br i1 %in, label %store, label %end
store:
  %p = getelementptr i32, ptr %a0, i64 %k
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

@name.plane = private constant [5 x i8] c"plane"

; CHECK-LABEL: kernel plane{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at 4 * global.x + (4 * slot1) * global.y{{$}}
; CHECK-NEXT: overwrite 4 bytes at 4 * global.x + (4 * slot1) * global.y{{$}}
define internal void @plane(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %x = call i64 @__ferry_global_idx(i32 0)
  %y = call i64 @__ferry_global_idx(i32 1)
  %row = mul i64 %y, %a1
  %k = add i64 %row, %x
  %p = getelementptr i32, ptr %a0, i64 %k
  store i32 1, ptr %p
  ret void
}

@name.in32bits = private constant [8 x i8] c"in32bits"

; CHECK-LABEL: kernel in32bits{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at (i32(blockdim.x) * 4) * block.x + 4 * thread.x, when i32(blockdim.x) * block.x + thread.x <s i32(slot1), i32(blockdim.x) * block.x + thread.x fits i32{{$}}
; CHECK-NEXT: overwrite 4 bytes at (i32(blockdim.x) * 4) * block.x + 4 * thread.x, when i32(blockdim.x) * block.x + thread.x <s i32(slot1), i32(blockdim.x) * block.x + thread.x fits i32{{$}}
define internal void @in32bits(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %t = call i32 @__ferry_thread_idx(i32 0)
  %b = call i32 @__ferry_block_idx(i32 0)
  %d = call i32 @__ferry_block_dim(i32 0)
  %from = mul i32 %b, %d
  %k = add i32 %from, %t
  %n = trunc i64 %a1 to i32
  %in = icmp slt i32 %k, %n
  br i1 %in, label %store, label %end
store:
  %wide = sext i32 %k to i64
  %p = getelementptr i32, ptr %a0, i64 %wide
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

@name.divided = private constant [7 x i8] c"divided"
; Of a quotient and a remainder the ends are known.
; CHECK-LABEL: kernel divided{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at ((u64((((any global.z * (extent.y * extent.x)) + (any global.y * extent.x)) + any global.x)) / u64(slot1)) * 4){{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x + ((u64((((any global.z * (extent.y * extent.x)) + (any global.y * extent.x)) + any global.x)) / u64(slot1)) * (4 + (-4 * slot1))){{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x + ((u64((((any global.z * (extent.y * extent.x)) + (any global.y * extent.x)) + any global.x)) / u64(slot1)) * (4 + (-4 * slot1))){{$}}
define internal void @divided(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %row = udiv i64 %i, %a1
  %column = urem i64 %i, %a1
  %p = getelementptr i32, ptr %a0, i64 %row
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i64 %column
  store i32 %v, ptr %q
  ret void
}

@name.filled = private constant [6 x i8] c"filled"

; CHECK-LABEL: kernel filled{{$}}
; CHECK-NEXT: byte < u64(slot1){{$}}
; CHECK-NEXT: byte < u64(slot1){{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 1 bytes at byte{{$}}
; CHECK-NEXT: overwrite 1 bytes at byte{{$}}
define internal void @filled(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  call void @llvm.memset.p0.i64(ptr %a0, i8 0, i64 %a1, i1 false)
  ret void
}

define void @run(ptr %x, ptr %v, i64 %n) {
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @slice, ptr @name.slice, i64 5, ptr @name.slice, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @plane, ptr @name.plane, i64 5, ptr @name.plane, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @in32bits, ptr @name.in32bits, i64 8, ptr @name.in32bits, i64 1, i64 1, i64 1,
      i64 1, i64 %n, i64 1, i64 1, i64 32, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @divided, ptr @name.divided, i64 7, ptr @name.divided, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @filled, ptr @name.filled, i64 6, ptr @name.filled, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8)
  ret void
}
