; Threads that leave a loop in different iterations wait for the last one; what
; they bring out is kept when they leave.
;
; RUN: %opt -passes=ferry-spmd -ferry-spmd-width=4 -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       loop.group:
; CHECK:         [[ACTIVE:%.*]] = phi <4 x i1>
; CHECK:         [[X:%.*]] = add <4 x i32>
; CHECK:         [[DONE:%.*]] = icmp ugt <4 x i32> [[X]],
; CHECK:         [[LEAVE:%.*]] = and <4 x i1> [[ACTIVE]], [[DONE]]
; CHECK:         [[STAY:%.*]] = and <4 x i1> [[ACTIVE]],
; CHECK:         select <4 x i1> [[LEAVE]], <4 x i32> [[X]], <4 x i32>
; CHECK:         bitcast <4 x i1> {{.*}} to i4
; CHECK:         br i1 {{.*}}, label %loop.group, label
; CHECK:         store <4 x i32>
define void @f(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %v = load i32, ptr %pa
  br label %loop
loop:
  %s = phi i32 [ %v, %body ], [ %x, %loop ]
  %x = add i32 %s, %v
  %done = icmp ugt i32 %x, 1000
  br i1 %done, label %after, label %loop
after:
  %pr = getelementptr i32, ptr %r, i64 %t
  store i32 %x, ptr %pr
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Nobody waits in a loop of which every thread knows beforehand how long it is in
; there, whatever it does to memory.
; CHECK-LABEL: define void @counted(
; CHECK:         phi <4 x i32>
; CHECK:         atomicrmw xchg
define void @counted(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %n = load i32, ptr %pa
  br label %loop
loop:
  %i = phi i32 [ %n, %body ], [ %less, %loop ]
  %pr = getelementptr i32, ptr %r, i32 %i
  %old = atomicrmw xchg ptr %pr, i32 %i monotonic
  %less = lshr i32 %i, 1
  %done = icmp eq i32 %less, 0
  br i1 %done, label %latch, label %loop
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; Not so if a thread comes only sometimes to where it would leave.
; CHECK-LABEL: define void @counts_sometimes(
; CHECK-NOT:     <4 x
; CHECK:         ret void
define void @counts_sometimes(ptr %a, ptr %r, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %body, label %exit
body:
  %pa = getelementptr i32, ptr %a, i64 %t
  %n = load i32, ptr %pa
  br label %loop
loop:
  %i = phi i32 [ %n, %body ], [ %less, %again ]
  %old = atomicrmw xchg ptr %r, i32 %i monotonic
  %less = lshr i32 %i, 1
  %free = icmp eq i32 %old, 0
  br i1 %free, label %test, label %again
test:
  %done = icmp eq i32 %less, 0
  br i1 %done, label %latch, label %again
again:
  br label %loop
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}

; In step, the thread that has the lock would wait for those that spin on it.
; CHECK-LABEL: define void @spin(
; CHECK-NOT:     <4 x
; CHECK:         ret void
define void @spin(ptr %lock, i64 %from, i64 %to) {
entry:
  br label %header
header:
  %t = phi i64 [ %from, %entry ], [ %next, %latch ]
  %more = icmp ult i64 %t, %to
  br i1 %more, label %loop, label %exit
loop:
  %old = atomicrmw xchg ptr %lock, i32 1 acquire
  %free = icmp eq i32 %old, 0
  br i1 %free, label %after, label %loop
after:
  store atomic i32 0, ptr %lock release, align 4
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  br label %header, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"ferry.threads"}
