; Updates of a block's shared memory are done thread by thread, and plainly.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; A thread's address is a scalar from the start; nothing is taken out of vectors.
; CHECK-LABEL: define void @all(
; CHECK-NOT:     extractelement
; CHECK:         [[P:%.*]] = getelementptr i8, ptr {{.*}}, i64 3
; CHECK-NEXT:    [[X:%.*]] = load i8, ptr [[P]]
; CHECK-NEXT:    [[INDEX:%.*]] = zext i8 [[X]] to i64
; CHECK-NEXT:    [[Q:%.*]] = getelementptr i32, ptr %bins, i64 [[INDEX]]
; CHECK-NEXT:    atomicrmw add ptr [[Q]], i32 1 monotonic, align 4, !ferry.shared.update
; CHECK-NOT:     extractelement
; CHECK:       header:
define void @all(ptr %a, ptr noalias "ferry-block-memory" %bins, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i8, ptr %a, i64 %t
  %x = load i8, ptr %p
  %index = zext i8 %x to i64
  %q = getelementptr i32, ptr %bins, i64 %index
  %unused = atomicrmw add ptr %q, i32 1 monotonic
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Under a mask, too, as long as it is full.
; CHECK-LABEL: define void @some(
; CHECK:         [[FULL:%.*]] = icmp eq i4 {{.*}}, -1
; CHECK:         br i1 [[FULL]], label %all, label %some
; CHECK:       all:
; CHECK-COUNT-4: atomicrmw add ptr {{.*}} !ferry.shared.update
; CHECK:       some:
; CHECK:       lane:
; CHECK:         atomicrmw add ptr {{.*}} !ferry.shared.update
define void @some(ptr %a, ptr noalias "ferry-block-memory" %bins, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i8, ptr %a, i64 %t
  %x = load i8, ptr %p
  %counts = icmp ne i8 %x, 0
  br i1 %counts, label %count, label %latch
count:
  %index = zext i8 %x to i64
  %q = getelementptr i32, ptr %bins, i64 %index
  %unused = atomicrmw add ptr %q, i32 1 monotonic
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; What the thread itself stores in between might be what it loaded.
; CHECK-LABEL: define void @changed(
; CHECK:         load <4 x i8>
; CHECK:         store <4 x i8> zeroinitializer
; CHECK-NOT:     load i8
; CHECK-COUNT-4: atomicrmw add
; CHECK:       header:
define void @changed(ptr %a, ptr noalias "ferry-block-memory" %bins, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr i8, ptr %a, i64 %t
  %x = load i8, ptr %p
  store i8 0, ptr %p
  %index = zext i8 %x to i64
  %q = getelementptr i32, ptr %bins, i64 %index
  %unused = atomicrmw add ptr %q, i32 1 monotonic
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
