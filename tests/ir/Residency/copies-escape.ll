; Where only the address of an object gets out of sight, what it holds does, too, also
; if functions of this module alone store it there: nothing stays on a device.
; RUN: %opt -passes=ferry-residency,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr captures(none)) allockind("free") "alloc-family"="malloc"
declare i32 @__ferry_run(ptr, ptr, ptr, ptr, ptr)
declare void @use(ptr)
@site = external constant i8

define linkonce_odr void @init(ptr %o) {
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %o
  ret void
}
define linkonce_odr void @step(ptr %o) {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = load ptr, ptr %o
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  ret void
}

; CHECK-NOT: __ferry_region
; CHECK: define void @escaping()
; CHECK-NOT: __ferry_region
define void @escaping() {
  %o = alloca ptr
  call void @init(ptr %o)
  call void @use(ptr %o)
  call void @step(ptr %o)
  ret void
}
