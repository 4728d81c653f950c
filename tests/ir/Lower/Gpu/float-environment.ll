; What -ffp-model=strict makes of arithmetic is plain arithmetic on a GPU, which
; has no rounding mode that could change and no flags that somebody could read.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)

; CHECK: define {{.*}}kernel void
; CHECK-NOT: constrained
; CHECK: fdiv double
; CHECK: fcmp {{.*}}olt double
; CHECK: call {{.*}}double @llvm.floor.f64
; CHECK: fptrunc double
; CHECK: sitofp i64
; CHECK-NOT: strictfp

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) strictfp {
  %u = load ptr, ptr %block
  %x = load double, ptr %u
  %q = call double @llvm.experimental.constrained.fdiv.f64(double %x, double 3.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  store volatile double %q, ptr %u
  %c = call i1 @llvm.experimental.constrained.fcmps.f64(double %q, double %x, metadata !"olt", metadata !"fpexcept.strict") strictfp
  store volatile i1 %c, ptr %u
  %f = call double @llvm.experimental.constrained.floor.f64(double %q, metadata !"fpexcept.strict") strictfp
  store volatile double %f, ptr %u
  %t = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %q, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  store volatile float %t, ptr %u
  %i = load i64, ptr %u
  %s = call float @llvm.experimental.constrained.sitofp.f32.i64(i64 %i, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  store volatile float %s, ptr %u
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 1, i64 %n, i64 1, i64 1, i64 32, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
