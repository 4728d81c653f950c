; Functions that other modules may call, or replace, are copied for the calls in this
; module where something has to be said in them, and those that call such copies. What
; others pass to the function itself doesn't matter to the copy.
; RUN: %opt -passes=ferry-residency,verify -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr captures(none)) allockind("free") "alloc-family"="malloc"
declare i32 @__ferry_run(ptr, ptr, ptr, ptr, ptr)
declare void @use(ptr)
@site = external constant i8

; What a member function stores to an object that anybody may pass would be out of
; sight. The copy's only object is main's.
; CHECK-LABEL: define linkonce_odr void @init(ptr %o)
; CHECK-NOT: __ferry
; CHECK: ret void
define linkonce_odr void @init(ptr %o) {
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %o
  ret void
}

; CHECK-LABEL: define void @step(ptr %o)
; CHECK-NOT: __ferry_region
; CHECK-NOT: __ferry_host
; CHECK: ret void
define void @step(ptr %o) {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = load ptr, ptr %o
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  ret void
}

define linkonce_odr float @first(ptr %o) {
  %p = load ptr, ptr %o
  %x = load float, ptr %p
  ret float %x
}

; It says nothing itself, but must call the copy that does, here by another name.
; CHECK-LABEL: define void @init.and.step(ptr %o)
; CHECK: call void @init(ptr %o)
@constructor = alias void (ptr), ptr @init
define void @init.and.step(ptr %o) {
  call void @constructor(ptr %o)
  call void @step(ptr %o)
  ret void
}

; CHECK-LABEL: define float @main()
; CHECK: call void @init.and.step.ferry(ptr %o)
; CHECK: call void @step(ptr %o)
; CHECK: call float @first.ferry(ptr %o)
; CHECK: call void @__ferry_region_end(ptr %p)
define float @main() {
  %o = alloca ptr
  call void @init.and.step(ptr %o)
  call void @step(ptr %o)
  %x = call float @first(ptr %o)
  %p = load ptr, ptr %o
  call void @free(ptr %p)
  ret float %x
}

; CHECK: define internal void @init.and.step.ferry(ptr %o)
; CHECK: call void @init.ferry(ptr %o)
; CHECK-NEXT: call void @step(ptr %o)
; CHECK: define internal float @first.ferry(ptr %o)
; CHECK: call void @__ferry_host_reads(ptr %p, i64 4)
; CHECK: define internal void @init.ferry(ptr %o)
; CHECK: call void @__ferry_region_begin(ptr %p, i64 64, ptr @ferry.site, i32 0)
; CHECK-NOT: define internal void @step
