; The C library's functions become intrinsics that GPUs have, or functions of
; CUDA's libdevice or of libclc; half precision is computed in single, and frem
; is fmod.
;
; RUN: env FERRY_LIBDEVICE=none %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<sm_80>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare float @sinf(float)
declare double @lgamma(double)
declare double @frexp(double, ptr)
declare float @floorf(float)
declare half @llvm.exp.f16(half)
declare <2 x float> @llvm.cos.v2f32(<2 x float>)

; CHECK: define {{.*}}kernel void
; CHECK: call float @llvm.floor.f32
; CHECK-NOT: @sinf(
; CHECK-NOT: @lgamma(
; CHECK-NOT: @frexp(
; CHECK-NOT: @llvm.exp.f16
; CHECK-NOT: @llvm.cos.
; CHECK-NOT: frem

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %f = load float, ptr %u
  %s = call float @sinf(float %f)
  %l = call float @floorf(float %s)
  store float %l, ptr %u
  %p = getelementptr i8, ptr %u, i64 8
  %d = load double, ptr %p
  %g = call double @lgamma(double %d)
  %e = alloca i32
  %m = call double @frexp(double %g, ptr %e)
  %ev = load i32, ptr %e
  %ed = sitofp i32 %ev to double
  %r = frem double %m, %ed
  store double %r, ptr %p
  %q = getelementptr i8, ptr %u, i64 16
  %h = load half, ptr %q
  %x = call half @llvm.exp.f16(half %h)
  store half %x, ptr %q
  %w = getelementptr i8, ptr %u, i64 24
  %v = load <2 x float>, ptr %w
  %c = call <2 x float> @llvm.cos.v2f32(<2 x float> %v)
  store <2 x float> %c, ptr %w
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
