; The list of targets: each word is looked up, and the error says what there is.
;
; RUN: env FERRY_TARGETS=cpu,sm_80,sm_90,gfx90a,sm_80 %opt -passes=ferry -S %s | FileCheck %s
; RUN: not env FERRY_TARGETS=cpu,sm90 %opt -passes=ferry -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not env FERRY_TARGETS=gfx90 %opt -passes=ferry -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not env FERRY_TARGETS=, %opt -passes=ferry -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: env FERRY_TARGETS=native %opt -passes=ferry -S %s | FileCheck %s --check-prefix=NATIVE

; One image a target, no target twice, and virtual beside cpu.
; CHECK: c"virtual\00"
; CHECK-NOT: c"virtual\00"
; CHECK: c"sm_80\00"
; CHECK: c"sm_90\00"
; CHECK-NOT: c"sm_80\00"
; CHECK: c"gfx90a\00"

; UNKNOWN: unknown target '{{sm90|gfx90}}'; a target is 'cpu', 'native' (cpu and this machine's GPUs), an NVIDIA architecture ('sm_80', 'sm_90', 'sm_90a', ...) or an AMD one ('gfx90a', 'gfx942', 'gfx1100', ...)
; EMPTY: the list of targets ',' names none; 'cpu' or 'native' will do
; NATIVE: c"virtual\00"

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)

@name = private constant [1 x i8] c"k"
@file = private constant [5 x i8] c"k.cpp"

define internal void @shim(ptr %block) {
  %u = load ptr, ptr %block
  store i8 1, ptr %u
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 1, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
