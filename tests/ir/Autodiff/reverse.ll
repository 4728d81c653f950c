; Reverse mode: what is computed once is used as it is, what a loop computes goes
; into an array with an element for each round, and copies of blocks of numbers
; are undone by a loop.
;
; RUN: %opt -passes=ferry-autodiff -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @__enzyme_autodiff(ptr, ...)
declare void @__enzyme_autodiff_void(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}

define void @square(ptr %p) {
  %v = load double, ptr %p
  %r = fmul double %v, %v
  store double %r, ptr %p
  ret void
}

define double @power(double %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %more, %loop ]
  %more = fmul double %r, %x
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret double %more
}

define double @copied(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %v = load double, ptr %to
  ret double %v
}

define void @calls(ptr %p, ptr %q) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @product, double 2.0, double 3.0)
  call void (ptr, ...) @__enzyme_autodiff_void(ptr @square, ptr %p, ptr %q)
  call double (ptr, ...) @__enzyme_autodiff(ptr @power, double 2.0, i32 3)
  call void (ptr, ...) @__enzyme_autodiff_void(ptr @copied, ptr %p, ptr %q, ptr %p, ptr %q, i64 16)
  ret void
}

; CHECK-LABEL: define internal { double, double, double } @product.ferry.reverse(double %x, double %y, double %0)
; CHECK-NOT: alloca
; CHECK-NOT: realloc
; CHECK-DAG: fmul double %0, %y
; CHECK-DAG: fmul double %0, %x
; CHECK: ret { double, double, double }

; CHECK-LABEL: define internal void @square.ferry.reverse(ptr %p, ptr %0)
; CHECK: [[V:%.*]] = load double, ptr %p
; CHECK: store double {{%.*}}, ptr %p
; CHECK: [[D:%.*]] = load double, ptr %0
; CHECK: fmul double [[D]], [[V]]
; CHECK: store double {{%.*}}, ptr %0

; Of the loop's values only r is kept. The reverse sweep counts the rounds down.
; CHECK-LABEL: define internal { double, double } @power.ferry.reverse(double %x, i32 %n, double %0)
; CHECK: [[ROOM:%.*]] = call ptr @ferry.tape.allocate(
; CHECK: [[PLACE:%.*]] = getelementptr inbounds double, ptr [[ROOM]], i64 %round
; CHECK: store double %r, ptr [[PLACE]], align 8, !alias.scope
; CHECK-NOT: store
; CHECK: loop.undo:
; CHECK: [[N:%.*]] = phi i64 [ [[BEFORE:%.*]], {{%.*}} ], [ {{%.*}}, %loop ]
; CHECK: [[SAME:%.*]] = getelementptr inbounds double, ptr [[ROOM]], i64 [[N]]
; CHECK: load double, ptr [[SAME]], align 8, !alias.scope
; CHECK: [[BEFORE]] = add i64 [[N]], -1
; CHECK: call void @free(ptr [[ROOM]])

; CHECK-LABEL: define internal {{.*}} @copied.ferry.reverse(
; CHECK: call void @ferry.undo.copy.double(ptr {{.*}}, ptr {{.*}}, i64 %n)
