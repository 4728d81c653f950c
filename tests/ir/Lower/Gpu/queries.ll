; Indices of thread and block are registers, sizes come from the hidden
; arguments, for a launch in explicit blocks here, whose extent counts blocks.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,NVPTX
; RUN: %opt -passes='ferry-lower<gfx1100>' -disable-output %s | FileCheck %s --check-prefixes=CHECK,AMDGPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_thread_idx(i32)
declare i32 @__ferry_block_idx(i32)
declare i32 @__ferry_block_dim(i32)
declare i32 @__ferry_grid_dim(i32)
declare i64 @__ferry_global_dim(i32)

; CHECK: define {{.*}}kernel void
; CHECK-NOT: br i1
; NVPTX-DAG: [[TID:%.*]] = tail call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; NVPTX-DAG: [[BID:%.*]] = tail call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
; AMDGPU-DAG: [[TID:%.*]] = tail call {{.*}}i32 @llvm.amdgcn.workitem.id.y()
; AMDGPU-DAG: [[BID:%.*]] = tail call {{.*}}i32 @llvm.amdgcn.workgroup.id.z()
; CHECK-DAG: store i32 [[TID]]
; CHECK-DAG: store i32 [[BID]]
; CHECK-DAG: [[BLOCK:%.*]] = trunc {{.*}}i64 %block.x to i32
; CHECK-DAG: store i32 [[BLOCK]]
; CHECK-DAG: [[GRID:%.*]] = trunc {{.*}}i64 %extent.y to i32
; CHECK-DAG: store i32 [[GRID]]
; CHECK-DAG: [[ALL:%.*]] = mul nuw {{.*}}i64 %block.z, %extent.z
; CHECK-DAG: store i64 [[ALL]]
; CHECK-NOT: __ferry_

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %t = call i32 @__ferry_thread_idx(i32 1)
  store i32 %t, ptr %u
  %b = call i32 @__ferry_block_idx(i32 2)
  %p1 = getelementptr i32, ptr %u, i64 1
  store i32 %b, ptr %p1
  %d = call i32 @__ferry_block_dim(i32 0)
  %p2 = getelementptr i32, ptr %u, i64 2
  store i32 %d, ptr %p2
  %g = call i32 @__ferry_grid_dim(i32 1)
  %p3 = getelementptr i32, ptr %u, i64 3
  store i32 %g, ptr %p3
  %e = call i64 @__ferry_global_dim(i32 2)
  %p4 = getelementptr i32, ptr %u, i64 4
  store i64 %e, ptr %p4
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 %n, i64 %n, i64 %n, i64 %n, i64 %n, i64 %n, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
