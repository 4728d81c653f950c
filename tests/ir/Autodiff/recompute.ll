; What the reverse sweep computes again and what it keeps. A load is done again if
; nothing overwrites it later, in this round or the next ones; what is dear, or
; depends on what is gone, is kept.
;
; RUN: %opt -passes=ferry-autodiff -S %s | FileCheck %s
; RUN: env FERRY_AD_RECOMPUTE=0 %opt -passes=ferry-autodiff -S %s \
; RUN:   | FileCheck %s --check-prefix=ALL

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare double @__enzyme_autodiff(ptr, ...)
declare double @sin(double)

; sum of (x[i] * x[i]) * x[i]
define double @cubes(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %square = fmul double %v, %v
  %cube = fmul double %square, %v
  %more = fadd double %sum, %cube
  %next = add nuw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret double %more
}

; The same, but x[i] is x[i - 1] of the next round, where it is overwritten.
define double @overwritten(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %before = getelementptr double, ptr %p, i64 -1
  %v = load double, ptr %p
  %square = fmul double %v, %v
  store double %square, ptr %before
  %more = fadd double %sum, %square
  %next = add nuw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret double %more
}

; 10 rows of n: one array for all of them, with a place for each sine.
define double @nested(ptr %x, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %inext, %rowend ]
  %isum = phi double [ 0.0, %entry ], [ %more, %rowend ]
  br label %row
row:
  %j = phi i64 [ 0, %rows ], [ %jnext, %row ]
  %sum = phi double [ %isum, %rows ], [ %more, %row ]
  %p = getelementptr double, ptr %x, i64 %j
  %v = load double, ptr %p
  %scale = uitofp i64 %i to double
  %angle = fmul double %v, %scale
  %s = call double @sin(double %angle)
  %s2 = fmul double %s, %s
  %more = fadd double %sum, %s2
  %jnext = add nuw i64 %j, 1
  %jagain = icmp ult i64 %jnext, %n
  br i1 %jagain, label %row, label %rowend
rowend:
  %inext = add nuw i64 %i, 1
  %iagain = icmp ult i64 %inext, 10
  br i1 %iagain, label %rows, label %end
end:
  ret double %more
}

define void @calls(ptr %p, ptr %q, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @cubes, ptr %p, ptr %q, i64 %n)
  call double (ptr, ...) @__enzyme_autodiff(ptr @overwritten, ptr %p, ptr %q, i64 %n)
  call double (ptr, ...) @__enzyme_autodiff(ptr @nested, ptr %p, ptr %q, i64 %n)
  ret void
}

; CHECK-LABEL: define internal { double } @cubes.ferry.reverse(
; CHECK-NOT: ferry.tape
; CHECK: loop.undo:
; CHECK: [[V:%.*]] = load double, ptr
; CHECK: fmul double [[V]], [[V]]
; CHECK-LABEL: define internal { double } @overwritten.ferry.reverse(
; CHECK: call ptr @ferry.tape.allocate(
; CHECK: store double %v, ptr {{.*}} !alias.scope
; CHECK-NOT: store double {{.*}} !alias.scope
; CHECK-LABEL: define internal { double } @nested.ferry.reverse(
; CHECK: mul i64 {{%.*}}, 80
; CHECK: call ptr @ferry.tape.allocate(
; CHECK: store double %s, ptr {{.*}} !alias.scope
; CHECK-NOT: store double {{.*}} !alias.scope
; CHECK: ret { double }

; ALL-LABEL: define internal { double } @cubes.ferry.reverse(
; ALL: call ptr @ferry.tape.allocate(
; ALL-DAG: store double %v, ptr {{.*}} !alias.scope
; ALL-DAG: store double %square, ptr {{.*}} !alias.scope
