; A kernel that can panic takes the index of its record and fills it in once. A
; kernel that cannot has neither argument nor check.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s > %t.nvptx
; RUN: %opt -passes='ferry-lower<gfx942>' -disable-output %s > %t.amdgpu
; RUN: FileCheck %s --check-prefix=CHECKED < %t.nvptx
; RUN: FileCheck %s --check-prefix=CHECKED < %t.amdgpu
; RUN: FileCheck %s --check-prefix=FREE < %t.nvptx
; RUN: FileCheck %s --check-prefix=FREE < %t.amdgpu

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(...)
declare i64 @__ferry_global_id()
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn

; CHECKED: @[[RECORDS:ferry_panic_records[A-Za-z0-9_]*]] = protected {{.*}}addrspace(1) global [512 x i64] zeroinitializer, align 8
; CHECKED: define protected {{.*}}kernel void @ferry_checked_{{[^ ]*}}({{.*}}, i64 noundef %panic.index)
; CHECKED: getelementptr inbounds {{.*}}[64 x i8], ptr addrspace(1) @[[RECORDS]], i64
; CHECKED: %[[LAST:.*]] = load atomic i32, ptr addrspace(1) %record {{.*}}monotonic
; CHECKED: cmpxchg ptr addrspace(1) %record, i32 %[[LAST]], i32 %generation {{.*}}acq_rel monotonic
; CHECKED: store {{.*}}ptr addrspace(1)
; CHECKED: br label %common.ret
; CHECKED-NEXT: }

; FREE: define protected {{.*}}kernel void @ferry_free_
; FREE-NOT: panic
; FREE: {{^}}}

@checked.name = private constant [7 x i8] c"checked"
@free.name = private constant [4 x i8] c"free"
@file = private constant [5 x i8] c"k.cpp"
@text = private constant [6 x i8] c"i < 9\00"

define internal void @checked(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %small = icmp ult i64 %i, 9
  br i1 %small, label %good, label %bad
bad:
  call void @__assert_fail(ptr @text, ptr @text, i32 7, ptr @text)
  unreachable
good:
  %p = getelementptr i8, ptr %u, i64 %i
  store i8 1, ptr %p
  ret void
}

define internal void @free(ptr %block) {
  %u = load ptr, ptr %block
  %i = call i64 @__ferry_global_id()
  %p = getelementptr i8, ptr %u, i64 %i
  store i8 1, ptr %p
  ret void
}

define void @host(ptr %u, i64 %n) {
  %s = call i32 (...) @__ferry_launch(i64 1, ptr @checked, ptr @checked.name, i64 7, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  %t = call i32 (...) @__ferry_launch(i64 1, ptr @free, ptr @free.name, i64 4, ptr @file, i64 5, i64 1, i64 1, i64 0, i64 %n, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 49, ptr %u, i64 64)
  ret void
}
