; Functions that are handed a region announce what they touch of it, and one
; whose body another module may replace is copied for the calls in this one.
; RUN: %opt -passes=ferry-residency -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr captures(none)) allockind("free") "alloc-family"="malloc"
declare i32 @__ferry_run(ptr, ptr, ptr, ptr, ptr)
@site = external constant i8
%vector = type { ptr, ptr, ptr }

; CHECK-LABEL: define void @go(ptr %v)
; CHECK-NOT: __ferry_region
; CHECK-NOT: __ferry_host
; CHECK: call i32 @__ferry_run
define void @go(ptr %v) {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = load ptr, ptr %v
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  ret void
}

; CHECK-LABEL: define linkonce_odr float @first(ptr %v)
; CHECK-NOT: __ferry
; CHECK: ret float
define linkonce_odr float @first(ptr %v) {
  %p = load ptr, ptr %v
  %x = load float, ptr %p
  ret float %x
}

; CHECK-LABEL: define float @main()
; CHECK: call void @__ferry_region_begin(ptr %p, i64 64
; CHECK-NOT: __ferry
; CHECK: call void @go(ptr %v)
; CHECK-NOT: __ferry
; CHECK: call float @first.ferry(ptr %v)
; CHECK: call void @__ferry_region_end(ptr %p)
define float @main() {
  %v = alloca %vector
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %v
  call void @go(ptr %v)
  %x = call float @first(ptr %v)
  call void @free(ptr %p)
  ret float %x
}

; One that nobody calls directly, such as a virtual member function, speaks for
; itself.
; CHECK-LABEL: define linkonce_odr float @virtual()
; CHECK: call i32 @__ferry_run
; CHECK: call void @__ferry_host_reads(ptr %p, i64 4)
; CHECK: call void @__ferry_region_end(ptr %p)
define internal ptr @make() noinline {
  %p = call ptr @malloc(i64 64)
  ret ptr %p
}
define linkonce_odr float @virtual() {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = call ptr @make()
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  %x = load float, ptr %p
  call void @free(ptr %p)
  ret float %x
}

; The call itself reads what it passes by value.
; CHECK-LABEL: define void @byValue()
; CHECK: call void @__ferry_host_reads(ptr %p, i64 -1)
; CHECK: call void @takes(ptr byval([64 x i8]) %p)
declare void @takes(ptr byval([64 x i8]))
define void @byValue() {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  call void @takes(ptr byval([64 x i8]) %p)
  call void @free(ptr %p)
  ret void
}

; CHECK-LABEL: define internal float @first.ferry(ptr %v)
; CHECK: call void @__ferry_host_reads(ptr %p, i64 4)
; CHECK: load float, ptr %p
