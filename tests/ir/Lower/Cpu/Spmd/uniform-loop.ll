; A loop that all threads go through alike keeps its branches and its counter; what
; the threads have in common is loaded once, what lies side by side as a vector.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       %threads = sub i64 %to, %from
; CHECK:       group:
; CHECK:         %group.first = phi i64 [ %from, %group.start ]
; CHECK:       loop.group:
; CHECK:         phi i64
; CHECK:         phi <4 x float>
; CHECK-DAG:     load float, ptr
; CHECK-DAG:     load <4 x float>, ptr
; CHECK:         insertelement <4 x float>
; CHECK:         fadd <4 x float>
; CHECK:         store <4 x float>
; CHECK:         br i1 {{.*}}, label %groups.done, label %group
; CHECK:       groups.done:
; CHECK:         [[LEFT:%.*]] = phi i64 [ %groups.end, %group.end ]

; The rest is left to the loop as it was.
; CHECK:       header:
; CHECK:         phi i64 [ %from, %entry ], [ %next, %latch ], [ [[LEFT]], %groups.done ]
; CHECK:         load float
define void @f(ptr %a, ptr %b, ptr %r, i64 %n, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr float, ptr %a, i64 %t
  br label %loop
loop:
  %k = phi i64 [ 0, %body ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %body ], [ %s.next, %loop ]
  %pb = getelementptr float, ptr %b, i64 %k
  %x = load float, ptr %pb
  %y = load float, ptr %pa
  %m = fmul float %x, %y
  %s.next = fadd float %s, %m
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, %n
  br i1 %last, label %after, label %loop
after:
  %pr = getelementptr float, ptr %r, i64 %t
  store float %s.next, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; A loop without the mark is none of this pass's business.
; CHECK-LABEL: define void @unmarked(
; CHECK-NOT:     <4 x
; CHECK:         ret void
define void @unmarked(ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr float, ptr %r, i64 %t
  store float 1.0, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
