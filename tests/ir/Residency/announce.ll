; Heap memory that a launch uses is a region from its allocation until it is
; freed. The host's accesses are announced: before the loop with all that it
; touches, and only where a launch can have come before.
; RUN: %opt -passes=ferry-residency -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr captures(none)) allockind("free") "alloc-family"="malloc"
declare i32 @__ferry_run(ptr, ptr, ptr, ptr, ptr)
@site = external constant i8

; CHECK-LABEL: define float @sum(i64 %n)
; CHECK: %p = call ptr @malloc(i64 %bytes)
; CHECK-NEXT: call void @__ferry_region_begin(ptr %p, i64 %bytes, ptr @[[SITE:.*]], i32 0)
; CHECK: store float 1.0
; CHECK: call i32 @__ferry_run
; CHECK: %[[AWAY:.*]] = load atomic i64, ptr @__ferry_regions_away
; CHECK: icmp {{eq|ne}} i64 %[[AWAY]], 0
; CHECK: call void @__ferry_host_reads(ptr %p, i64 %{{.*}})
; CHECK: loop:
; CHECK-NOT: __ferry
; CHECK: exit:
; CHECK: call void @__ferry_region_end(ptr %p)
; CHECK-NEXT: call void @free(ptr %p)
define float @sum(i64 %n) {
entry:
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %bytes = shl nuw i64 %n, 2
  %p = call ptr @malloc(i64 %bytes)
  store float 1.0, ptr %p
  store ptr %p, ptr %values
  store i64 %bytes, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr inbounds float, ptr %p, i64 %i
  %x = load float, ptr %at
  %more = fadd float %total, %x
  %next = add nuw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  call void @free(ptr %p)
  ret float %more
}

; Each turn launches, so each turn announces, and no more than four bytes. What
; is written whole need not come home first.
; CHECK-LABEL: define void @turns()
; CHECK: call void @__ferry_region_begin(ptr %p, i64 4096, ptr @{{.*}}, i32 1)
; CHECK: loop:
; CHECK: call i32 @__ferry_run
; CHECK: call void @__ferry_host_reads(ptr %at, i64 4)
; CHECK: call void @__ferry_host_overwrites(ptr %p, i64 8)
define void @turns() {
entry:
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = call ptr @malloc(i64 4096)
  %at = getelementptr inbounds i8, ptr %p, i64 100
  store ptr %p, ptr %values
  store i64 4096, ptr %lengths
  br label %loop
loop:
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  %x = load i32, ptr %at
  %done = icmp eq i32 %x, 0
  br i1 %done, label %exit, label %more
more:
  store i64 7, ptr %p
  br label %loop
exit:
  call void @free(ptr %p)
  ret void
}

; Two reads that belong together, however far apart they are.
; CHECK-LABEL: define i32 @ends()
; CHECK: call void @__ferry_host_reads_together(ptr %p, i64 4096)
; CHECK-NEXT: call void @__ferry_host_reads(ptr %p, i64 4)
; CHECK: call void @__ferry_host_reads(ptr %last, i64 4)
define i32 @ends() {
  %values = alloca [1 x i64]
  %lengths = alloca [1 x i64]
  %p = call ptr @malloc(i64 4096)
  %last = getelementptr inbounds i8, ptr %p, i64 4092
  store ptr %p, ptr %values
  store i64 4096, ptr %lengths
  %status = call i32 @__ferry_run(ptr @site, ptr null, ptr null, ptr %values, ptr %lengths)
  %x = load i32, ptr %p
  %y = load i32, ptr %last
  %sum = add i32 %x, %y
  call void @free(ptr %p)
  ret i32 %sum
}

; No launch uses it.
; CHECK-LABEL: define i32 @unused()
; CHECK-NOT: __ferry
; CHECK: ret i32
define i32 @unused() {
  %p = call ptr @malloc(i64 4)
  store i32 1, ptr %p
  %x = load i32, ptr %p
  call void @free(ptr %p)
  ret i32 %x
}
