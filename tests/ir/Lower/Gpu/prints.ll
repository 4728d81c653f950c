; A line is written to the image's buffer in global memory, out of line; the buffer
; keeps its name, which libferry looks for. A kernel that does not print has none.
;
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='ferry-lower<gfx90a>' -disable-output %s | FileCheck %s
; RUN: grep -v 'call void (ptr, i64, i64' %s > %t.ll
; RUN: %opt -passes='ferry-lower<sm_90>' -disable-output %t.ll | FileCheck %s --check-prefix=QUIET

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare void @__ferry_print(ptr, i64, i64, ...)
declare i64 @__ferry_global_id()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"
@format = private constant [3 x i8] c"{}\0A"

; CHECK: @ferry_print_buffer_[[HASH:[0-9a-f]+]] = protected addrspace(1) global [131072 x i64] zeroinitializer
; CHECK: define internal {{.*}}void @ferry.print({{.*}}
; CHECK: %[[START:.*]] = atomicrmw add ptr addrspace(1) @ferry_print_buffer_[[HASH]], i64 16 {{.*}}monotonic
; CHECK: icmp ult i64 %[[START]], 1048545
; CHECK: store i32 -1
; CHECK: define protected {{.*}}@ferry_kernel_
; CHECK: call {{.*}}void @ferry.print(
; QUIET-NOT: ferry_print_buffer
define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  call void @kernel(ptr %x)
  ret void
}
define void @kernel(ptr %x) {
  %i = call i64 @__ferry_global_id()
  store i64 %i, ptr %x
  call void (ptr, i64, i64, ...) @__ferry_print(ptr @format, i64 3, i64 1, i64 0, i64 %i)
  ret void
}
define i32 @run(ptr %x) {
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 8, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 1, i64 97, ptr %x, i64 32)
  ret i32 %r
}
