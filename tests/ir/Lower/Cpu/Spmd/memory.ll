; What an access becomes, by the shape of its address.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; Downwards: a vector, reversed. Any other stride: each element by itself, which
; no CPU is slower at than at a gather.
; CHECK-LABEL: define void @strides(
; CHECK:         [[LAST:%.*]] = getelementptr i8, ptr {{.*}}, i64 -12
; CHECK:         load <4 x i32>, ptr [[LAST]]
; CHECK:         shufflevector <4 x i32> {{.*}}, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK:         [[FAR:%.*]] = getelementptr i8, ptr [[Q:%.*]], i64 24
; CHECK:         load i32, ptr [[FAR]]
; CHECK:         [[FAR:%.*]] = getelementptr i8, ptr [[Q]], i64 72
; CHECK:         load i32, ptr [[FAR]]
; CHECK:         store <4 x i32>
define void @strides(ptr %a, ptr %r, i64 %n, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %down = sub i64 %n, %t
  %p = getelementptr i32, ptr %a, i64 %down
  %x = load i32, ptr %p
  %far = mul i64 %t, 6
  %q = getelementptr i32, ptr %a, i64 %far
  %y = load i32, ptr %q
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

; An index of 32 bits may wrap around within a group. Where it comes from a loop,
; each access tests that.
; CHECK-LABEL: define void @wraps(
; CHECK:         [[LAST:%.*]] = add i64 {{.*}}, 3
; CHECK:         [[LOW:%.*]] = trunc i64 [[LAST]] to i32
; CHECK:         [[NARROW:%.*]] = zext i32 [[LOW]] to i64
; CHECK:         [[OK:%.*]] = icmp eq i64 [[LAST]], [[NARROW]]
; CHECK:         br i1 [[OK]], label %near, label %far
; CHECK:       near:
; CHECK:         load <4 x i32>
; CHECK:       far:
; CHECK:         call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
define void @wraps(ptr %a, ptr %r, i32 %base, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %narrow = trunc i64 %t to i32
  %pr = getelementptr i32, ptr %r, i64 %t
  br label %loop
loop:
  %k = phi i32 [ 0, %body ], [ %k.next, %loop ]
  %row = mul i32 %k, %base
  %sum = add i32 %narrow, %row
  %index = zext i32 %sum to i64
  %p = getelementptr i32, ptr %a, i64 %index
  %x = load i32, ptr %p
  store i32 %x, ptr %pr
  %k.next = add i32 %k, 1
  %last = icmp eq i32 %k.next, %base
  br i1 %last, label %latch, label %loop
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Each thread has its own array. Copies are interleaved, so that one index is one
; vector.
; CHECK-LABEL: define void @array(
; CHECK:         [[COPIES:%.*]] = alloca [4 x [8 x i32]], align 16
; CHECK:       fill.group:
; CHECK:         [[OFFSET:%.*]] = mul i64 {{.*}}, 16
; CHECK:         [[P:%.*]] = getelementptr i8, ptr [[COPIES]], i64 [[OFFSET]]
; CHECK:         store <4 x i32> {{.*}}, ptr [[P]], align 16
; CHECK:         call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
define void @array(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  %v = alloca [8 x i32], align 4
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %x = load i32, ptr %pa
  br label %fill
fill:
  %k = phi i64 [ 0, %body ], [ %k.next, %fill ]
  %pv = getelementptr i32, ptr %v, i64 %k
  store i32 %x, ptr %pv
  %k.next = add i64 %k, 1
  %last = icmp eq i64 %k.next, 8
  br i1 %last, label %after, label %fill
after:
  %low = and i32 %x, 7
  %index = zext i32 %low to i64
  %q = getelementptr i32, ptr %v, i64 %index
  %y = load i32, ptr %q
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %y, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Threads that add to one place and do not look at what was there add once. An
; atomic whose result counts, and a call, are each thread's own.
; CHECK-LABEL: define void @atomics(
; CHECK:         [[SUM:%.*]] = call i32 @llvm.vector.reduce.add.v4i32(
; CHECK:         atomicrmw add ptr %a, i32 [[SUM]] monotonic
; CHECK-COUNT-4: atomicrmw add ptr %b, i32 1 monotonic
; CHECK-COUNT-4: call void @effect(i32
define void @atomics(ptr %a, ptr %b, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %x = trunc i64 %t to i32
  %unused = atomicrmw add ptr %a, i32 %x monotonic
  %old = atomicrmw add ptr %b, i32 1 monotonic
  call void @effect(i32 %old)
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
declare void @effect(i32) nounwind
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
