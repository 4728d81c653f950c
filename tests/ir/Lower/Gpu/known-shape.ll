; What all launches of a kernel say alike of its shape is written into the code:
; a block of that size, no look at dimensions with one thread, no guard where
; blocks cover the extent to the last thread. Two launches that differ leave
; open what they differ in.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,NVPTX
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,AMDGPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_id()
declare i32 @__ferry_block_dim(i32)

; CHECK: void @ferry_line_{{.*}} #[[LINE:[0-9]+]]
; CHECK: trunc i64 %extent.x
; CHECK: icmp
; CHECK-NOT: icmp
; CHECK-NOT: {{tid.y|id.y}}
; CHECK: void @ferry_whole_{{.*}} #[[LINE]]
; CHECK-NOT: icmp
; CHECK: void @ferry_fixed_{{.*}} #[[FIXED:[0-9]+]]
; CHECK-NOT: {{%block|%extent}}
; CHECK: void @ferry_mixed_{{.*}} #[[MIXED:[0-9]+]]
; CHECK: %block.x to i32
; NVPTX-DAG: attributes #[[LINE]] = {{.*}}"nvvm.reqntid"="256,1,1"
; NVPTX-DAG: attributes #[[FIXED]] = {{.*}}"nvvm.reqntid"="16,8,2"
; NVPTX-DAG: attributes #[[MIXED]] = {{.*}}"nvvm.maxntid"="1024"
; AMDGPU-DAG: attributes #[[LINE]] = {{.*}}"amdgpu-flat-work-group-size"="256,256"
; AMDGPU-DAG: attributes #[[FIXED]] = {{.*}}"amdgpu-flat-work-group-size"="256,256"
; AMDGPU-DAG: attributes #[[MIXED]] = {{.*}}"amdgpu-flat-work-group-size"="1,1024"

@name = private constant [1 x i8] c"k"
@line.name = private constant [4 x i8] c"line"
@whole.name = private constant [5 x i8] c"whole"
@fixed.name = private constant [5 x i8] c"fixed"
@mixed.name = private constant [5 x i8] c"mixed"
@file = private constant [5 x i8] c"k.cpp"

define internal void @line(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i64, ptr %u, i64 %i
  store i64 %i, ptr %p
  ret void
}
define internal void @whole(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i64, ptr %u, i64 %i
  store i64 1, ptr %p
  ret void
}
define internal void @fixed(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i64, ptr %u, i64 %i
  store i64 2, ptr %p
  ret void
}
define internal void @mixed(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %b = call i32 @__ferry_block_dim(i32 0)
  %p = getelementptr i64, ptr %u, i64 %i
  store i32 %b, ptr %p
  ret void
}

define void @host(ptr %u, i64 %n) {
  %a = call i32 (...) @__ferry_launch(i64 1, ptr @line, ptr @line.name, i64 4, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  %b = call i32 (...) @__ferry_launch(i64 1, ptr @whole, ptr @whole.name, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 1024, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  %c = call i32 (...) @__ferry_launch(i64 1, ptr @fixed, ptr @fixed.name, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 4, i64 4, i64 4, i64 16, i64 8, i64 2, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  %d = call i32 (...) @__ferry_launch(i64 1, ptr @mixed, ptr @mixed.name, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 4, i64 4, i64 4, i64 16, i64 8, i64 2, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  %e = call i32 (...) @__ferry_launch(i64 1, ptr @mixed, ptr @mixed.name, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 4, i64 4, i64 4, i64 32, i64 8, i64 2, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
