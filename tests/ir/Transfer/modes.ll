; What a kernel does to a buffer: not use it, read it, write it, overwrite it (which is a
; write that certainly happens), or what nobody can tell.
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

@name.unused = private constant [6 x i8] c"unused"
; The address as such is no use of the memory.
; CHECK-LABEL: kernel unused{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: unused{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at 0{{$}}
; CHECK-NEXT: overwrite 4 bytes at 0{{$}}
define internal void @unused(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %null = icmp eq ptr %a0, null
  %v = zext i1 %null to i32
  store i32 %v, ptr %a1
  ret void
}

@name.copy = private constant [4 x i8] c"copy"

; CHECK-LABEL: kernel copy{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @copy(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %from = getelementptr float, ptr %a0, i64 %i
  %to = getelementptr float, ptr %a1, i64 %i
  %v = load float, ptr %from
  store float %v, ptr %to
  ret void
}

@name.atomics = private constant [7 x i8] c"atomics"
; An addition reads what it writes; a store does not.
; CHECK-LABEL: kernel atomics{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @atomics(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i32, ptr %a0, i64 %i
  %q = getelementptr i32, ptr %a1, i64 %i
  %old = atomicrmw add ptr %p, i32 1 monotonic
  store atomic i32 %old, ptr %q release, align 4
  ret void
}

@name.volatile = private constant [8 x i8] c"volatile"
; A volatile store may be seen half-way.
; CHECK-LABEL: kernel volatile{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @volatile(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i32, ptr %a0, i64 %i
  store volatile i32 1, ptr %p
  ret void
}

@name.gather = private constant [6 x i8] c"gather"
; An index that is data may be any, but one of eight bits is below 256.
; CHECK-LABEL: kernel gather{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: read 1 bytes at (extent.y * extent.x) * global.z + extent.x * global.y + global.x{{$}}
; CHECK-NEXT: read 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: read 4 bytes at (4 * [-2147483648 to 2147483647]){{$}}
; CHECK-NEXT: slot2{{$}}
; CHECK-NEXT: write 4 bytes at (4 * [0 to 255]){{$}}
; CHECK-NEXT: overwrite 4 bytes at (4 * [0 to 255]){{$}}
define internal void @gather(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %a2 = load ptr, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  %pi = getelementptr i32, ptr %a0, i64 %i
  %index = load i32, ptr %pi
  %wide = sext i32 %index to i64
  %p = getelementptr float, ptr %a1, i64 %wide
  %v = load float, ptr %p
  %pb = getelementptr i8, ptr %a0, i64 %i
  %byte = load i8, ptr %pb
  %small = zext i8 %byte to i64
  %q = getelementptr float, ptr %a2, i64 %small
  store float %v, ptr %q
  ret void
}

@name.escapes = private constant [7 x i8] c"escapes"
; A pointer in memory may go anywhere; so may one of two.
; CHECK-LABEL: kernel escapes{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: room for all of it{{$}}
; CHECK-NEXT: read and write anywhere{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: read anywhere{{$}}
; CHECK-NEXT: write 12 bytes at 0{{$}}
; CHECK-NEXT: overwrite 12 bytes at 0{{$}}
; CHECK-NEXT: slot2{{$}}
; CHECK-NEXT: read anywhere{{$}}
define internal void @escapes(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %block, i64 16
  %a2 = load ptr, ptr %p2, align 8
  %i = call i64 @__ferry_global_id()
  store ptr %a0, ptr %a1
  %odd = trunc i64 %i to i1
  %either = select i1 %odd, ptr %a1, ptr %a2
  %v = load i32, ptr %either
  %p = getelementptr i8, ptr %a1, i64 8
  store i32 %v, ptr %p
  ret void
}

@name.own = private constant [3 x i8] c"own"
; What the thread itself has written before is not read from the host.
; CHECK-LABEL: kernel own{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 4) * global.z + (extent.x * 4) * global.y + 4 * global.x{{$}}
define internal void @own(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr float, ptr %a0, i64 %i
  store float 0.0, ptr %p
  %q = getelementptr float, ptr %a1, i64 %i
  store float 1.0, ptr %q
  %sum = load float, ptr %p
  store float %sum, ptr %q
  ret void
}

@name.members = private constant [7 x i8] c"members"
; Neighbours become one; what lies between two is not overwritten.
; CHECK-LABEL: kernel members{{$}}
; CHECK-NEXT: slot0{{$}}
; CHECK-NEXT: write 16 bytes at ((extent.y * extent.x) * 16) * global.z + (extent.x * 16) * global.y + 16 * global.x{{$}}
; CHECK-NEXT: overwrite 16 bytes at ((extent.y * extent.x) * 16) * global.z + (extent.x * 16) * global.y + 16 * global.x{{$}}
; CHECK-NEXT: slot1{{$}}
; CHECK-NEXT: write 12 bytes at ((extent.y * extent.x) * 16) * global.z + (extent.x * 16) * global.y + 16 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 16) * global.z + (extent.x * 16) * global.y + 16 * global.x{{$}}
; CHECK-NEXT: overwrite 4 bytes at ((extent.y * extent.x) * 16) * global.z + (extent.x * 16) * global.y + 16 * global.x + 8{{$}}
define internal void @members(ptr %block) {
  %p0 = getelementptr i8, ptr %block, i64 0
  %a0 = load ptr, ptr %p0, align 8
  %p1 = getelementptr i8, ptr %block, i64 8
  %a1 = load ptr, ptr %p1, align 8
  %i = call i64 @__ferry_global_id()
  %p = getelementptr { float, float, float, float }, ptr %a0, i64 %i
  %m1 = getelementptr i8, ptr %p, i64 4
  %m2 = getelementptr i8, ptr %p, i64 8
  %m3 = getelementptr i8, ptr %p, i64 12
  store float 2.0, ptr %m2
  store float 0.0, ptr %p
  store float 3.0, ptr %m3
  store float 1.0, ptr %m1
  %q = getelementptr { float, float, float, float }, ptr %a1, i64 %i
  %q2 = getelementptr i8, ptr %q, i64 8
  store float 0.0, ptr %q
  store float 2.0, ptr %q2
  ret void
}

define void @run(ptr %x, ptr %v, i64 %n) {
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @unused, ptr @name.unused, i64 6, ptr @name.unused, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @copy, ptr @name.copy, i64 4, ptr @name.copy, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @atomics, ptr @name.atomics, i64 7, ptr @name.atomics, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @volatile, ptr @name.volatile, i64 8, ptr @name.volatile, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @gather, ptr @name.gather, i64 6, ptr @name.gather, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @escapes, ptr @name.escapes, i64 7, ptr @name.escapes, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @own, ptr @name.own, i64 3, ptr @name.own, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  call i32 (i64, ...) @__ferry_launch(i64 1, ptr @members, ptr @name.members, i64 7, ptr @name.members, i64 1, i64 1, i64 1,
      i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 49, ptr %x, i64 %n, i64 49, ptr %x, i64 %n)
  ret void
}
