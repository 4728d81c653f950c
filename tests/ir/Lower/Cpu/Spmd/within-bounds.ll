; What is linear between two boundaries is taken for linear by groups that lie
; between two. Whether a group does is tested when it starts.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; A lane is linear, a warp is one for all. Other groups gather.
; CHECK-LABEL: define void @warps(
; CHECK:       group:
; CHECK:         [[FIRST:%.*]] = phi i64
; CHECK:         [[LAST:%.*]] = add i64 [[FIRST]], 3
; CHECK:         [[DIFFER:%.*]] = xor i64 [[FIRST]], [[LAST]]
; CHECK:         [[ABOVE:%.*]] = and i64 [[DIFFER]], -32
; CHECK:         icmp eq i64 [[ABOVE]], 0
; CHECK:         br i1 {{.*}}, label %[[THEN:.*]], label %[[ELSE:.*]]
; CHECK:       [[THEN]]:
; CHECK:         load <4 x i32>
; CHECK-NOT:     gather
; CHECK:         load i32
; CHECK:       [[ELSE]]:
; CHECK:         gather
; CHECK:         gather
; CHECK:       group.end:
define void @warps(ptr %a, ptr %b, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %lane = and i64 %t, 31
  %pa = getelementptr i32, ptr %a, i64 %lane
  %x = load i32, ptr %pa
  %warp = lshr i64 %t, 5
  %pb = getelementptr i32, ptr %b, i64 %warp
  %y = load i32, ptr %pb
  %z = add i32 %x, %y
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %z, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Rows and columns of a width that is not known, which may be zero where no
; thread divides by it.
; CHECK-LABEL: define void @rows(
; CHECK:       group:
; CHECK:         [[POSITIVE:%.*]] = icmp sgt i64 [[WIDTH:%.*]], 0
; CHECK:         [[BY:%.*]] = select i1 [[POSITIVE]], i64 [[WIDTH]], i64 1
; CHECK:         udiv i64 {{.*}}, [[BY]]
; CHECK:         udiv i64 {{.*}}, [[BY]]
; CHECK:         br i1 {{.*}}, label %[[THEN:.*]], label %[[ELSE:.*]]
; CHECK:       [[THEN]]:
; CHECK:         udiv i32
; CHECK:         urem i32
; CHECK-NOT:     gather
; CHECK:       [[ELSE]]:
; CHECK:         udiv <4 x i32>
; CHECK:         urem <4 x i32>
; CHECK:         gather
define void @rows(ptr %a, ptr %r, i32 %width, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %n = trunc i64 %t to i32
  %row = udiv i32 %n, %width
  %column = urem i32 %n, %width
  %row64 = zext i32 %row to i64
  %prow = getelementptr i32, ptr %a, i64 %row64
  %x = load i32, ptr %prow
  %column64 = zext i32 %column to i64
  %p = getelementptr i32, ptr %a, i64 %column64
  %y = load i32, ptr %p
  %z = add i32 %x, %y
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %z, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; A mask of ones at the bottom, however many: its lowest zero is the boundary.
; CHECK-LABEL: define void @mask(
; CHECK:       group:
; CHECK:         [[ZEROS:%.*]] = xor i64 {{.*}}, -1
; CHECK:         [[NEG:%.*]] = sub i64 0, [[ZEROS]]
; CHECK:         and i64 [[ZEROS]], [[NEG]]
; CHECK:         br i1
; CHECK:         load <4 x i32>
; CHECK:         gather
define void @mask(ptr %a, ptr %r, i32 %size, i64 %from, i64 %to) {
entry:
  %ones = add i32 %size, -1
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %n = trunc i64 %t to i32
  %low = and i32 %ones, %n
  %low64 = zext i32 %low to i64
  %p = getelementptr i32, ptr %a, i64 %low64
  %x = load i32, ptr %p
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %x, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; A known width.
; CHECK-LABEL: define void @columns(
; CHECK:       group:
; CHECK:         [[FIRST:%.*]] = phi i64
; CHECK:         [[LAST:%.*]] = add i64 [[FIRST]], 3
; CHECK:         [[X:%.*]] = udiv i64 [[FIRST]], {{.*}}5
; CHECK:         [[Y:%.*]] = udiv i64 [[LAST]], 5
; CHECK:         icmp eq i64 [[X]], [[Y]]
; CHECK:         br i1
; CHECK:         urem i64
; CHECK:         load <4 x i32>
; CHECK:         urem <4 x i64>
; CHECK:         gather
define void @columns(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %column = urem i64 %t, 5
  %p = getelementptr i32, ptr %a, i64 %column
  %x = load i32, ptr %p
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %x, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Threads that count from where they are, by steps that are the same for all,
; leave the loop together if they need equally many, and need no masks then.
; CHECK-LABEL: define void @counts(
; CHECK:       group:
; CHECK:         br i1 {{.*}}, label %[[THEN:.*]], label %[[ELSE:.*]]
; CHECK:       [[THEN]]:
; CHECK:         load <4 x i32>
; CHECK-NOT:     masked
; CHECK:       [[ELSE]]:
; CHECK:         call <4 x i32> @llvm.masked
define void @counts(ptr %a, ptr %r, i32 %n, i32 %step, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %narrow = trunc i64 %t to i32
  br label %loop
loop:
  %i = phi i32 [ %narrow, %body ], [ %i.next, %work ]
  %sum = phi i32 [ 0, %body ], [ %sum.next, %work ]
  %goes.on = icmp slt i32 %i, %n
  br i1 %goes.on, label %work, label %done
work:
  %index = sext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %index
  %x = load i32, ptr %p
  %sum.next = add i32 %sum, %x
  %i.next = add nsw i32 %i, %step
  br label %loop
done:
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %sum, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; No group of four lies between multiples of two, so that there is nothing to
; test.
; CHECK-LABEL: define void @pairs(
; CHECK-NOT:     group.version1
; CHECK:         gather
; CHECK:       header:
define void @pairs(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pair = lshr i64 %t, 1
  %p = getelementptr i32, ptr %a, i64 %pair
  %x = load i32, ptr %p
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
