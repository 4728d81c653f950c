; Threads that go along a row of memory each stay alone: LLVM's vectoriser takes
; their rows. Down a column all of them read one row, and are a group.
;
; RUN: %opt -passes=ferry-spmd -S %s | FileCheck %s

; CHECK-LABEL: define void @rows(
; CHECK-NOT:   group
; CHECK:       }
define void @rows(ptr noalias %a, ptr noalias %r, i64 %w, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %row = mul i64 %t, 1024
  br label %loop
loop:
  %x = phi i64 [ 0, %body ], [ %x.next, %loop ]
  %i = add i64 %row, %x
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %v2 = fmul float %v, %v
  %v3 = fadd float %v2, %v
  %v4 = fmul float %v3, %v2
  %v5 = fadd float %v4, %v3
  %v6 = fmul float %v5, %v4
  %v7 = fadd float %v6, %v5
  %q = getelementptr float, ptr %r, i64 %i
  store float %v7, ptr %q
  %x.next = add i64 %x, 1
  %last = icmp eq i64 %x.next, %w
  br i1 %last, label %latch, label %loop
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @columns(
; CHECK:       group
define void @columns(ptr noalias %a, ptr noalias %r, i64 %w, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %y = phi i64 [ 0, %body ], [ %y.next, %loop ]
  %row = mul i64 %y, 1024
  %i = add i64 %row, %t
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %v2 = fmul float %v, %v
  %v3 = fadd float %v2, %v
  %v4 = fmul float %v3, %v2
  %v5 = fadd float %v4, %v3
  %v6 = fmul float %v5, %v4
  %v7 = fadd float %v6, %v5
  %q = getelementptr float, ptr %r, i64 %i
  store float %v7, ptr %q
  %y.next = add i64 %y, 1
  %last = icmp eq i64 %y.next, %w
  br i1 %last, label %latch, label %loop
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
