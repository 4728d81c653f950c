; Block and shim are taken apart: the kernel's parameters are its fields, with what
; the launch promised about buffers. A kernel that cannot panic has nothing else:
; no parameter, no branch, no call but the query.
;
; RUN: %opt -passes=ferry-outline -disable-output %s | FileCheck %s --implicit-check-not=ferry_panic
; RUN: %opt -passes=ferry-outline -disable-output %s | opt -passes=verify -disable-output

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @__ferry_launch(i64, ...)
declare i64 @__ferry_global_id()
@name = private constant [6 x i8] c"kernel"
@file = private constant [5 x i8] c"a.cpp"

define internal void @shim(ptr %block) {
  %x = load ptr, ptr %block, align 8
  %py = getelementptr i8, ptr %block, i64 8
  %y = load ptr, ptr %py, align 8
  %pn = getelementptr i8, ptr %block, i64 16
  %n = load i64, ptr %pn, align 8
  call void @kernel(ptr %x, ptr %y, i64 %n)
  ret void
}

; CHECK: define void @ferry_kernel_[[HASH:[0-9a-f]+]](ptr noalias {{.*}}readonly{{.*}} %[[X:[^,]+]], ptr noalias {{[^,]*}}%[[Y:[^,]+]], i64 %{{[^,)]+}}) {{.*}}{
; CHECK-NEXT: {{^[a-z0-9.]+:}}
; CHECK-NEXT: call i64 @__ferry_global_id()
; CHECK-NEXT: getelementptr {{.*}}ptr %[[X]]
; CHECK-NEXT: load float
; CHECK-NEXT: getelementptr {{.*}}ptr %[[Y]]
; CHECK-NEXT: load float
; CHECK-NEXT: fadd float
; CHECK-NEXT: store float
; CHECK-NEXT: ret void
; CHECK-NEXT: }
; CHECK-NOT: define
define void @kernel(ptr %x, ptr %y, i64 %n) {
  %i = call i64 @__ferry_global_id()
  %xp = getelementptr float, ptr %x, i64 %i
  %xv = load float, ptr %xp
  %yp = getelementptr float, ptr %y, i64 %i
  %yv = load float, ptr %yp
  %s = fadd float %xv, %yv
  store float %s, ptr %yp
  ret void
}
define i32 @run(ptr %x, ptr %y, ptr %n, i64 %count) {
  %bytes = mul i64 %count, 4
  %r = call i32 (i64, ...) @__ferry_launch(i64 1, ptr @shim, ptr @name, i64 6, ptr @file, i64 5, i64 7, i64 3, i64 0,
      i64 %count, i64 1, i64 1, i64 1, i64 1, i64 1, i64 0, i64 -1, i64 3,
      i64 81, ptr %x, i64 %bytes, i64 113, ptr %y, i64 %bytes, i64 0, ptr %n, i64 8)
  ret i32 %r
}

