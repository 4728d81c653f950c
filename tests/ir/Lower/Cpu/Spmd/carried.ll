; A value that the threads of a loop agree about and hand on to what follows the
; loop is handed on by groups.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i32 @agreed(
; CHECK:       group.start:
; CHECK:         [[BEFORE:%.*]] = freeze i32 poison
; CHECK:       group:
; CHECK:         [[OLD:%.*]] = phi i32 [ [[BEFORE]], %group.start ], [ [[NEW:%.*]], %group.end ]
; CHECK:         store <4 x i32>
; CHECK:         [[REPLACED:%.*]] = phi i32 [ 7, {{.*}} ], [ [[OLD]], {{.*}} ]
; CHECK:       group.end:
; CHECK:         [[NEW]] = phi i32 [ [[REPLACED]], {{.*}} ]
; CHECK:       groups.done:
; CHECK:         [[LEFT:%.*]] = phi i32 [ [[NEW]], %group.end ]
; CHECK:       header:
; CHECK:         phi i32 [ poison, %entry ], [ {{.*}}, %latch ], [ [[LEFT]], %groups.done ]
define i32 @agreed(ptr %r, i1 %u, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %state = phi i32 [ poison, %entry ], [ %state.next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 5, ptr %pr
  br i1 %u, label %set, label %latch
set:
  br label %latch
latch:
  %state.next = phi i32 [ 7, %set ], [ %state, %body ]
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret i32 %state
}

; A sum over threads is not: each looks at the one before it.
; CHECK-LABEL: define i32 @sum(
; CHECK-NOT:     <4 x i32>
; CHECK:         ret i32
define i32 @sum(ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %latch, label %exit
latch:
  %pr = getelementptr i32, ptr %r, i64 %t
  %x = load i32, ptr %pr
  %s.next = add i32 %s, %x
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret i32 %s
}

; A thread's place that functions out of line look for in thread-local storage is
; one thread's at a time.
; CHECK-LABEL: define void @local(
; CHECK-NOT:     <4 x
; CHECK:         ret void
@place = internal thread_local global i64 0
declare void @look()
define void @local(i64 %from, i64 %to) {
entry:
  %p = call ptr @llvm.threadlocal.address.p0(ptr @place)
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  store i64 %t, ptr %p
  call void @look()
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
