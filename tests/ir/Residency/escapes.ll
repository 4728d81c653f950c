; Before code that is not here can learn of a region, it is one no longer. What
; only borrows the pointer gets it lent.
; RUN: %opt -passes=ferry-residency -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare i32 @__ferry_run(ptr, ptr, ptr, ptr, ptr)
declare void @keeps(ptr)
declare void @borrows(ptr captures(none) nofree)
declare void @keepsRecord(ptr)
declare void @readsRecord(ptr captures(none) nofree)
declare void @keepsNumber(i64)
@site = external constant i8
@kept = global ptr null

; CHECK-LABEL: define internal ptr @allocate
; CHECK: %p = call ptr @malloc
; CHECK: call void @__ferry_region_begin(ptr %p
; CHECK-NOT: escape
; CHECK: ret ptr %p
define internal ptr @allocate(ptr %values, ptr %lengths) {
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %values
  store i64 64, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  ret ptr %p
}

; CHECK-LABEL: define ptr @caller
; CHECK: %p = call ptr @allocate
; CHECK: call void @__ferry_region_lent(ptr %p)
; CHECK-NEXT: call void @borrows(ptr %p)
; CHECK-NEXT: call void @__ferry_region_returned(ptr %p)
; CHECK: icmp eq ptr %p
; CHECK-NOT: __ferry
; CHECK: store i64 %size
; CHECK: call void @__ferry_region_escapes(ptr %p)
; CHECK-NEXT: call void @keeps(ptr %p)
; CHECK: call void @__ferry_region_escapes(ptr %p)
; CHECK-NEXT: store ptr %p, ptr @kept
; CHECK: call void @__ferry_regions_escape(ptr @[[SITE:.*]])
; CHECK-NEXT: call void @keepsNumber(i64 %number)
; CHECK: call void @__ferry_region_escapes(ptr %p)
; CHECK-NEXT: ret ptr %p
define ptr @caller(ptr %sizes) {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = call ptr @allocate(ptr %values, ptr %lengths)
  call void @borrows(ptr %p)
  ; A comparison and a difference say nothing about where it is.
  %null = icmp eq ptr %p, null
  %end = getelementptr i8, ptr %p, i64 64
  %to = ptrtoint ptr %end to i64
  %from = ptrtoint ptr %p to i64
  %size = sub i64 %to, %from
  store i64 %size, ptr %sizes
  call void @keeps(ptr %p)
  store ptr %p, ptr @kept
  %number = add i64 %from, 8
  call void @keepsNumber(i64 %number)
  ret ptr %p
}

; A record that has the pointer takes it along: when it is stored there, since
; others have the record, or when they only look.
; CHECK-LABEL: define void @records
; CHECK: call void @__ferry_region_begin(ptr %p
; CHECK: call void @__ferry_region_escapes(ptr %p)
; CHECK-NEXT: store ptr %p, ptr %shown
; CHECK: call void @__ferry_region_begin(ptr %q
; CHECK-NOT: __ferry_region_escapes
; CHECK: store ptr %q, ptr %private
; CHECK: call void @__ferry_regions_escape(ptr @{{.*}})
; CHECK-NEXT: call void @readsRecord(ptr %private)
define void @records() {
  %values = alloca [2 x i64]
  %lengths = alloca [2 x i64]
  %shown = alloca [3 x ptr]
  %private = alloca [3 x ptr]
  %p = call ptr @malloc(i64 64)
  store ptr %p, ptr %shown
  %q = call ptr @malloc(i64 64)
  store ptr %q, ptr %private
  store ptr %p, ptr %values
  %second = getelementptr i8, ptr %values, i64 8
  store ptr %q, ptr %second
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  call void @keepsRecord(ptr %shown)
  call void @readsRecord(ptr %private)
  ret void
}
