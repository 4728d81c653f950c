; When a store certainly happens: conditions that are formulas are part of the answer,
; others make it a mere write.
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

@name.data = private constant [4 x i8] c"data"

; CHECK-LABEL: kernel data{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @data(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i32, ptr %a0, i64 %i
  %v = load i32, ptr %p
  %set = icmp sgt i32 %v, 0
  br i1 %set, label %store, label %end
store:
  %q = getelementptr i32, ptr %a1, i64 %i
  store i32 1, ptr %q
  br label %end
end:
  ret void
}

@name.early = private constant [5 x i8] c"early"

; CHECK-LABEL: kernel early{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x <u u64(slot1), slot2 <s 5, (extent.y * extent.x) * global.z + extent.x * global.y + global.x >=u (u64(99) + 1){{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x, when slot2 <s 5, (extent.y * extent.x) * global.z + extent.x * global.y + global.x >=u (u64(99) + 1), (extent.y * extent.x) * global.z + extent.x * global.y + global.x <u u64(slot1){{$}}
define internal void @early(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load i64, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %a2 = load i64, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  %out = icmp uge i64 %i, %a1
  br i1 %out, label %end, label %second
second:
  %even = icmp sle i64 %a2, 4
  %far = icmp ugt i64 %i, 99
  %both = and i1 %even, %far
  br i1 %both, label %store, label %end
store:
  %q = getelementptr i32, ptr %a0, i64 %i
  store i32 1, ptr %q
  br label %end
end:
  ret void
}

@name.arms = private constant [4 x i8] c"arms"
; Both arms write it.
; CHECK-LABEL: kernel arms{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @arms(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i32, ptr %a0, i64 %i
  %q = getelementptr i32, ptr %a1, i64 %i
  %v = load i32, ptr %p
  %set = icmp sgt i32 %v, 0
  br i1 %set, label %yes, label %no
yes:
  store i32 1, ptr %q
  br label %end
no:
  %w = mul i32 %v, %v
  store i32 %w, ptr %q
  br label %end
end:
  ret void
}

@name.first = private constant [5 x i8] c"first"
; The first thread alone.
; CHECK-LABEL: kernel first{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at 0, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x == u64(0){{$}}
; CHECK-NEXT: overwrite 4 bytes at 0, when (extent.y * extent.x) * global.z + extent.x * global.y + global.x == u64(0){{$}}
define internal void @first(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %i = call i64 @__ferry_global_id()
  %zero = icmp eq i64 %i, 0
  br i1 %zero, label %store, label %end
store:
  store i32 1, ptr %a0
  br label %end
end:
  ret void
}

define void @run(ptr %x, ptr %v, i64 %n) {
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @data, ptr @name.data, i64 4, ptr @name.data, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @early, ptr @name.early, i64 5, ptr @name.early, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 0, ptr %v, i64 8, i64 0, ptr %v, i64 8)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @arms, ptr @name.arms, i64 4, ptr @name.arms, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @first, ptr @name.first, i64 5, ptr @name.first, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 %n)
  ret void
}
