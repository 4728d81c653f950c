; Blocks of so many groups are not unrolled as a whole; of few groups they may be.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @many(
; CHECK:         br i1 {{.*}}, label %groups.done, label %group, !llvm.loop [[SOME:![0-9]+]]
; CHECK-LABEL: define void @few(
; CHECK:         br i1 {{.*}}, label %groups.done, label %group{{$}}
; CHECK:       [[SOME]] = distinct !{[[SOME]], [[COUNT:![0-9]+]]}
; CHECK:       [[COUNT]] = !{!"llvm.loop.unroll.count", i32 8}
define void @many(ptr %a, ptr %r) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, 1024
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %x = load i32, ptr %pa
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %x, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
define void @few(ptr %a, ptr %r) {
entry:
  br label %header
header:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, 64
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %x = load i32, ptr %pa
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %x, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
