; 128-bit integers keep the host's 16-byte alignment inside structs, also on AMD
; GPUs, where LLVM aligns them to 8 bytes; their conversions need no compiler-rt.
;
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_id()

; CHECK: define {{.*}}kernel void
; CHECK: [[OFFSET:%.*]] = shl {{.*}}i64 {{.*}}, 5
; CHECK: [[STRUCT:%.*]] = getelementptr {{.*}}i8, ptr addrspace(1) {{.*}}, i64 [[OFFSET]]
; CHECK: getelementptr {{.*}}i8, ptr addrspace(1) [[STRUCT]], i64 16
; CHECK-NOT: sitofp i128
; CHECK-NOT: @__floattidf

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr {i8, i128}, ptr %u, i64 %i, i32 1
  %v = load i128, ptr %p, align 16
  %d = sitofp i128 %v to double
  store double %d, ptr %p, align 16
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
