; Comparisons that come out alike for all threads of a group, because no group
; straddles the bound.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @together(
; CHECK:         [[X:%.*]] = load <4 x i32>
; CHECK:         store <4 x i32>
; CHECK:         [[AGAIN:%.*]] = icmp ult i64 {{.*}}, 4000
; CHECK:         br i1 [[AGAIN]]
define void @together(ptr %a, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %i = phi i64 [ %t, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp ult i64 %i.next, 4000
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @and_the_last(
; CHECK:         load <4 x i32>
; CHECK:         icmp sle i64 {{.*}}, 4003
define void @and_the_last(ptr %a, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %i = phi i64 [ %t, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp sle i64 %i.next, 4003
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; The bound is inside of a group.
; CHECK-LABEL: define void @parted(
; CHECK:         icmp ult <4 x i64> {{.*}}, splat (i64 4002)
define void @parted(ptr %a, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %i = phi i64 [ %t, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp ult i64 %i.next, 4002
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Groups start anywhere.
; CHECK-LABEL: define void @from_anywhere(
; CHECK:         icmp ult <4 x i64> {{.*}}, splat (i64 4000)
define void @from_anywhere(ptr %a, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %i = phi i64 [ %t, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp ult i64 %i.next, 4000
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; A group has four numbers, but not four in a row: they may straddle the bound.
; CHECK-LABEL: define void @shifted(
; CHECK:         icmp ult <4 x i64> {{.*}}, splat (i64 4000)
define void @shifted(ptr %a, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %first = add nuw nsw i64 %t, 2
  br label %loop
loop:
  %i = phi i64 [ %first, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp ult i64 %i.next, 4000
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Equal is one of them at most.
; CHECK-LABEL: define void @equal(
; CHECK:         icmp ne <4 x i64> {{.*}}, splat (i64 4096)
define void @equal(ptr %a, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  br label %loop
loop:
  %i = phi i64 [ %t, %body ], [ %i.next, %loop ]
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  %i.next = add nuw nsw i64 %i, 256
  %again = icmp ne i64 %i.next, 4096
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
