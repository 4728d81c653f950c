; With ptxas an image for an NVIDIA GPU is a cubin with the kernel in it; what
; ptxas says of a mistake, here an architecture that it no longer knows, reaches
; the user.
;
; REQUIRES: ptxas
; RUN: %opt -passes='ferry-emit<sm_80>' -disable-output %s > %t.sm_80
; RUN: llvm-readelf --file-header --symbols %t.sm_80 | FileCheck %s --check-prefixes=CHECK,SM_80
; RUN: %opt -passes='ferry-emit<sm_90>' -disable-output %s > %t.sm_90
; RUN: llvm-readelf --file-header --symbols %t.sm_90 | FileCheck %s --check-prefixes=CHECK,SM_90
; RUN: not %opt -passes='ferry-emit<sm_30>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: not env FERRY_PTXAS=/nowhere/ptxas %opt -passes='ferry-emit<sm_90>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOWHERE

; CHECK: Machine: NVIDIA CUDA architecture
; SM_80: Flags: {{.*}}sm_80
; SM_90: Flags: {{.*}}sm_90
; CHECK: FUNC GLOBAL {{.*}} ferry_k_

; OLD: error: {{.*}}ptxas failed (status {{[0-9]+}}):
; OLD-NEXT: {{.*}}sm_30
; NOWHERE: error: {{.*}}FERRY_PTXAS names '/nowhere/ptxas', which is no program

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_id()
declare double @exp(double)

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr double, ptr %u, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  store double %e, ptr %p
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
