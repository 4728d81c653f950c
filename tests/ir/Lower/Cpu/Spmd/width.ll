; A group has as many threads as elements of the kind that most is done with fit
; the widest register, and several registers where they hide how long an addition
; takes; a group of one does what is left. Straight loops are left to LLVM's own
; vectoriser.
;
; RUN: %opt -passes=ferry-spmd -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @floats(
; CHECK:         fadd <32 x float>
; CHECK:         fadd <8 x float>
; CHECK-NOT:     fadd <
; CHECK:         fadd float
define void @floats(ptr %r, i64 %n, i64 %from, i64 %to) "target-features"="+avx2" {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr float, ptr %r, i64 %t
  %x = load float, ptr %pr
  br label %loop
loop:
  %k = phi i64 [ 0, %body ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %body ], [ %s.next, %loop ]
  %s.next = fadd float %s, %x
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, %n
  br i1 %last, label %after, label %loop
after:
  store float %s.next, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; No larger than there are threads.
; CHECK-LABEL: define void @few(
; CHECK:         fadd <16 x float>
; CHECK:         fadd <8 x float>
; CHECK-NOT:     fadd <
; CHECK:         fadd float
define void @few(ptr %r, i64 %n) "target-features"="+avx2" {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, 24
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr float, ptr %r, i64 %t
  %x = load float, ptr %pr
  br label %loop
loop:
  %k = phi i64 [ 0, %body ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %body ], [ %s.next, %loop ]
  %s.next = fadd float %s, %x
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, %n
  br i1 %last, label %after, label %loop
after:
  store float %s.next, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @doubles(
; CHECK:         fadd <4 x double>
define void @doubles(ptr %r, i64 %n, i64 %from, i64 %to) "target-features"="+avx2" {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr double, ptr %r, i64 %t
  %x = load double, ptr %pr
  br label %loop
loop:
  %k = phi i64 [ 0, %body ], [ %k.next, %loop ]
  %s = phi double [ 0.0, %body ], [ %s.next, %loop ]
  %s.next = fadd double %s, %x
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, %n
  br i1 %last, label %after, label %loop
after:
  store double %s.next, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @straight(
; CHECK-NOT:     x float>
; CHECK:         ret void
define void @straight(ptr %r, i64 %from, i64 %to) "target-features"="+avx2" {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr float, ptr %r, i64 %t
  %x = load float, ptr %pr
  %y = fadd float %x, 1.0
  store float %y, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Rows of a sparse matrix, one by one. Their ends can't be foreseen, and are not
; to become two each.
; CHECK-LABEL: define void @rows(
; CHECK-NOT:     x float>
; CHECK:         br i1 %last, label %after, label %loop, !llvm.loop [[ROUND:![0-9]+]]
define void @rows(ptr %start, ptr %column, ptr %x, ptr %r, i64 %from, i64 %to) "target-features"="+avx2" {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %ps = getelementptr i64, ptr %start, i64 %t
  %s = load i64, ptr %ps
  %pe = getelementptr i64, ptr %ps, i64 1
  %e = load i64, ptr %pe
  br label %loop
loop:
  %k = phi i64 [ %s, %body ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %body ], [ %sum.next, %loop ]
  %pc = getelementptr i64, ptr %column, i64 %k
  %c = load i64, ptr %pc
  %px = getelementptr float, ptr %x, i64 %c
  %v = load float, ptr %px
  %sum.next = fadd float %sum, %v
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, %e
  br i1 %last, label %after, label %loop
after:
  %pr = getelementptr float, ptr %r, i64 %t
  store float %sum.next, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
; CHECK: [[ROUND]] = distinct !{[[ROUND]], [[KEPT:![0-9]+]]}
; CHECK: [[KEPT]] = !{!"llvm.loop.unroll.runtime.disable", i32 1}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
