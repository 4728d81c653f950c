; Forward mode puts the tangent of each operation beside it; shadow memory is
; read and written as the memory is.
;
; RUN: %opt -passes=ferry-autodiff -S %s | FileCheck %s
; RUN: %opt -passes=enzyme -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@enzyme_const = external global i32

declare double @__enzyme_fwddiff(ptr, ...)
declare double @_Z17__enzyme_fwddiff2IdEvPvz(ptr, ...)
declare <2 x float> @__enzyme_fwddiff_vector(ptr, ...)
declare double @llvm.sin.f64(double)

define double @sine(double %x) #0 {
  %slot = alloca double
  store double %x, ptr %slot
  %v = load double, ptr %slot
  %r = call double @llvm.sin.f64(double %v)
  ret double %r
}

define void @square(ptr %p) {
  %v = load double, ptr %p
  %r = fmul double %v, %v
  store double %r, ptr %p
  ret void
}

define <2 x float> @root(<2 x float> %x) {
  %r = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %x)
  ret <2 x float> %r
}

; CHECK-LABEL: define double @callSine(
; CHECK: [[R:%.*]] = call { double, double } @sine.ferry.forward(double 2.000000e+00, double 1.000000e+00)
; CHECK: [[D:%.*]] = extractvalue { double, double } [[R]], 1
; CHECK: ret double [[D]]
define double @callSine() {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @sine, double 2.0, double 1.0)
  ret double %d
}

; CHECK-LABEL: define void @callSquare(
; CHECK: call void @square.ferry.forward(ptr %p, ptr %q)
define void @callSquare(ptr %p, ptr %q) {
  call double (ptr, ...) @_Z17__enzyme_fwddiff2IdEvPvz(ptr @square, ptr %p, ptr %q)
  ret void
}

; No call is left without an active argument.
; CHECK-LABEL: define double @callConstant(
; CHECK: call { double, double } @sine.ferry.forward.{{[0-9]+}}(double 2.000000e+00)
define double @callConstant() {
  %marker = load i32, ptr @enzyme_const
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @sine, i32 %marker, double 2.0)
  ret double %d
}

; CHECK-LABEL: define <2 x float> @callRoot(
; CHECK: call { <2 x float>, <2 x float> } @root.ferry.forward(
define <2 x float> @callRoot(<2 x float> %x) {
  %d = call <2 x float> (ptr, ...) @__enzyme_fwddiff_vector(ptr @root, <2 x float> %x, <2 x float> splat (float 1.0))
  ret <2 x float> %d
}

; CHECK-LABEL: define internal { double, double } @sine.ferry.forward(double %x, double %0)
; CHECK-NOT: alloca
; CHECK-DAG: call double @llvm.sin.f64(double %x)
; CHECK-DAG: [[C:%.*]] = call double @llvm.cos.f64(double %x)
; CHECK: [[T:%.*]] = fmul double %0, [[C]]
; CHECK: [[N:%.*]] = fcmp one double %0, 0.000000e+00
; CHECK: select i1 [[N]], double [[T]], double %0

; CHECK-LABEL: define internal void @square.ferry.forward(ptr %p, ptr %0)
; CHECK: [[V:%.*]] = load double, ptr %p
; CHECK: [[S:%.*]] = load double, ptr %0
; CHECK: fmul double [[S]], [[V]]
; CHECK: store double {{%.*}}, ptr %p
; CHECK: store double {{%.*}}, ptr %0

; CHECK-LABEL: define internal { double, double } @sine.ferry.forward.{{[0-9]+}}(double %x)
; CHECK: insertvalue { double, double } {{.*}}double 0.000000e+00, 1

; CHECK-LABEL: define internal { <2 x float>, <2 x float> } @root.ferry.forward(
; CHECK: fdiv <2 x float>

attributes #0 = { noinline optnone }
