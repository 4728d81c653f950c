; Where threads part, both ways run, one after the other, with masks; where they
; meet, what a phi chooses is blended. A division divides by one for threads that
; are not there, and a way that is worth it is skipped when nobody takes it.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         [[V:%.*]] = load <4 x i32>
; CHECK:         [[C:%.*]] = icmp sgt <4 x i32> [[V]], zeroinitializer
; CHECK:         [[N:%.*]] = xor <4 x i1> [[C]], splat (i1 true)
; CHECK:         [[BITS:%.*]] = bitcast <4 x i1> {{.*}} to i4
; CHECK:         [[ANY:%.*]] = icmp ne i4 [[BITS]], 0
; CHECK:         br i1 [[ANY]]
; The one address that all threads have in common is not touched for nobody.
; CHECK:         load i32, ptr %u
; CHECK:         select <4 x i1> {{.*}}, <4 x i32> {{.*}}, <4 x i32> splat (i32 1)
; CHECK:         sdiv <4 x i32>
; CHECK:         call void @llvm.masked.store.v4i32.p0(
; CHECK:         select <4 x i1>
; CHECK:         store <4 x i32>
define void @f(ptr %a, ptr %b, ptr %r, ptr %u, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %pb = getelementptr i32, ptr %b, i64 %t
  %v = load i32, ptr %pa
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %then, label %else
then:
  %common = load i32, ptr %u
  %q = sdiv i32 %common, %v
  store i32 %q, ptr %pb
  br label %join
else:
  %e = add i32 %v, 7
  br label %join
join:
  %p = phi i32 [ %q, %then ], [ %e, %else ]
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %p, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; A branch on what the threads have in common stays one.
; CHECK-LABEL: define void @uniform(
; CHECK:         br i1 %u, label
; CHECK-NOT:     select
; CHECK:         ret void
define void @uniform(ptr %a, ptr %r, i1 %u, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %v = load i32, ptr %pa
  br i1 %u, label %then, label %join
then:
  %w = mul i32 %v, 5
  br label %join
join:
  %p = phi i32 [ %w, %then ], [ %v, %body ]
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %p, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
