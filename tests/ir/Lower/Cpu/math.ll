; Calls of mathematical functions, and intrinsics, become code that vectorises at
; the width of the machine; what Ferry has no code for stays a call.
;
; RUN: %opt -passes='ferry-lower<cpu>' -disable-output %s > %t.cpu
; RUN: FileCheck %s < %t.cpu
; RUN: opt -passes=verify -disable-output %t.cpu
; RUN: %opt -passes='ferry-lower<virtual>' -disable-output %s > %t.virtual
; RUN: FileCheck %s < %t.virtual
; RUN: sed 's/"+avx512f,+fma"/"+avx2"/' %s | %opt -passes='ferry-lower<cpu>' -disable-output - | FileCheck --check-prefix=PLAIN %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i64 @__ferry_global_id()
declare double @llvm.exp.f64(double)
declare float @tanhf(float)
declare double @sin(double)
declare double @tgamma(double)
declare double @llvm.experimental.constrained.exp.f64(double, metadata, metadata)
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"

define internal void @shim(ptr %block) #0 {
  %x = load ptr, ptr %block, align 8
  %py = getelementptr i8, ptr %block, i64 8
  %y = load ptr, ptr %py, align 8
  call void @kernel(ptr %x, ptr %y)
  ret void
}
define internal void @shim_sin(ptr %block) #0 {
  %x = load ptr, ptr %block, align 8
  %py = getelementptr i8, ptr %block, i64 8
  %y = load ptr, ptr %py, align 8
  call void @kernel_sin(ptr %x, ptr %y)
  ret void
}
define internal void @shim_calls(ptr %block) #0 {
  %x = load ptr, ptr %block, align 8
  %py = getelementptr i8, ptr %block, i64 8
  %y = load ptr, ptr %py, align 8
  call void @kernel_calls(ptr %x, ptr %y)
  ret void
}

; No function is called, and multiplications and additions are fused only where
; the CPU can.
;
; CHECK-LABEL: define {{.*}}.loops(
; CHECK: vector.body:
; CHECK-NOT: call {{.*}}@exp
; CHECK-NOT: call {{.*}}@tanh
; CHECK: call <[[N:[0-9]+]] x double> @llvm.fma.v[[N]]f64
; CHECK: call <[[N]] x float> @llvm.fma.v[[N]]f32
; CHECK: store <[[N]] x double>
;
; PLAIN-NOT: llvm.fma
; PLAIN: vector.body:
; PLAIN: store <{{[0-9]+}} x double>
; PLAIN-NOT: llvm.fma
define void @kernel(ptr %x, ptr %y) {
  %i = call i64 @__ferry_global_id()
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %e = call nnan ninf double @llvm.exp.f64(double %v)
  %f = fptrunc double %v to float
  %t = call float @tanhf(float %f)
  %w = fpext float %t to double
  %s = fadd double %e, %w
  %yp = getelementptr double, ptr %y, i64 %i
  store double %s, ptr %yp
  ret void
}

; One test in the loop for arguments that are too large for the quick reduction;
; the C library gets them one by one.
;
; CHECK-LABEL: define {{.*}}.loops(
; CHECK: vector.body:
; CHECK: [[FAR:%.*]] = fcmp ogt <[[N:[0-9]+]] x double>
; CHECK: [[BITS:%.*]] = bitcast <[[N]] x i1> [[FAR]] to i[[N]]
; CHECK: icmp eq i[[N]] [[BITS]], 0
; CHECK: store <[[N]] x double>
; CHECK: call {{.*}}double @__ferry_math_sinFar(
define void @kernel_sin(ptr %x, ptr %y) {
  %i = call i64 @__ferry_global_id()
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %e = call double @sin(double %v)
  %yp = getelementptr double, ptr %y, i64 %i
  store double %e, ptr %yp
  ret void
}

; CHECK-LABEL: define {{.*}}.loops(
; CHECK: call double @tgamma(
; CHECK: @llvm.experimental.constrained.exp.f64(
define void @kernel_calls(ptr %x, ptr %y) strictfp {
  %i = call i64 @__ferry_global_id()
  %xp = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xp
  %g = call double @tgamma(double %v)
  %e = call double @llvm.experimental.constrained.exp.f64(double %g, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %yp = getelementptr double, ptr %y, i64 %i
  store double %e, ptr %yp
  ret void
}

; No vector form is left over.
; CHECK-NOT: @{{.*}}ferry-lanes
; CHECK-NOT: "vector-function-abi-variant"

define i32 @run(ptr %x, ptr %y, i64 %count) {
  %a = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 81, ptr %x, i64 800, i64 113, ptr %y, i64 800)
  %b = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim_sin, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 81, ptr %x, i64 800, i64 113, ptr %y, i64 800)
  %c = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim_calls, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 2, i64 81, ptr %x, i64 800, i64 113, ptr %y, i64 800)
  ret i32 %a
}

attributes #0 = { "target-features"="+avx512f,+fma" }
