; Barriers and warp operations become the target's cheap instructions where the
; threads of a warp come together. What keeps threads from coming at all (leaving
; early, panicking) does no harm; two ways to two barriers do: NVIDIA's GPUs have
; an instruction for that, on AMD's the two become one.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s --check-prefix=NVPTX
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s --check-prefix=AMDGPU

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i32 @__ferry_thread_idx(i32)
declare ptr @__ferry_shared(ptr, ptr, i64, i64)
declare void @__ferry_sync_threads()
declare i64 @__ferry_warp_ballot(i32)
declare i32 @__ferry_warp_shuffle(i32, i32)
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn

; NVPTX: addrspace(3) global [4096 x i8] poison, align 4
; AMDGPU: addrspace(3) global [4096 x i8] poison, align 4

; NVPTX-LABEL: define {{.*}}ptx_kernel void @ferry_together
; NVPTX: store i32 {{.*}}, ptr addrspace(3)
; NVPTX: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; NVPTX: load i32, ptr addrspace(3)
; NVPTX: call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1
; AMDGPU-LABEL: define {{.*}}amdgpu_kernel void @ferry_together
; AMDGPU: store i32 {{.*}}, ptr addrspace(3)
; AMDGPU: fence syncscope("workgroup") release
; AMDGPU-NEXT: {{.*}}call void @llvm.amdgcn.s.barrier()
; AMDGPU-NEXT: fence syncscope("workgroup") acquire
; AMDGPU: load i32, ptr addrspace(3)
; AMDGPU: call i64 @llvm.amdgcn.ballot.i64(i1
define internal void @together(ptr %block) {
  %t = call i32 @__ferry_thread_idx(i32 0)
  %p = load ptr, ptr %block
  %np = getelementptr i8, ptr %block, i64 8
  %n = load i64, ptr %np
  %w = zext i32 %t to i64
  %past = icmp uge i64 %w, %n
  br i1 %past, label %leave, label %check
check:
  %bad = icmp eq i32 %t, 77
  br i1 %bad, label %fail, label %go
fail:
  call void @__assert_fail(ptr @text, ptr @file, i32 7, ptr @name)
  unreachable
go:
  %room = call ptr @__ferry_shared(ptr @text, ptr null, i64 4096, i64 4)
  %mine = getelementptr i32, ptr %room, i64 %w
  store i32 %t, ptr %mine
  call void @__ferry_sync_threads()
  %first = load i32, ptr %room
  %b = call i64 @__ferry_warp_ballot(i32 %first)
  %o = getelementptr i64, ptr %p, i64 %w
  store i64 %b, ptr %o
  br label %leave
leave:
  ret void
}

; NVPTX-LABEL: define {{.*}}ptx_kernel void @ferry_apart
; NVPTX: call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
; NVPTX: call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
; NVPTX: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; AMDGPU-LABEL: define {{.*}}amdgpu_kernel void @ferry_apart
; AMDGPU-COUNT-2: br label %meet
; AMDGPU: call void @llvm.amdgcn.s.barrier()
; AMDGPU: meet:
; AMDGPU-NEXT: fence
; AMDGPU-NEXT: {{.*}}call void @llvm.amdgcn.s.barrier()
; AMDGPU-NOT: call void @llvm.amdgcn.s.barrier()
; AMDGPU-LABEL: define {{.*}}amdgpu_kernel void @ferry_partly
define internal void @apart(ptr %block) {
  %t = call i32 @__ferry_thread_idx(i32 0)
  %w = zext i32 %t to i64
  %p = load ptr, ptr %block
  %room = call ptr @__ferry_shared(ptr @text, ptr null, i64 4096, i64 4)
  %mine = getelementptr i32, ptr %room, i64 %w
  %odd = and i32 %t, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %left, label %right
left:
  store i32 5, ptr %mine
  call void @__ferry_sync_threads()
  br label %join
right:
  store volatile i32 %t, ptr %mine
  call void @__ferry_sync_threads()
  store volatile i32 6, ptr %mine
  br label %join
join:
  call void @__ferry_sync_threads()
  %v = load i32, ptr %room
  %o = getelementptr i32, ptr %p, i64 %w
  store i32 %v, ptr %o
  ret void
}

; A warp operation that only some come to takes those that are there.
; NVPTX-LABEL: define {{.*}}ptx_kernel void @ferry_partly
; NVPTX: [[HERE:%.*]] = {{.*}}call i32 @llvm.nvvm.activemask()
; NVPTX: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[HERE]], i32 {{.*}}, i32 3, i32 31)
; NVPTX: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1,
; AMDGPU: call i32 @llvm.amdgcn.readlane.i32(i32 {{.*}}, i32 35)
; AMDGPU: call i32 @llvm.amdgcn.ds.bpermute(
define internal void @partly(ptr %block) {
  %t = call i32 @__ferry_thread_idx(i32 0)
  %w = zext i32 %t to i64
  %p = load ptr, ptr %block
  %o = getelementptr i32, ptr %p, i64 %w
  %c = icmp ult i32 %t, 9
  br i1 %c, label %some, label %all
some:
  %x = call i32 @__ferry_warp_shuffle(i32 %t, i32 35)
  br label %all
all:
  %y = phi i32 [ %x, %some ], [ 1, %0 ]
  %z = call i32 @__ferry_warp_shuffle(i32 %y, i32 %t)
  store i32 %z, ptr %o
  ret void
}

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"
@text = private constant [6 x i8] c"n < 9\00"

define void @host(ptr %p, ptr %n) {
  %a = call i32 (...) @__ferry_launch(i64 1, ptr @together, ptr @n1, i64 8, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 113, ptr %p, i64 2048, i64 0, ptr %n, i64 8)
  %b = call i32 (...) @__ferry_launch(i64 1, ptr @apart, ptr @n2, i64 5, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 113, ptr %p, i64 2048)
  %c = call i32 (...) @__ferry_launch(i64 1, ptr @partly, ptr @n3, i64 6, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 256, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 113, ptr %p, i64 2048)
  ret void
}
@n1 = private constant [8 x i8] c"together"
@n2 = private constant [5 x i8] c"apart"
@n3 = private constant [6 x i8] c"partly"
